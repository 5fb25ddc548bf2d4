// A domain's name → what it publishes for its mail, judged by the same checks as a message. For the command line and the
// monitor; made anew from its evidence it gives the same report, with nobody asked.

import type { KnownFacts } from "../checks/facts.ts";
import { checks } from "../checks/list.ts";
import { gatherDomain } from "../facts/gather-domain.ts";
import {
  allGuesses,
  type DomainEvidence,
  type DomainReport,
  type Guesses,
  toVerdicts,
} from "../reports/domain-report.ts";
import { judgeDomain } from "../reports/judgment.ts";
import type { RecordSet } from "../system/record-sets.ts";
import { version } from "../version.ts";
import { type BrokenCheck, noteBroken } from "./broken-checks.ts";
import type { DomainAnalyst } from "./domain-analyst.ts";
import { askDomainWorld, type DomainWorld, imagineDomainWorld, replayDomainWorld } from "./domain-world.ts";
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

export async function checkDomain(input: DomainInput, analyst: DomainAnalyst): Promise<DomainCheck> {
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
  analyst: Pick<DomainAnalyst, "dns" | "now" | "budgetMs">,
): Promise<DomainCheck> {
  const startedAt = analyst.now();
  const world = imagineDomainWorld(evidence, { changes, startedAt }, analyst);
  return await judgeWorld({ ...evidence, domain }, world, { startedAt, isReplay: true, now: analyst.now });
}

type Judging = Pick<DomainReport["analysis"], "startedAt" | "isReplay"> & Pick<DomainAnalyst, "now">;

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
