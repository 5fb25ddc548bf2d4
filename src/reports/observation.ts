// Where a seed mailbox has the message of a test, as it is kept and shown.

import type { MatchedBy, ObservedFolder, SightingEvidence } from "./sighting.ts";

/** A place that the mailbox had it in before. */
export type EarlierPlace = {
  readonly folder: ObservedFolder;
  readonly folderName: string;
  readonly seenAt: number;
};

export type ObservationEvidence = SightingEvidence & {
  /** What tells it from another message that looks like it. */
  readonly messageId: string | null;
  readonly arrivedAt: number;
  /** How many tests fitted as well. */
  readonly candidates: number;
  /** The oldest first. */
  readonly moves: readonly EarlierPlace[];
};

export type Observation = EarlierPlace & {
  /** A provider, or `imap:<account>`. */
  readonly provider: string;
  readonly account: string;
  /** Below 0: its copy came before ours. Null where ours did not come by SMTP. */
  readonly delayMs: number | null;
  readonly matchedBy: MatchedBy;
  readonly evidence: ObservationEvidence;
};

/** A seed mailbox that has not shown the message. */
export type AwaitedMailbox = {
  readonly provider: string;
  readonly account: string;
  readonly state: "pending" | "missing";
};

/** All that a test has of seed mailboxes. */
export type Seen = {
  readonly observations: readonly Observation[];
  readonly awaited: readonly AwaitedMailbox[];
};

export const nothingSeen: Seen = { observations: [], awaited: [] };

export function toObservedProvider(mailbox: {
  readonly seed_provider: string | null;
  readonly account: string;
}): string {
  return mailbox.seed_provider ?? `imap:${mailbox.account}`;
}
