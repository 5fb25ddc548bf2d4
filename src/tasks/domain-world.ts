// What a check of a domain hears of the world: from those who know, or from the record of an earlier check.

import { type Fact, unknown } from "../checks/fact.ts";
import type { MtaStsPolicyAnswer } from "../checks/infrastructure-facts.ts";
import { type BimiFiles, fetchBimiFiles } from "../facts/bimi-files.ts";
import { type DomainSources, maxQuestionsPerDomain } from "../facts/gather-domain.ts";
import { fetchMtaStsPolicy } from "../facts/mta-sts-policy.ts";
import type { DomainEvidence } from "../reports/domain-report.ts";
import { recordAnswers, replayAnswers, withinBudget } from "../system/dns-evidence.ts";
import type { FetchDoor } from "../system/fetch.ts";
import type { DomainAnalyst } from "./domain-analyst.ts";
import { type Imagined, imagineDns, listPatienceShare, replayDns } from "./world.ts";

export type DomainWorld = {
  readonly sources: DomainSources;
  readonly heard: () => Pick<
    DomainEvidence,
    "dns" | "unasked" | "unchecked" | "policy" | "bimiFiles" | "servers"
  >;
};

/** Two, for the domain and for what vouches for it. */
const maxUncheckedQuestions = 4;

export function askDomainWorld(startedAt: number, analyst: DomainAnalyst): DomainWorld {
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

export function replayDomainWorld(evidence: DomainEvidence): DomainWorld {
  const { dns, unasked, unchecked, policy, bimiFiles, servers } = evidence;
  const { share, answers } = replayDns({ dns, unasked });
  return {
    sources: { share, ...replayOthers(evidence) },
    heard: () => ({ dns: answers(), unasked, unchecked, policy, bimiFiles, servers }),
  };
}

/** With other records in DNS: what the evidence does not hold is asked there, and nowhere else. */
export function imagineDomainWorld(
  evidence: DomainEvidence,
  imagined: Imagined,
  analyst: Pick<DomainAnalyst, "dns" | "now" | "budgetMs">,
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
