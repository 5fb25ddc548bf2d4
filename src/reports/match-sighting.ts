// Which test a message in a seed mailbox belongs to (decisions §9): by what names it, then by its Message-ID, then by who
// wrote it and under what subject. All of it is written by whoever sends the mail, so that a match stays within a workspace.

import { type MatchedBy, matches, type Sighting } from "./sighting.ts";
import { toComparedSubject, toFromAddress } from "./sighting-keys.ts";

export type Candidate = {
  readonly id: string;
  readonly receivedAt: number;
  readonly marks: readonly string[];
  readonly messageId: string | null;
  /** As the message says it. */
  readonly from: string | null;
  readonly subject: string | null;
  /** The same mailbox has shown another message as this test's. */
  readonly isTaken: boolean;
};

export type Match = {
  readonly testId: string;
  readonly matchedBy: MatchedBy;
  /** How many tests fitted as well; the nearest in time was taken. */
  readonly candidates: number;
};

const hourMs = 3_600_000;

/**
 * How far apart both may have come. Senders try for up to five days (RFC 5321 §4.5.4.1); a token may stand in a template,
 * and a subject in every mail of a kind.
 */
export const matchReachMs: Readonly<Record<MatchedBy, number>> = {
  "assay-id": 5 * 24 * hourMs,
  "body-token": 24 * hourMs,
  "message-id": 5 * 24 * hourMs,
  "from-and-subject": hourMs / 2,
};

type Rule = readonly [MatchedBy, (sighting: Sighting, candidate: Candidate) => boolean];

const rules: readonly Rule[] = [
  ["assay-id", ({ assayIds }, { marks }) => assayIds.some((id) => marks.includes(id))],
  ["body-token", ({ bodyTokens }, { marks }) => bodyTokens.some((token) => marks.includes(token))],
  ["message-id", (seen, { messageId }) => seen.messageId !== null && seen.messageId === messageId],
  ["from-and-subject", (seen, candidate) => !candidate.isTaken && isAlike(seen, candidate)],
];

export function matchSighting(sighting: Sighting, candidates: readonly Candidate[]): Match | null {
  const distanceTo = ({ receivedAt }: Candidate) => Math.abs(receivedAt - sighting.arrivedAt);
  for (const [matchedBy, fits] of rules) {
    const fitting = candidates
      .filter((one) => distanceTo(one) <= matchReachMs[matchedBy] && fits(sighting, one))
      .sort((left, right) => distanceTo(left) - distanceTo(right) || (left.id > right.id ? -1 : 1));
    const [nearest] = fitting;
    if (nearest) return { testId: nearest.id, matchedBy, candidates: fitting.length };
  }
  return null;
}

/** As a mailbox has them: what bears no Message-ID is told by when it came. */
export function isAnotherMessage(
  one: Pick<Sighting, "messageId" | "arrivedAt">,
  other: Pick<Sighting, "messageId" | "arrivedAt">,
): boolean {
  if (one.messageId !== other.messageId) return true;
  return one.messageId === null && one.arrivedAt !== other.arrivedAt;
}

/** Below 0: the first is the surer. */
export function compareSureness(one: MatchedBy, other: MatchedBy): number {
  return matches.indexOf(one) - matches.indexOf(other);
}

function isAlike(seen: Sighting, candidate: Candidate): boolean {
  const from = toFromAddress(seen.from);
  const subject = toComparedSubject(seen.subject);
  if (from === null || subject === null) return false;
  return from === toFromAddress(candidate.from) && subject === toComparedSubject(candidate.subject);
}
