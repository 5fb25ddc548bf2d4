// A domain's name → what it publishes for its mail, judged by the same checks as a message. For the command line and the
// monitor; made anew from its evidence it gives the same report, with nobody asked.

import { type Fact, unknown } from "../../checks/fact.ts";
import type { KnownFacts } from "../../checks/facts.ts";
import type { MtaStsPolicyAnswer } from "../../checks/infrastructure-facts.ts";
import { checks } from "../../checks/list.ts";
import { type BimiFiles, fetchBimiFiles } from "../../facts/bimi-files.ts";
import { type DomainSources, gatherDomain, maxQuestionsPerDomain } from "../../facts/gather-domain.ts";
import { fetchMtaStsPolicy } from "../../facts/mta-sts-policy.ts";
import {
  allGuesses,
  type DomainEvidence,
  type DomainReport,
  type Guesses,
  toVerdicts,
} from "../../reports/domain-report.ts";
import { judgeDomain } from "../../reports/judgment.ts";
import { recordAnswers, replayAnswers, withinBudget } from "../../system/dns-evidence.ts";
import type { FetchDoor } from "../../system/fetch.ts";
import type { RecordSet } from "../../system/record-sets.ts";
import { version } from "../../version.ts";
import { type BrokenCheck, noteBroken } from "./context.ts";
import type { DomainContext } from "./domain-context.ts";
import { type Imagined, imagineDns, listPatienceShare, replayDns } from "./evidence-source.ts";
import { withRecords } from "./propose-records.ts";

export type DomainInput = {
  /** In A-labels and lower case (dns/domain-name.ts). */
  readonly domain: string;
  /** Selectors that its operator named: these must be there. */
  readonly configured: readonly string[];
  /** Addresses that it was seen to send from, the last seen first. */
  readonly senders: readonly string[];
  /** Of selectors, where there are none of those and none was seen; all there are unless told. */
  readonly guesses?: Guesses;
  /** What its MX hosts showed within the day; null or absent: they are asked, by whoever may ask them. */
  readonly certificates?: DomainEvidence["certificates"];
  /** What is known of mail from it, and of its workspace. */
  readonly history: KnownFacts["history"];
  readonly own: KnownFacts["own"];
  /** What an earlier check found out, in place of the world and of all of the above but the name. */
  readonly evidence: DomainEvidence | null;
};

export type DomainCheck = {
  readonly report: DomainReport;
  /** Checks that threw, which is our fault and costs nobody anything. */
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

/** The check as it would be with other records in DNS. */
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
  const heard = world.heard();
  const judged = judgeDomain(facts, checks, note);
  const judgment = await withRecords(judged, { facts, dns: heard.dns }, null);
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
      ...heard,
    },
  };
  return { report, broken };
}

// What a check of a domain hears of the world: from those who know, or from the record of an earlier check.

type DomainWorld = {
  readonly sources: DomainSources;
  readonly heard: () => Pick<
    DomainEvidence,
    "dns" | "unasked" | "unchecked" | "policy" | "bimiFiles" | "servers"
  >;
};

/** Two, for the domain and for what vouches for it. */
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
    heard: () => ({
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
  return (url, request) =>
    door(url, { ...request, timeoutMs: Math.max(1, Math.min(request.timeoutMs, remainingMs)) });
}

function replayDomainWorld(evidence: DomainEvidence): DomainWorld {
  const { dns, unasked, unchecked, policy, bimiFiles, servers } = evidence;
  const { share, answers } = replayDns({ dns, unasked });
  return {
    sources: { share, ...replayOthers(evidence) },
    heard: () => ({ dns: answers(), unasked, unchecked, policy, bimiFiles, servers }),
  };
}

/** With other records in DNS: what the evidence does not hold is asked there, and nowhere else. */
function imagineDomainWorld(
  evidence: DomainEvidence,
  imagined: Imagined,
  analyst: Pick<DomainContext, "dns" | "now" | "budgetMs">,
): DomainWorld {
  const { dns, unchecked, policy, servers } = evidence;
  const recording = imagineDns(dns, { ...imagined, maxQuestions: maxQuestionsPerDomain }, analyst);
  // Another record names other files, which nobody has fetched.
  const isOtherLogo = imagined.changes.some(({ name }) => name.includes("._bimi."));
  const bimiFiles = isOtherLogo ? null : evidence.bimiFiles;
  return {
    sources: { share: recording.share, ...replayOthers({ ...evidence, bimiFiles }) },
    heard: () => ({
      ...{ dns: recording.answers(), unasked: recording.unasked() },
      ...{ unchecked, policy, bimiFiles, servers },
    }),
  };
}

/** What others than the resolver said. */
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
