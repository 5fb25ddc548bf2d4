// What a second, independent reader made of a message, compared with our own reading.

import type { DnsStatus, RecordType } from "../dns/answer.ts";
import type { CauseId } from "./second-reading-causes-table.ts";
import type { SecondReaderFinding } from "./second-reading-issues-table.ts";

/** What is compared, in the order in which it is shown. */
export const comparedThings = [
  "spf",
  "dkim",
  "arc",
  "dmarc",
  "alignment",
  "from",
  "subject",
  "date",
  "text",
  "html",
  "attachments",
  "links",
] as const;
export type ComparedThing = (typeof comparedThings)[number];

/**
 * explained: they differ only where a library is known to depart from the standards, or where the standards leave a
 * choice.
 */
export const comparisonOutcomes = ["agrees", "explained", "differs", "not-compared"] as const;
export type ComparisonOutcome = (typeof comparisonOutcomes)[number];

export const secondReaders = ["mailparser", "mailauth"] as const;
export type SecondReaderName = (typeof secondReaders)[number];

export type ThingCompared = {
  readonly thing: ComparedThing;
  readonly outcome: ComparisonOutcome;
  /** Why it was not compared. Null if it was. */
  readonly why: string | null;
};

export type ReadingDifference = {
  readonly thing: ComparedThing;
  /** Which one, if there may be several: a signature, an attachment. */
  readonly about: string | null;
  /** What each reader made of it, bounded, with everything unprintable escaped. */
  readonly ours: string;
  readonly theirs: string;
  readonly cause: CauseId;
};

/** Bytes of the message that cause a difference, bounded, with everything unprintable escaped. */
export type Excerpt = { readonly offset: number; readonly text: string };

export type SecondReaderIssue = {
  readonly finding: SecondReaderFinding;
  /** Completes the issue's sentence. */
  readonly evidence: string;
  readonly bytes: readonly Excerpt[];
};

export type SecondReading = {
  /** Readers that gave no answer, and why. */
  readonly unread: readonly { readonly by: SecondReaderName; readonly why: string }[];
  readonly compared: readonly ThingCompared[];
  /** At most `maxDifferences`. */
  readonly differences: readonly ReadingDifference[];
  readonly issues: readonly SecondReaderIssue[];
  /** DNS questions that only the second reader asked. */
  readonly asked: readonly { readonly name: string; readonly type: RecordType; readonly status: DnsStatus }[];
};

export const maxDifferences = 60;

/** `partly`: nothing differs, but a reader gave no answer. */
export type SecondReadingOutcome = "agree" | "explained" | "differ" | "partly";

export function outcomeOf({ compared, unread }: SecondReading): SecondReadingOutcome {
  if (compared.some(({ outcome }) => outcome === "differs")) return "differ";
  if (unread.length > 0) return "partly";
  return compared.some(({ outcome }) => outcome === "explained") ? "explained" : "agree";
}
