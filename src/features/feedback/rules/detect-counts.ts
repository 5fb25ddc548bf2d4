// Problems that counts show: sessions without TLS, and bounces. Complaints are in detect-complaints.ts.

import type { BounceClass } from "../../../analyzer/mail/reports/mail-class.ts";
import type { Past } from "./judge-rate.ts";
import {
  type Days,
  dayMs,
  type FeedbackStatus,
  noDetail,
  type ReporterCount,
  type TlsFailureCount,
  toCounts,
} from "./problem.ts";
import { chanceOfAtLeast } from "./statistics.ts";

export type TlsDay = {
  readonly reporter: string;
  readonly day: number;
  /** When the first report about that day arrived. */
  readonly arrivedAt: number;
  readonly sessions: number;
  readonly failed: number;
};

export type TlsFailureDay = TlsFailureCount & { readonly day: number; readonly reporter: string };

/** Bounces and complaints whose sender was authenticated. */
export type NoticeDay = {
  readonly day: number;
  readonly kind: "bounce" | "complaint";
  readonly class: BounceClass;
  readonly reporter: string;
  readonly count: number;
};

type Dated = { readonly day: number };

export function within<Row extends Dated>(rows: readonly Row[], { from, to }: Days): Row[] {
  return rows.filter(({ day }) => day >= from && day <= to);
}

export function sumOver<Row>(rows: readonly Row[], read: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + read(row), 0);
}

export function toReporters<Row extends { readonly reporter: string }>(
  rows: readonly Row[],
  read: (row: Row) => number,
  readTotal: (row: Row) => number | null = () => null,
): ReporterCount[] {
  const byReporter = Map.groupBy(rows, ({ reporter }) => reporter);
  return toCounts(
    [...byReporter].map(([reporter, some]) => ({
      reporter,
      count: sumOver(some, read),
      total: some.reduce<number | null>((sum, row) => {
        const total = readTotal(row);
        return total === null ? null : (sum ?? 0) + total;
      }, 0),
    })),
  ).filter(({ count }) => count > 0);
}

// TLS.

const tlsDays = 3;
const leastFailed = 10;
const mostFailedShare = 0.05;
const overShare = 0.025;
const silenceMs = 28 * dayMs;
const mostFailures = 5;

export function detectTls(
  days: readonly TlsDay[],
  failures: readonly TlsFailureDay[],
  today: number,
  past: Past,
): FeedbackStatus {
  const [kind, subject] = ["tls-failures", "domain"] as const;
  const open = past.openOf(kind, subject);
  const recent = { from: Math.max(today - tlsDays * dayMs, past.endOf(kind, subject) ?? 0), to: today };
  const rows = within(days, recent);
  const [failed, sessions] = [sumOver(rows, (row) => row.failed), sumOver(rows, (row) => row.sessions)];
  const newest = rows.filter(({ day }) => day >= Math.max(...rows.map((row) => row.day)) - dayMs);
  const newestFailed = sumOver(newest, (row) => row.failed);
  const newestSessions = sumOver(newest, (row) => row.sessions);
  const isOver = newestSessions > 0 && newestFailed < newestSessions * overShare;
  const isGone = rows.length === 0 && open !== undefined && today - open.openedAt > silenceMs;
  return {
    kind,
    subject,
    level: 0,
    isRaised: failed >= leastFailed && failed >= sessions * mostFailedShare && !isOver,
    over: open === undefined ? null : isOver ? "over" : isGone ? "no-data" : null,
    evidence: {
      days: recent,
      count: failed,
      total: sessions,
      usual: null,
      reporters: toReporters(
        rows,
        (row) => row.failed,
        (row) => row.sessions,
      ),
      detail: { ...noDetail, failures: sumAlike(within(failures, recent)) },
    },
  };
}

function sumAlike(rows: readonly TlsFailureDay[]): TlsFailureCount[] {
  const alike = Map.groupBy(rows, ({ resultType, mxHost }) => JSON.stringify([resultType, mxHost]));
  return [...alike.values()]
    .map((some) => ({
      resultType: some[0]?.resultType ?? null,
      mxHost: some[0]?.mxHost ?? null,
      sessions: sumOver(some, ({ sessions }) => sessions),
    }))
    .sort((one, other) => other.sessions - one.sessions)
    .slice(0, mostFailures);
}

// Bounces.

const bounceDays = 3;
const leastBounces = 10;
const leastTimes = 3;
const unlikely = 1e-4;

export function detectBounces(notices: readonly NoticeDay[], today: number, past: Past): FeedbackStatus[] {
  const kind = "bounce-class-jump";
  const bounces = notices.filter((row) => row.kind === "bounce");
  const classes = new Set<string>([...bounces.map((row) => row.class), ...past.openSubjects(kind)]);
  return [...classes].map((subject): FeedbackStatus => {
    const open = past.openOf(kind, subject);
    const own = bounces.filter((row) => row.class === subject);
    const recent = { from: Math.max(today - (bounceDays - 1) * dayMs, past.endOf(kind, subject) ?? 0), to: today };
    const before = { from: today - (bounceDays + 27) * dayMs, to: today - bounceDays * dayMs };
    const rows = within(own, recent);
    const count = sumOver(rows, (row) => row.count);
    const usual = open?.evidence.usual ?? {
      days: before,
      count: sumOver(within(own, before), (row) => row.count),
      total: null,
    };
    const perWindow = (usual.count / 28) * bounceDays;
    const most = open ? perWindow : mostInWindow(within(own, before), before);
    const isHigh =
      count >= leastBounces &&
      count >= leastTimes * perWindow &&
      count >= 1.5 * most &&
      chanceOfAtLeast(count, Math.max(perWindow, 0.5)) <= unlikely;
    return {
      kind,
      subject,
      level: 0,
      isRaised: isHigh,
      over: open !== undefined && count < Math.max(leastBounces, leastTimes * perWindow) / 2 ? "over" : null,
      evidence: {
        days: recent,
        count,
        total: null,
        usual,
        reporters: toReporters(rows, (row) => row.count),
        detail: { ...noDetail, bounceClass: subject as BounceClass },
      },
    };
  });
}

/** The most in as many days in a row, so that a weekly campaign's bounces are usual. */
function mostInWindow(rows: readonly NoticeDay[], { from, to }: Days): number {
  let most = 0;
  for (let day = from; day <= to - (bounceDays - 1) * dayMs; day += dayMs) {
    const sum = sumOver(within(rows, { from: day, to: day + (bounceDays - 1) * dayMs }), (row) => row.count);
    most = Math.max(most, sum);
  }
  return most;
}
