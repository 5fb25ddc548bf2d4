// A domain's name → what it publishes for its mail, judged by the same checks as a message. For the command line and the
// monitor; made anew from its evidence it gives the same report, with nobody asked.

import type { KnownFacts } from "../checks/facts.ts";
import { checks } from "../checks/list.ts";
import { gatherDomain } from "../facts/gather-domain.ts";
import { type DomainEvidence, type DomainReport, toVerdicts } from "../reports/domain-report.ts";
import { judgeDomain } from "../reports/judgment.ts";
import { version } from "../version.ts";
import { type BrokenCheck, noteBroken } from "./broken-checks.ts";
import type { DomainAnalyst } from "./domain-analyst.ts";
import { askDomainWorld, replayDomainWorld } from "./domain-world.ts";

export type DomainInput = {
  /** In A-labels and lower case (dns/domain-name.ts). */
  readonly domain: string;
  /** Selectors that its operator named: these must be there. */
  readonly configured: readonly string[];
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

export async function checkDomain(input: DomainInput, analyst: DomainAnalyst): Promise<DomainCheck> {
  const startedAt = analyst.now();
  const { domain, evidence } = input;
  const { configured, history, own } = evidence ?? input;
  const world = evidence ? replayDomainWorld(evidence) : askDomainWorld(startedAt, analyst);
  const { lists, ...gathered } = await gatherDomain({ domain, configured, history }, world.sources);
  const facts = { ...gathered, own };
  const { broken, note } = noteBroken();
  const judgment = judgeDomain(facts, checks, note);
  const report: DomainReport = {
    domain,
    judgment,
    verdicts: toVerdicts(facts, judgment),
    facts,
    analysis: {
      version,
      isReplay: evidence !== null,
      startedAt,
      durationMs: analyst.now() - startedAt,
      configured,
      lists,
      history,
      own,
      ...world.heard(),
    },
  };
  return { report, broken };
}
