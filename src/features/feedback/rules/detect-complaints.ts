// Complaints, as a rate where it is known how much was sent. Gmail and Yahoo ask senders to stay below 0.1% and never
// reach 0.3%.

import { type NoticeDay, sumOver, toReporters, within } from "./detect-counts.ts";
import type { Past } from "./judge-rate.ts";
import { type Days, dayMs, type FeedbackStatus, type KnownProblem, noDetail } from "./problem.ts";
import { chanceOfAtLeast } from "./statistics.ts";

export type ReporterDay = {
  readonly reporter: string;
  readonly day: number;
  /** When the first report about that day arrived. */
  readonly arrivedAt: number;
  readonly messages: number;
  readonly passed: number;
};

/** What a provider's webhook says that it delivered. `reporter` is as in its complaints. */
export type DeliveredDay = { readonly reporter: string; readonly day: number; readonly delivered: number };

type Sent = {
  /** Passing messages are those that could be complained about. */
  readonly dmarc: readonly ReporterDay[];
  readonly delivered: readonly DeliveredDay[];
};

const kind = "complaint-rate";
/** What DMARC reports count, for complaints of all reporters without a volume of their own. */
const everyone = "domain";
const complaintDays = 7;
const thresholds = [0.001, 0.003] as const;
const leastComplaints = 5;
/** The chance that a rate at the threshold gives so many complaints. */
const mostChance = 0.01;
const leastUnrated = 10;

export function detectComplaints(
  notices: readonly NoticeDay[],
  { dmarc, delivered }: Sent,
  today: number,
  past: Past,
): FeedbackStatus[] {
  const week = { from: today - (complaintDays - 1) * dayMs, to: today };
  const complaints = notices.filter((row) => row.kind === "complaint");
  const open = past.openSubjects(kind).filter((subject) => subject !== everyone);
  const providers = new Set([...within(delivered, week).map(({ reporter }) => reporter), ...open]);
  // Reports come a day after the messages that they count.
  const reported = { from: week.from - dayMs, to: today - dayMs };
  const whole = judge(
    complaints.filter(({ reporter }) => !providers.has(reporter)),
    {
      subject: everyone,
      others: [...providers],
      messages: sumOver(within(dmarc, reported), (row) => row.passed),
      delivered: null,
    },
    week,
    past,
  );
  return withoutEcho(
    whole,
    [...providers].map((subject) => {
      const own = delivered.filter(({ reporter }) => reporter === subject);
      const messages = sumOver(within(own, week), (row) => row.delivered);
      // Deliveries may be reported only since a few days.
      const days = { from: Math.max(week.from, Math.min(...own.map(({ day }) => day))), to: today };
      const its = complaints.filter(({ reporter }) => reporter === subject);
      const group = { subject, others: [everyone], messages, delivered: own.length > 0 ? days : week };
      return judge(its, group, week, past);
    }),
    past,
  );
}

/**
 * One campaign causes complaints at a provider and elsewhere. Of the two problems, the one that is open already or has the
 * higher level is raised, otherwise the provider's, which is more precise.
 */
function withoutEcho(whole: FeedbackStatus, providers: readonly FeedbackStatus[], past: Past): FeedbackStatus[] {
  const openLevel = ({ subject }: FeedbackStatus) => past.openOf(kind, subject)?.level ?? -1;
  const silenced = (status: FeedbackStatus, isEcho: boolean) =>
    isEcho && openLevel(status) < 0 ? { ...status, isRaised: false } : status;
  const most = Math.max(-1, ...providers.map((one) => Math.max(openLevel(one), one.isRaised ? one.level : -1)));
  return [
    silenced(whole, most >= whole.level),
    ...providers.map((one) =>
      silenced(one, openLevel(whole) >= one.level || (whole.isRaised && whole.level > one.level)),
    ),
  ];
}

type Group = {
  readonly subject: string;
  /** Subjects that the same complaints may have been reported for. */
  readonly others: readonly string[];
  readonly messages: number;
  /** Days of a provider's own volume. Null: the volume is from DMARC reports. */
  readonly delivered: Days | null;
};

function judge(
  notices: readonly NoticeDay[],
  { subject, others, messages, delivered }: Group,
  week: Days,
  past: Past,
): FeedbackStatus {
  const open = past.openOf(kind, subject);
  const begin = delivered?.from ?? week.from;
  const related = open === undefined ? [subject, ...others] : [subject];
  const ends = related.map((one) => past.endOf(kind, one) ?? 0);
  const recent = { from: Math.max(begin, ...ends), to: week.to };
  const rows = within(notices, recent);
  const count = sumOver(rows, (row) => row.count);
  const total = messages > 0 ? messages : null;
  const exceeded =
    total === null ? [] : thresholds.filter((threshold) => chanceOfAtLeast(count, total * threshold) <= mostChance);
  const threshold = exceeded.at(-1) ?? toLowest(open, total);
  const earlier = within(notices, { from: week.to - 35 * dayMs, to: week.from - dayMs });
  const usual = sumOver(earlier, (row) => row.count) / 4;
  const isMany = total === null && count >= leastUnrated && chanceOfAtLeast(count, Math.max(usual, 1)) <= 1e-4;
  const limit = open?.evidence.detail.threshold ?? thresholds[0];
  const isOver = total === null ? count < leastComplaints : count < total * Math.min(limit, thresholds[0]);
  const reporters = toReporters(rows, (row) => row.count);
  return {
    kind,
    subject,
    level: total === null ? 0 : exceeded.length,
    isRaised: count >= leastComplaints && (exceeded.length > 0 || isMany),
    over: open !== undefined && isOver ? "over" : null,
    evidence: {
      days: recent,
      count,
      total,
      usual: null,
      reporters: delivered === null ? reporters : reporters.map((one) => ({ ...one, total })),
      detail: { ...noDetail, threshold, ...(delivered !== null && { reporter: subject, delivered }) },
    },
  };
}

/** An open problem goes on while the rate is over this, even if so few complaints might be chance. */
function toLowest(open: KnownProblem | undefined, total: number | null): number | null {
  return open !== undefined && total !== null ? thresholds[0] : null;
}
