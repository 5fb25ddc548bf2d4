// Reports that stopped coming, of one reporter or of all.

import type { ReporterDay } from "./detect-complaints.ts";
import type { Past } from "./judge-rate.ts";
import { dayMs, type FeedbackStatus, type KnownProblem, noDetail } from "./problem.ts";

const silenceMs = 28 * dayMs;
const leastSilentDays = 5;
const leastReportDays = 10;
/** A domain without mail gets no reports. Pauses of twice the usual length are no pauses anymore. */
const timesLongestGap = 2;
const watchedDays = 28;

/** `pointsHere`: whether the DMARC record still has an address that this server receives mail for. */
export function detectStopped(
  days: readonly ReporterDay[],
  today: number,
  pointsHere: boolean | null,
  past: Past,
): FeedbackStatus[] {
  const kind = "reports-stopped";
  const all = toSilence(days, today, null);
  const whole = toStatus("all", null, all);
  const byReporter = Map.groupBy(days, ({ reporter }) => reporter);
  const reported = [...new Set(days.map(({ day }) => day))];
  // Those whose last report is older than the days that are read have no rows anymore.
  const open = past.openSubjects(kind).filter((subject) => subject !== "all");
  const single = [...new Set([...byReporter.keys(), ...open])].map((reporter) =>
    toStatus(reporter, reporter, toSilence(byReporter.get(reporter) ?? [], today, reported)),
  );
  // If none comes, it isn't about one of them.
  const isWhole = whole.isRaised || past.openOf(kind, "all") !== undefined;
  return [whole, ...single.map((status) => (isWhole ? { ...status, isRaised: false } : status))];

  function toStatus(subject: string, reporter: string | null, silence: Silence): FeedbackStatus {
    const open = past.openOf(kind, subject);
    const { lastDay, silentDays, longestGap, reportDays } = silence;
    const isSilent =
      reportDays >= leastReportDays && silentDays >= Math.max(leastSilentDays, timesLongestGap * longestGap + 1);
    const isBack = open !== undefined && lastDay !== null && lastDay > (open.evidence.detail.lastDay ?? 0);
    const isGone = open !== undefined && (pointsHere === false || today - open.openedAt > 2 * silenceMs);
    return {
      kind,
      subject,
      level: 0,
      isRaised: isSilent && pointsHere === true,
      over: isBack ? "over" : isGone ? "no-data" : null,
      evidence: open && !isBack ? goOn(open, silentSince(open)) : toEvidence(reporter, silence, today),
    };

    function silentSince({ evidence }: KnownProblem): number {
      const { lastDay: last } = evidence.detail;
      return last === null ? 0 : countSilent(last, today, reporter === null ? null : reported);
    }
  }
}

function toEvidence(reporter: string | null, silence: Silence, today: number): FeedbackStatus["evidence"] {
  const { from, lastDay, silentDays, longestGap, reportDays, messages } = silence;
  return {
    days: { from, to: lastDay ?? today },
    count: reportDays,
    total: messages,
    usual: null,
    reporters: [],
    detail: { ...noDetail, reporter, lastDay, silentDays, longestGap },
  };
}

/** The days before the silence are no longer read in full, so what was counted then stays. */
function goOn({ evidence }: KnownProblem, silent: number): FeedbackStatus["evidence"] {
  const silentDays = Math.max(silent, evidence.detail.silentDays ?? 0);
  return { ...evidence, detail: { ...evidence.detail, silentDays } };
}

/** Not today and yesterday, whose reports may still come. */
function countSilent(last: number, today: number, others: readonly number[] | null): number {
  if (others === null) return Math.max(0, (today - last) / dayMs - 2);
  return others.filter((day) => day > last && day < today - dayMs).length;
}

type Silence = {
  readonly from: number;
  readonly lastDay: number | null;
  /** Whole days without a report. */
  readonly silentDays: number;
  /** Days without a report between two with one, before that. */
  readonly longestGap: number;
  readonly reportDays: number;
  readonly messages: number;
};

/** `others`: days that count as silent only if another reporter covers them. Null: all days do. */
function toSilence(rows: readonly ReporterDay[], today: number, others: readonly number[] | null): Silence {
  const newest = Math.max(...rows.map(({ day }) => day));
  const from = (Number.isFinite(newest) ? newest : today) - (watchedDays - 1) * dayMs;
  const watched = rows.filter(({ day }) => day >= from);
  const days = [...new Set(watched.map(({ day }) => day))].sort((one, other) => one - other);
  const last = days.at(-1);
  const gaps = days.slice(1).map((day, index) => (day - (days[index] ?? day)) / dayMs - 1);
  return {
    from,
    lastDay: last ?? null,
    silentDays: last === undefined ? 0 : countSilent(last, today, others),
    longestGap: Math.max(0, ...gaps),
    reportDays: days.length,
    messages: watched.reduce((sum, { messages }) => sum + messages, 0),
  };
}
