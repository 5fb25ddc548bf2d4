// What an analysis hears of the world: from those who know, or from the record of an earlier analysis.

import type { ListState } from "../checks/infrastructure-facts.ts";
import { type DnsAnswer, toQuestionKey } from "../dns/answer.ts";
import { maxQuestionsPerMessage, type Sources } from "../facts/gather.ts";
import type { ScannerRow } from "../facts/scanners.ts";
import type { SmtpSession } from "../mail/session.ts";
import type { Evidence } from "../reports/report.ts";
import { recordAnswers, replayAnswers, withinBudget, withoutUnasked } from "../system/dns-evidence.ts";
import type { Analyst } from "./analyst.ts";

export type World = {
  readonly sources: Sources;
  readonly answers: () => Evidence["dns"];
  readonly unasked: () => Evidence["unasked"];
};

export type Asking = {
  readonly raw: Uint8Array;
  readonly session: SmtpSession;
  readonly receivedAt: number;
  readonly startedAt: number;
};

/** Of the time for the world: what a list's own test may take of it. */
const listPatienceShare = 0.25;

export function askWorld({ raw, session, receivedAt, startedAt }: Asking, analyst: Analyst): World {
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

/** With nobody asked; what the record does not hold stays unknown. No share ends: what ended then is on the record. */
export function replayWorld({ dns, unasked, lists, scanners }: Evidence): World {
  const recording = recordAnswers(replayAnswers(dns));
  const refused = new Set(unasked);
  const sources: Sources = {
    share: (part) => withoutUnasked(recording.dns, part, refused),
    lists: async (): Promise<readonly ListState[]> => lists,
    scan: async (): Promise<readonly ScannerRow[]> => scanners,
  };
  return { sources, answers: () => mergeAnswers(dns, recording.answers()), unasked: () => unasked };
}

/** All that was recorded, in its order, so that no replay loses what a later one may ask; then what it did not hold. */
export function mergeAnswers(recorded: Evidence["dns"], used: Evidence["dns"]): Evidence["dns"] {
  const keyOf = ({ name, type }: DnsAnswer) => toQuestionKey(name, type);
  const held = new Set(recorded.map(keyOf));
  return [...recorded, ...used.filter((answer) => !held.has(keyOf(answer)))];
}
