// What DMARC and TLS reports, bounces and complaints show about a domain: the kinds of problems, and the figures that
// are the evidence for one.

import type { BounceClass } from "../../../analyzer/mail/reports/mail-class.ts";
import type { SenderKind } from "../../../analyzer/senders/name-sender.ts";

export const feedbackKinds = [
  "new-source",
  "broken-selector",
  "pass-rate-fell",
  "tls-failures",
  "complaint-rate",
  "bounce-class-jump",
  "reports-stopped",
] as const;
export type FeedbackKind = (typeof feedbackKinds)[number];

/** `over`: the figures are back. `known`: a new source has become a usual one. `no-data`: nothing reports it anymore.
 * `not-yours`: a member said that the source isn't theirs. */
export const resolutions = ["over", "known", "no-data", "acknowledged", "not-yours"] as const;
export type Resolution = (typeof resolutions)[number];

/** Times are beginnings of UTC days. */
export type Days = { readonly from: number; readonly to: number };

export type ReporterCount = {
  /** The registrable domain of the authenticated sender, or the name of the provider whose webhook it was. */
  readonly reporter: string;
  readonly count: number;
  readonly total: number | null;
};

export type TlsFailureCount = {
  readonly resultType: string | null;
  readonly mxHost: string | null;
  readonly sessions: number;
};

/** Fields that a kind doesn't have are null or empty. */
export type FeedbackDetail = {
  /** The name of the sender, or its network. */
  readonly source: string | null;
  /** Absent: an earlier version stored it, or the kind has no source. */
  readonly sourceKind?: SenderKind | null;
  /** At most ten. */
  readonly addresses: readonly string[];
  readonly passed: number | null;
  readonly headerFroms: readonly string[];
  readonly selector: string | null;
  readonly dkimDomain: string | null;
  /** Messages of a falling pass rate that failed, from sources never authenticated before. */
  readonly failedFromUnknown: number | null;
  readonly failures: readonly TlsFailureCount[];
  /** The complaint rate that was exceeded. Null: the volume is unknown, so there is no rate. */
  readonly threshold: number | null;
  readonly bounceClass: BounceClass | null;
  /** Null: all reporters. */
  readonly reporter: string | null;
  /** Days over which the reporter's own webhook says how much it delivered. Absent: `total` is from DMARC reports. */
  readonly delivered?: Days;
  readonly lastDay: number | null;
  readonly silentDays: number | null;
  readonly longestGap: number | null;
};

export const noDetail: FeedbackDetail = {
  source: null,
  addresses: [],
  passed: null,
  headerFroms: [],
  selector: null,
  dkimDomain: null,
  failedFromUnknown: null,
  failures: [],
  threshold: null,
  bounceClass: null,
  reporter: null,
  lastDay: null,
  silentDays: null,
  longestGap: null,
};

export type FeedbackEvidence = {
  readonly days: Days;
  /** Messages, sessions, complaints or bounces that are the problem. */
  readonly count: number;
  /** The number that `count` is a part of. Null: unknown. */
  readonly total: number | null;
  /** The same before, over its days. Null: there was nothing before, or it doesn't matter. */
  readonly usual: { readonly days: Days; readonly count: number; readonly total: number | null } | null;
  /** Most first, at most ten. */
  readonly reporters: readonly ReporterCount[];
  readonly detail: FeedbackDetail;
};

/** `subject` and kind identify a problem of a domain over time. */
export type FeedbackStatus = {
  readonly kind: FeedbackKind;
  readonly subject: string;
  /** A higher level is reported again. */
  readonly level: number;
  readonly isRaised: boolean;
  /** Null: it goes on. */
  readonly over: Resolution | null;
  readonly evidence: FeedbackEvidence;
};

export type KnownProblem = {
  readonly kind: FeedbackKind;
  readonly subject: string;
  readonly level: number;
  readonly openedAt: number;
  /** Null: it is open. */
  readonly resolvedAt: number | null;
  readonly resolution: Resolution | null;
  readonly evidence: FeedbackEvidence;
};

export const dayMs = 86_400_000;

export function startOfDay(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}

/** Includes both ends. */
export function listDays({ from, to }: { readonly from: number; readonly to: number }): number[] {
  return Array.from({ length: (to - from) / dayMs + 1 }, (_, index) => from + index * dayMs);
}

const mostListed = 10;

export function toCounts(counts: Iterable<ReporterCount>): ReporterCount[] {
  const sorted = [...counts].sort((one, other) => other.count - one.count || (one.reporter < other.reporter ? -1 : 1));
  return sorted.slice(0, mostListed);
}

export function firstOf(words: Iterable<string>): string[] {
  return [...new Set(words)].slice(0, mostListed);
}
