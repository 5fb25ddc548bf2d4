// What an analysis hears of the world: from those who know, from the record of an earlier analysis, or from that record
// with other records in DNS.

import type { ListState } from "../../checks/infrastructure-facts.ts";
import { type Dns, type DnsAnswer, toQuestionKey } from "../../dns/answer.ts";
import { maxQuestionsPerMessage, type Sources } from "../../facts/gather.ts";
import type { ScannerRow } from "../../facts/scanners.ts";
import type { SmtpSession } from "../../mail/session/session.ts";
import type { Evidence } from "../../reports/report.ts";
import {
  continueAnswers,
  type RecordedDns,
  recordAnswers,
  replayAnswers,
  withinBudget,
  withoutUnasked,
} from "../../system/dns-evidence.ts";
import { createOverlayDns } from "../../system/overlay-dns.ts";
import type { RecordSet } from "../../system/record-sets.ts";
import type { AnalysisContext } from "./context.ts";

export type EvidenceSource = {
  readonly sources: Sources;
  readonly answers: () => Evidence["dns"];
  readonly unasked: () => Evidence["unasked"];
};

type Asking = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  readonly receivedAt: number;
  readonly startedAt: number;
};

/** Of the time for the world: what a list's own test may take of it. */
export const listPatienceShare = 0.25;

export function askForEvidence(
  { raw, session, receivedAt, startedAt }: Asking,
  analyst: AnalysisContext,
): EvidenceSource {
  const { dns, now, receiver, budgetMs, lists, scanners } = analyst;
  const deadlineAt = startedAt + budgetMs;
  const recording = recordAnswers(
    withinBudget(dns, { maxQuestions: maxQuestionsPerMessage, deadlineAt, now }),
  );
  const sources: Sources = {
    share: recording.share,
    lists: () => lists.states(budgetMs * listPatienceShare),
    scan: (clientName) =>
      scanners.ask({ raw, session, clientName, receiver, receivedAt }, Math.max(1, deadlineAt - now())),
  };
  return { sources, answers: recording.answers, unasked: recording.unasked };
}

export function replayEvidence({ dns, unasked, lists, scanners }: Evidence): EvidenceSource {
  const { share, answers } = replayDns({ dns, unasked });
  const sources: Sources = {
    share,
    lists: async (): Promise<readonly ListState[]> => lists,
    scan: async (): Promise<readonly ScannerRow[]> => scanners,
  };
  return { sources, answers, unasked: () => unasked };
}

/** With nobody asked; what the record does not hold stays unknown. No share ends: what ended then is on the record. */
export function replayDns({ dns, unasked }: Pick<Evidence, "dns" | "unasked">) {
  const recording = recordAnswers(replayAnswers(dns));
  const refused = new Set(unasked);
  return {
    share: (part: string): Dns => withoutUnasked(recording.dns, part, refused),
    answers: () => mergeAnswers(dns, recording.answers()),
  };
}

export type Imagined = { readonly changes: readonly RecordSet[]; readonly startedAt: number };

/** Each part asks within its share again, since a changed zone may lead it elsewhere; lists and scanners say what they said. */
export function imagineEvidence(
  { dns, lists, scanners }: Evidence,
  imagined: Imagined,
  analyst: AnalysisContext,
): EvidenceSource {
  const recording = imagineDns(dns, { ...imagined, maxQuestions: maxQuestionsPerMessage }, analyst);
  const sources: Sources = {
    share: recording.share,
    lists: async () => lists,
    scan: async () => scanners,
  };
  return { sources, answers: recording.answers, unasked: recording.unasked };
}

/** What is recorded under those changes; what the record does not hold is asked. */
export function imagineDns(
  recorded: Evidence["dns"],
  { changes, startedAt, maxQuestions }: Imagined & { readonly maxQuestions: number },
  { dns, now, budgetMs }: Pick<AnalysisContext, "dns" | "now" | "budgetMs">,
): RecordedDns {
  const budget = { maxQuestions, deadlineAt: startedAt + budgetMs, now };
  // What our own bound kept from being asked is not on the record.
  const held = recorded.filter(({ status }) => status !== "budget");
  const base = continueAnswers(held, withinBudget(dns, budget));
  const overlay = createOverlayDns({ base, recorded: held, sets: changes, at: startedAt });
  return recordAnswers(withinBudget(overlay, budget));
}

/** All that was recorded, in its order, so that no replay loses what a later one may ask; then what it did not hold. */
function mergeAnswers(recorded: Evidence["dns"], used: Evidence["dns"]): Evidence["dns"] {
  const keyOf = ({ name, type }: DnsAnswer) => toQuestionKey(name, type);
  const held = new Set(recorded.map(keyOf));
  return [...recorded, ...used.filter((answer) => !held.has(keyOf(answer)))];
}
