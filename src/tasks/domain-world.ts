// What a check of a domain hears of the world: from those who know, or from the record of an earlier check.

import { type Fact, unknown } from "../checks/fact.ts";
import type { MtaStsPolicyAnswer } from "../checks/infrastructure-facts.ts";
import { type DomainSources, maxQuestionsPerDomain } from "../facts/gather-domain.ts";
import { fetchMtaStsPolicy } from "../facts/mta-sts-policy.ts";
import type { DomainEvidence } from "../reports/domain-report.ts";
import { recordAnswers, replayAnswers, withinBudget } from "../system/dns-evidence.ts";
import type { FetchDoor } from "../system/fetch.ts";
import type { DomainAnalyst } from "./domain-analyst.ts";
import { listPatienceShare, replayDns } from "./world.ts";

export type DomainWorld = {
  readonly sources: DomainSources;
  readonly heard: () => Pick<DomainEvidence, "dns" | "unasked" | "unchecked" | "policy" | "servers">;
};

/** Two, for the domain and for what vouches for it. */
const maxUncheckedQuestions = 4;

export function askDomainWorld(startedAt: number, analyst: DomainAnalyst): DomainWorld {
  const { dns, unchecked, now, budgetMs, lists, fetchStranger, askServer } = analyst;
  const deadlineAt = startedAt + budgetMs;
  const budgetFor = (maxQuestions: number) => ({ maxQuestions, deadlineAt, now });
  const recording = recordAnswers(withinBudget(dns, budgetFor(maxQuestionsPerDomain)));
  const raw = unchecked && recordAnswers(withinBudget(unchecked, budgetFor(maxUncheckedQuestions)));
  const servers = new Map<string, Fact<boolean>>();
  let policy: Fact<MtaStsPolicyAnswer> | null = null;
  return {
    sources: {
      share: recording.share,
      unchecked: raw?.dns ?? null,
      lists: () => lists.states(budgetMs * listPatienceShare),
      fetchPolicy: async (domain) => {
        policy = await fetchMtaStsPolicy(domain, untilDeadline(fetchStranger, deadlineAt - now()));
        return policy;
      },
      askServer: async (address, zone) => {
        const authoritative = await askServer(address, zone);
        servers.set(address, authoritative);
        return authoritative;
      },
    },
    heard: () => ({
      dns: recording.answers(),
      unasked: recording.unasked(),
      unchecked: raw?.answers() ?? [],
      policy,
      servers: [...servers].map(([address, authoritative]) => ({ address, authoritative })),
    }),
  };
}

function untilDeadline(door: FetchDoor, remainingMs: number): FetchDoor {
  return (url, request) =>
    door(url, { ...request, timeoutMs: Math.max(1, Math.min(request.timeoutMs, remainingMs)) });
}

export function replayDomainWorld(evidence: DomainEvidence): DomainWorld {
  const { dns, unasked, unchecked, lists, policy, servers } = evidence;
  const { share, answers } = replayDns({ dns, unasked });
  const byAddress = new Map(servers.map(({ address, authoritative }) => [address, authoritative]));
  return {
    sources: {
      share,
      unchecked: replayAnswers(unchecked),
      lists: async () => lists,
      fetchPolicy: async () => policy ?? unknown("off"),
      askServer: async (address) => byAddress.get(address) ?? unknown("off"),
    },
    heard: () => ({ dns: answers(), unasked, unchecked, policy, servers }),
  };
}
