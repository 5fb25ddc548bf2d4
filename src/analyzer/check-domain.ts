// Checks what a domain publishes for its mail, with the same checks as for a message. The command line and the monitor
// use it. Replaying its evidence gives the same report without any lookups.

import { type Fact, unknown } from "./checks/fact.ts";
import type { KnownFacts } from "./checks/facts.ts";
import type { MtaStsPolicyAnswer } from "./checks/infrastructure-facts.ts";
import { checks } from "./checks/list.ts";
import type { RecordSet } from "./dns/record-sets.ts";
import { type Imagined, imagineDns, listPatienceShare, replayDns } from "./evidence-source.ts";
import { type BimiFiles, fetchBimiFiles } from "./facts/bimi-files.ts";
import { recordAnswers, replayAnswers, withinBudget } from "./facts/dns-evidence.ts";
import type { FetchDoor } from "./facts/fetch.ts";
import { type DomainSources, gatherDomain, maxQuestionsPerDomain } from "./facts/gather-domain.ts";
import { fetchMtaStsPolicy } from "./facts/mta-sts-policy.ts";
import { withRecords } from "./propose-records.ts";
import { withCures } from "./reports/cures.ts";
import {
  allGuesses,
  type DomainEvidence,
  type DomainReport,
  type Guesses,
  toVerdicts,
} from "./reports/domain-report.ts";
import { judgeDomain } from "./reports/judgment.ts";
import { version } from "./version.ts";
import { type BrokenCheck, type DomainContext, noteBroken } from "./world.ts";

export type DomainInput = {
  /** A-labels, lower case (analyzer/dns/domain-name.ts). */
  readonly domain: string;
  /** Selectors configured by the user. These must exist. */
  readonly configured: readonly string[];
  /** Addresses it was seen to send from, most recent first. */
  readonly senders: readonly string[];
  /** Selectors to guess when none is configured or was seen. Default: all known ones. */
  readonly guesses?: Guesses;
  /** Certificates of its MX hosts from the last day. Null or absent: connect and read them, where allowed. */
  readonly certificates?: DomainEvidence["certificates"];
  /** What is known about the domain's mail, and about its workspace. */
  readonly history: KnownFacts["history"];
  readonly own: KnownFacts["own"];
  /** Evidence of an earlier check, used instead of the network and of all the above except the name. */
  readonly evidence: DomainEvidence | null;
};

export type DomainCheck = {
  readonly report: DomainReport;
  /** Checks that threw. Our bug; the score does not suffer. */
  readonly broken: readonly BrokenCheck[];
};

export async function checkDomain(input: DomainInput, analyst: DomainContext): Promise<DomainCheck> {
  const { evidence } = input;
  const startedAt = analyst.now();
  const world = evidence ? replayDomainWorld(evidence) : askDomainWorld(startedAt, analyst);
  return await judgeWorld({ ...input, ...evidence }, world, {
    startedAt,
    isReplay: evidence !== null,
    now: analyst.now,
  });
}

/** Previews the check with changed DNS records. */
export async function imagineDomain(
  { domain, analysis: evidence }: Pick<DomainReport, "domain" | "analysis">,
  changes: readonly RecordSet[],
  analyst: Pick<DomainContext, "dns" | "now" | "budgetMs">,
): Promise<DomainCheck> {
  const startedAt = analyst.now();
  const world = imagineDomainWorld(evidence, { changes, startedAt }, analyst);
  return await judgeWorld({ ...evidence, domain }, world, { startedAt, isReplay: true, now: analyst.now });
}

type Judging = Pick<DomainReport["analysis"], "startedAt" | "isReplay"> & Pick<DomainContext, "now">;

async function judgeWorld(
  {
    domain,
    configured,
    senders,
    guesses = allGuesses,
    certificates = null,
    history,
    own,
  }: Omit<DomainInput, "evidence">,
  world: DomainWorld,
  { startedAt, isReplay, now }: Judging,
): Promise<DomainCheck> {
  const { lists, ...gathered } = await gatherDomain(
    { domain, configured, senders, guesses, history, certificates },
    world.sources,
  );
  const facts = { ...gathered, own };
  const { broken, note } = noteBroken();
  const recorded = world.recorded();
  const { judgment: judged, scorer } = judgeDomain(facts, checks, note);
  const advised = await withRecords(judged, { facts, dns: recorded.dns }, null);
  const judgment = await withCures(advised, { scorer, publish: null });
  const report: DomainReport = {
    domain,
    judgment,
    verdicts: toVerdicts(facts, judgment),
    facts,
    analysis: {
      version,
      isReplay,
      startedAt,
      durationMs: now() - startedAt,
      configured,
      senders,
      guesses,
      lists,
      certificates: gathered.mxCertificates.known ? gathered.mxCertificates.value : null,
      history,
      own,
      ...recorded,
    },
  };
  return { report, broken };
}

