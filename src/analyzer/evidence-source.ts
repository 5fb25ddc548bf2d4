// Where an analysis gets its evidence: the network, an earlier record, or that record with changed DNS records.

import { unknown } from "./checks/fact.ts";
import type { ListState } from "./checks/infrastructure-facts.ts";
import { type Dns, type DnsAnswer, toQuestionKey } from "./dns/answer.ts";
import { createOverlayDns } from "./dns/overlay-dns.ts";
import type { RecordSet } from "./dns/record-sets.ts";
import {
  continueAnswers,
  type RecordedDns,
  recordAnswers,
  replayAnswers,
  withinBudget,
  withoutUnasked,
} from "./facts/dns-evidence.ts";
import { maxQuestionsPerMessage, type Sources } from "./facts/gather.ts";
import type { ScannerRow } from "./facts/scanners.ts";
import type { Evidence } from "./reports/report.ts";
import type { AnalysisContext } from "./world.ts";

export type EvidenceSource = {
  readonly sources: Sources;
  readonly answers: () => Evidence["dns"];
  readonly unasked: () => Evidence["unasked"];
};

type Asking = { readonly raw: Uint8Array; readonly receivedAt: number; readonly startedAt: number };

/** Share of the lookup time that testing a list may take. */
export const listPatienceShare = 0.25;

export function askForEvidence({ raw, receivedAt, startedAt }: Asking, analyst: AnalysisContext): EvidenceSource {
  const { dns, now, receiver, budgetMs, lists, scanners, malware } = analyst;
  const deadlineAt = startedAt + budgetMs;
  const recording = recordAnswers(withinBudget(dns, { maxQuestions: maxQuestionsPerMessage, deadlineAt, now }));
  const sources: Sources = {
    share: recording.share,
    lists: () => lists.states(budgetMs * listPatienceShare),
    scan: (session, clientName) =>
      scanners.ask({ raw, session, clientName, receiver, receivedAt }, Math.max(1, deadlineAt - now())),
    findMalware: (message) => malware.scan(raw, message, Math.max(1, deadlineAt - now())),
  };
  return { sources, answers: recording.answers, unasked: recording.unasked };
}

/** Reports from before the scan. */
const notScanned = unknown("off");

export function replayEvidence({ dns, unasked, lists, scanners, malware = notScanned }: Evidence): EvidenceSource {
  const { share, answers } = replayDns({ dns, unasked });
  const sources: Sources = {
    share,
    lists: async (): Promise<readonly ListState[]> => lists,
    scan: async (): Promise<readonly ScannerRow[]> => scanners,
    findMalware: async () => malware,
  };
  return { sources, answers, unasked: () => unasked };
}

/**
 * Makes no lookups; whatever the record lacks stays unknown. Shares have no limits here, because the record shows what
 * exceeded them.
 */
export function replayDns({ dns, unasked }: Pick<Evidence, "dns" | "unasked">) {
  const recording = recordAnswers(replayAnswers(dns));
  const refused = new Set(unasked);
  return {
    share: (part: string): Dns => withoutUnasked(recording.dns, part, refused),
    answers: () => mergeAnswers(dns, recording.answers()),
  };
}

export type Imagined = { readonly changes: readonly RecordSet[]; readonly startedAt: number };

/**
 * Each part gets its share of lookups again, because a changed zone may need others. Lists and scanners keep their
 * recorded answers.
 */
export function imagineEvidence(
  { dns, lists, scanners, malware = notScanned }: Pick<Evidence, "dns" | "lists" | "scanners" | "malware">,
  imagined: Imagined,
  analyst: AnalysisContext,
): EvidenceSource {
  const recording = imagineDns(dns, { ...imagined, maxQuestions: maxQuestionsPerMessage }, analyst);
  const sources: Sources = {
    share: recording.share,
    lists: async () => lists,
    scan: async () => scanners,
    findMalware: async () => malware,
  };
  return { sources, answers: recording.answers, unasked: recording.unasked };
}

type Trying = { readonly startedAt: number; readonly isReplay: boolean };

/**
 * Tries several changes of the record. Their further questions count as the analysis's own, and belong to its record, so
 * that a replay asks nothing.
 */
export function tryChanges(
  evidence: Pick<Evidence, "dns" | "lists" | "scanners" | "malware">,
  { startedAt, isReplay }: Trying,
  analyst: AnalysisContext,
): { readonly with: (changes: readonly RecordSet[]) => Sources; readonly answers: () => Evidence["dns"] } {
  const { now, budgetMs } = analyst;
  const maxQuestions = Math.max(0, maxQuestionsPerMessage - evidence.dns.length);
  const live = isReplay
    ? replayAnswers([])
    : withinBudget(analyst.dns, { maxQuestions, deadlineAt: startedAt + budgetMs, now });
  const further = recordAnswers(live);
  const trying = { ...analyst, dns: further.dns };
  return {
    with: (changes) => imagineEvidence(evidence, { changes, startedAt: now() }, trying).sources,
    answers: () => (isReplay ? [] : further.answers().filter(({ status }) => status !== "budget")),
  };
}

/** Recorded answers with the changes applied. Lookups that the record lacks are asked. */
export function imagineDns(
  recorded: Evidence["dns"],
  { changes, startedAt, maxQuestions }: Imagined & { readonly maxQuestions: number },
  { dns, now, budgetMs }: Pick<AnalysisContext, "dns" | "now" | "budgetMs">,
): RecordedDns {
  const budget = { maxQuestions, deadlineAt: startedAt + budgetMs, now };
  // Lookups that our own limit prevented have no answer on record.
  const held = recorded.filter(({ status }) => status !== "budget");
  const base = continueAnswers(held, withinBudget(dns, budget));
  const overlay = createOverlayDns({ base, recorded: held, sets: changes, at: startedAt });
  return recordAnswers(withinBudget(overlay, budget));
}

/** All recorded answers in their order, then those to other questions, so no replay loses what a later one needs. */
export function mergeAnswers(recorded: Evidence["dns"], used: Evidence["dns"]): Evidence["dns"] {
  const keyOf = ({ name, type }: DnsAnswer) => toQuestionKey(name, type);
  const held = new Set(recorded.map(keyOf));
  return [...recorded, ...used.filter((answer) => !held.has(keyOf(answer)))];
}
