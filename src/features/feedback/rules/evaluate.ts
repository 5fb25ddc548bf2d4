// Evaluates a domain's feedback: which problems begin, go on or end. Pure, so that sixty days can be replayed.

import { type DeliveredDay, detectComplaints, type ReporterDay } from "./detect-complaints.ts";
import { detectBounces, detectTls, type NoticeDay, type TlsDay, type TlsFailureDay } from "./detect-counts.ts";
import { detectDmarc } from "./detect-dmarc.ts";
import { detectStopped } from "./detect-stopped.ts";
import { toDmarcEvidence } from "./dmarc-evidence.ts";
import type { Past } from "./judge-rate.ts";
import {
  dayMs,
  type FeedbackEvidence,
  type FeedbackKind,
  type FeedbackStatus,
  type KnownProblem,
  type Resolution,
} from "./problem.ts";
import type { FeedbackRow } from "./report-rows.ts";

export type FeedbackInput = {
  readonly domain: string;
  /** When the UTC day of the evaluation began. */
  readonly today: number;
  readonly rows: readonly FeedbackRow[];
  readonly reporterDays: readonly ReporterDay[];
  readonly tls: readonly TlsDay[];
  readonly tlsFailures: readonly TlsFailureDay[];
  readonly notices: readonly NoticeDay[];
  readonly delivered: readonly DeliveredDay[];
  /** The first day that an authenticated report is about. Null: there was none. */
  readonly firstDay: number | null;
  readonly pointsHere: boolean | null;
  /** Open ones, and for each subject the last one that ended. */
  readonly problems: readonly KnownProblem[];
  /** Keys of sources that a member said are or aren’t theirs. */
  readonly marked: ReadonlySet<string>;
};

export type FeedbackMove =
  | { readonly what: "open" | "escalate"; readonly status: FeedbackStatus }
  | { readonly what: "update"; readonly status: FeedbackStatus }
  | {
      readonly what: "resolve";
      readonly problem: KnownProblem;
      readonly resolution: Resolution;
      readonly evidence: FeedbackEvidence;
    };

/** So that the weekly rhythm was seen twice. */
const learningDays = 14;
/** A reporter's figures count once its reports about this many days arrived on as many days. */
const establishedDays = 3;

/** Null: there were no reports yet. */
export function toLearningUntil(firstDay: number | null): number | null {
  return firstDay === null ? null : firstDay + learningDays * dayMs;
}

type ReportedDay = { readonly reporter: string; readonly day: number; readonly arrivedAt: number };

/**
 * Reporters that have sent authenticated reports for some days. Anyone can authenticate reports of their own domain, about
 * any domain and any days, so it also counts on how many days they arrived.
 */
export function findEstablished(days: readonly ReportedDay[]): Set<string> {
  const byReporter = Map.groupBy(days, ({ reporter }) => reporter);
  const isLong = (times: readonly number[]) => new Set(times).size >= establishedDays;
  return new Set(
    [...byReporter].flatMap(([reporter, some]) => {
      const arrivals = some.map(({ arrivedAt }) => Math.floor(arrivedAt / dayMs));
      return isLong(some.map(({ day }) => day)) && isLong(arrivals) ? [reporter] : [];
    }),
  );
}

/**
 * The first day that is learned from, of reporters that count. Otherwise a single report of a stranger about a day long ago
 * would end the learning, and each source that is usual would then be reported as new.
 */
export function findFirstDay(days: readonly ReportedDay[]): number | null {
  const established = findEstablished(days);
  const counted = days.filter(({ reporter }) => established.has(reporter)).map(({ day }) => day);
  return counted.length === 0 ? null : Math.min(...counted);
}

export function evaluateFeedback(input: FeedbackInput): FeedbackMove[] {
  const { today, problems, domain } = input;
  const past = toPast(problems, input.marked);
  const dmarc = findEstablished(input.reporterDays);
  const tls = findEstablished(input.tls);
  const reporterDays = input.reporterDays.filter(({ reporter }) => dmarc.has(reporter));
  const until = toLearningUntil(input.firstDay);
  const hasLearned = until !== null && today >= until;
  const rows = input.rows.filter(({ reporter }) => dmarc.has(reporter));
  const statuses = [
    ...(hasLearned ? detectDmarc(toDmarcEvidence(rows, domain, today), past) : []),
    detectTls(
      input.tls.filter(({ reporter }) => tls.has(reporter)),
      input.tlsFailures.filter(({ reporter }) => tls.has(reporter)),
      today,
      past,
    ),
    ...detectComplaints(input.notices, { dmarc: reporterDays, delivered: input.delivered }, today, past),
    ...(hasLearned ? detectBounces(input.notices, today, past) : []),
    ...detectStopped(reporterDays, today, input.pointsHere, past),
  ];
  return statuses.flatMap((status) => toMove(status, past));
}

function toMove(status: FeedbackStatus, past: Past): FeedbackMove[] {
  const { kind, subject, level, isRaised, over, evidence } = status;
  const problem = past.openOf(kind, subject);
  if (problem === undefined) return isRaised ? [{ what: "open", status }] : [];
  if (over !== null) return [{ what: "resolve", problem, resolution: over, evidence }];
  if (isRaised && level > problem.level) return [{ what: "escalate", status }];
  // What was the usual before the problem stays what it is compared with.
  return [{ what: "update", status: isEmpty(status) ? { ...status, evidence: problem.evidence } : status }];
}

/** Days without data say nothing, so they don't replace the figures that opened the problem. */
function isEmpty({ kind, evidence: { count, total } }: FeedbackStatus): boolean {
  return count === 0 && (kind === "new-source" || total === 0);
}

function toPast(problems: readonly KnownProblem[], marked: ReadonlySet<string>): Past {
  const keyOf = (kind: FeedbackKind, subject: string) => `${kind} ${subject}`;
  const open = new Map<string, KnownProblem>();
  const ended = new Map<string, KnownProblem>();
  for (const problem of problems) {
    const key = keyOf(problem.kind, problem.subject);
    if (problem.resolvedAt === null) open.set(key, problem);
    else if ((ended.get(key)?.resolvedAt ?? 0) < problem.resolvedAt) ended.set(key, problem);
  }
  return {
    openOf: (kind, subject) => open.get(keyOf(kind, subject)),
    endOf: (kind, subject) => {
      const at = ended.get(keyOf(kind, subject))?.resolvedAt;
      return at === undefined || at === null ? null : Math.floor(at / dayMs) * dayMs;
    },
    openSubjects: (kind) => [...open.values()].flatMap((problem) => (problem.kind === kind ? [problem.subject] : [])),
    wasKnown: (kind, subject) => ended.has(keyOf(kind, subject)) || (kind === "new-source" && marked.has(subject)),
  };
}