// Where a domain check gets its evidence: the network, or the record of an earlier check.

type DomainWorld = {
  readonly sources: DomainSources;
  readonly recorded: () => Pick<DomainEvidence, "dns" | "unasked" | "unchecked" | "policy" | "bimiFiles" | "servers">;
};

/** Two each, for the domain and for the domain that vouches for it. */
const maxUncheckedQuestions = 4;

function askDomainWorld(startedAt: number, analyst: DomainContext): DomainWorld {
  const { dns, unchecked, now, budgetMs, lists, fetchStranger, askServer, askCertificate = null } = analyst;
  const deadlineAt = startedAt + budgetMs;
  const budgetFor = (maxQuestions: number) => ({ maxQuestions, deadlineAt, now });
  const recording = recordAnswers(withinBudget(dns, budgetFor(maxQuestionsPerDomain)));
  const raw = unchecked && recordAnswers(withinBudget(unchecked, budgetFor(maxUncheckedQuestions)));
  const servers = new Map<string, Fact<boolean>>();
  let policy: Fact<MtaStsPolicyAnswer> | null = null;
  let bimiFiles: BimiFiles | null = null;
  const door = () => untilDeadline(fetchStranger, deadlineAt - now());
  return {
    sources: {
      share: recording.share,
      unchecked: raw?.dns ?? null,
      lists: () => lists.states(budgetMs * listPatienceShare),
      fetchPolicy: async (domain) => {
        policy = await fetchMtaStsPolicy(domain, door(), now);
        return policy;
      },
      fetchBimiFiles: async (bimi) => {
        bimiFiles = await fetchBimiFiles(bimi, door(), now);
        return bimiFiles;
      },
      askServer: async (address, zone) => {
        const authoritative = await askServer(address, zone);
        servers.set(address, authoritative);
        return authoritative;
      },
      askCertificate,
    },
    recorded: () => ({
      dns: recording.answers(),
      unasked: recording.unasked(),
      unchecked: raw?.answers() ?? [],
      policy,
      bimiFiles,
      servers: [...servers].map(([address, authoritative]) => ({ address, authoritative })),
    }),
  };
}

function untilDeadline(door: FetchDoor, remainingMs: number): FetchDoor {
  return (url, request) => door(url, { ...request, timeoutMs: Math.max(1, Math.min(request.timeoutMs, remainingMs)) });
}

function replayDomainWorld(evidence: DomainEvidence): DomainWorld {
  const { dns, unasked, unchecked, policy, bimiFiles, servers } = evidence;
  const { share, answers } = replayDns({ dns, unasked });
  return {
    sources: { share, ...replayOthers(evidence) },
    recorded: () => ({ dns: answers(), unasked, unchecked, policy, bimiFiles, servers }),
  };
}

/** With changed DNS records. Lookups that the evidence lacks are asked in DNS; nothing else is. */
function imagineDomainWorld(
  evidence: DomainEvidence,
  imagined: Imagined,
  analyst: Pick<DomainContext, "dns" | "now" | "budgetMs">,
): DomainWorld {
  const { dns, unchecked, policy, servers } = evidence;
  const recording = imagineDns(dns, { ...imagined, maxQuestions: maxQuestionsPerDomain }, analyst);
  // Another BIMI record points to other files, which were never fetched.
  const isOtherLogo = imagined.changes.some(({ name }) => name.includes("._bimi."));
  const bimiFiles = isOtherLogo ? null : evidence.bimiFiles;
  return {
    sources: { share: recording.share, ...replayOthers({ ...evidence, bimiFiles }) },
    recorded: () => ({ dns: recording.answers(), unasked: recording.unasked(), unchecked, policy, bimiFiles, servers }),
  };
}

/** Evidence from sources other than the resolver. */
function replayOthers(evidence: DomainEvidence): Omit<DomainSources, "share"> {
  const { unchecked, lists, policy, bimiFiles, servers } = evidence;
  const byAddress = new Map(servers.map(({ address, authoritative }) => [address, authoritative]));
  return {
    unchecked: replayAnswers(unchecked),
    lists: async () => lists,
    fetchPolicy: async () => policy ?? unknown("off"),
    fetchBimiFiles: async () => bimiFiles ?? { logo: unknown("off"), certificate: unknown("off") },
    askServer: async (address) => byAddress.get(address) ?? unknown("off"),
    askCertificate: null,
  };
}
