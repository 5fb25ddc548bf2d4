// Problems that counts show: sessions without TLS, complaints, and bounces.

import type { BounceClass } from "../mail/reports/mail-class.ts";
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

export type ReporterDay = {
  readonly reporter: string;
  readonly day: number;
  readonly messages: number;
  readonly passed: number;
};

export type TlsDay = {
  readonly reporter: string;
  readonly day: number;
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

function within<Row extends Dated>(rows: readonly Row[], { from, to }: Days): Row[] {
  return rows.filter(({ day }) => day >= from && day <= to);
}

function sumOver<Row>(rows: readonly Row[], read: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + read(row), 0);
}

function toReporters<Row extends { readonly reporter: string }>(
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
    ...{ kind, subject, level: 0 },
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

// Complaints. Gmail and Yahoo ask senders to stay below 0.1% and never reach 0.3%.

const complaintDays = 7;
const thresholds = [0.001, 0.003] as const;
const leastComplaints = 5;
/** The chance that a rate at the threshold gives so many complaints. */
const mostChance = 0.01;
const leastUnrated = 10;

/** `volume`: messages that DMARC reports count as passing, so those that could be complained about. */
export function detectComplaints(
  notices: readonly NoticeDay[],
  volume: readonly ReporterDay[],
  today: number,
  past: Past,
): FeedbackStatus {
  const [kind, subject] = ["complaint-rate", "domain"] as const;
  const open = past.openOf(kind, subject);
  const begin = today - (complaintDays - 1) * dayMs;
  const recent = { from: Math.max(begin, past.endOf(kind, subject) ?? 0), to: today };
  const rows = within(notices, recent).filter((row) => row.kind === "complaint");
  const count = sumOver(rows, (row) => row.count);
  // Reports come a day after the messages that they count.
  const messages = sumOver(within(volume, { from: begin - dayMs, to: today - dayMs }), (row) => row.passed);
  const total = messages > 0 ? messages : null;
  const exceeded =
    total === null
      ? []
      : thresholds.filter((threshold) => chanceOfAtLeast(count, total * threshold) <= mostChance);
  const threshold = exceeded.at(-1) ?? null;
  const earlier = within(notices, { from: today - 35 * dayMs, to: begin - dayMs });
  const usual = sumOver(earlier, (row) => (row.kind === "complaint" ? row.count : 0)) / 4;
  const isMany =
    total === null && count >= leastUnrated && chanceOfAtLeast(count, Math.max(usual, 1)) <= 1e-4;
  const isRaised = count >= leastComplaints && (threshold !== null || isMany);
  const limit = open?.evidence.detail.threshold ?? thresholds[0];
  const isOver = total === null ? count < leastComplaints : count < total * Math.min(limit, thresholds[0]);
  return {
    ...{ kind, subject, level: total === null ? 0 : exceeded.length },
    isRaised,
    over: open !== undefined && isOver ? "over" : null,
    evidence: {
      days: recent,
      ...{ count, total, usual: null },
      reporters: toReporters(rows, (row) => row.count),
      detail: { ...noDetail, threshold },
    },
  };
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
    const recent = {
      from: Math.max(today - (bounceDays - 1) * dayMs, past.endOf(kind, subject) ?? 0),
      to: today,
    };
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
      ...{ kind, subject, level: 0 },
      isRaised: isHigh,
      over: open !== undefined && count < Math.max(leastBounces, leastTimes * perWindow) / 2 ? "over" : null,
      evidence: {
        days: recent,
        ...{ count, total: null, usual },
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
