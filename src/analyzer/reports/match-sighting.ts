// Which test a message in a seed mailbox belongs to: by its token, then by Message-ID, then by sender and subject
// (src/decisions.md, "Seed mailboxes"). The sender controls all of these, so a match never leaves a workspace.

import { createHash } from "node:crypto";
import { parseMailboxes } from "../mail/headers/address.ts";
import { toAsciiDomain } from "../mail/headers/registrable-domain.ts";
import { mostMarks, toMark } from "../mail/mime/assay-marks.ts";
import { toMessageIdKey, toStorableCut } from "../mail/text/bounds.ts";
import { type MatchedBy, matches, type Sighting } from "./sighting.ts";

export type Candidate = {
  readonly id: string;
  readonly receivedAt: number;
  readonly marks: readonly string[];
  readonly messageId: string | null;
  /** As given in the message. */
  readonly from: string | null;
  readonly subject: string | null;
  /** The mailbox already has another message for this test. */
  readonly isTaken: boolean;
};

export type Match = {
  readonly testId: string;
  readonly matchedBy: MatchedBy;
  /** Number of matching tests. The closest in time was used. */
  readonly candidates: number;
};

const hourMs = 3_600_000;

/**
 * The maximum time between both copies. Senders retry for up to five days (RFC 5321 §4.5.4.1). A token may be in a
 * template, and a subject in every mail of a campaign.
 */
export const matchReachMs: Readonly<Record<MatchedBy, number>> = {
  "own-copy": Number.POSITIVE_INFINITY,
  "assay-id": 5 * 24 * hourMs,
  "body-token": 24 * hourMs,
  "message-id": 5 * 24 * hourMs,
  "from-and-subject": hourMs / 2,
};

type Rule = readonly [MatchedBy, (sighting: Sighting, candidate: Candidate) => boolean];

const rules: readonly Rule[] = [
  ["own-copy", ({ testId }, { id }) => testId === id],
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

/** As a mailbox has them. Copies without a Message-ID are identified by their time. */
export function isAnotherMessage(
  one: Pick<Sighting, "messageId" | "arrivedAt">,
  other: Pick<Sighting, "messageId" | "arrivedAt">,
): boolean {
  if (one.messageId !== other.messageId) return true;
  return one.messageId === null && one.arrivedAt !== other.arrivedAt;
}

/** Below 0: the first match is more certain. */
export function compareSureness(one: MatchedBy, other: MatchedBy): number {
  return matches.indexOf(one) - matches.indexOf(other);
}

function isAlike(seen: Sighting, candidate: Candidate): boolean {
  const from = toFromAddress(seen.from);
  const subject = toComparedSubject(seen.subject);
  if (from === null || subject === null) return false;
  return from === toFromAddress(candidate.from) && subject === toComparedSubject(candidate.subject);
}

// The keys that identify a message in a seed mailbox and a test, normalized for comparison.

/** The first readable address, in lowercase and A-labels. */
export function toFromAddress(from: string | null): string | null {
  const mailbox = parseMailboxes(from ?? "").list.find(({ problem }) => problem === null);
  if (!mailbox?.local || !mailbox.domain) return null;
  return `${mailbox.local}@${toAsciiDomain(mailbox.domain) ?? mailbox.domain}`.toLowerCase();
}

/** Only this much of a subject is compared. */
const comparedLength = 500;

/** Null for a subject that identifies nothing. */
function toComparedSubject(subject: string | null): string | null {
  const compared = (subject ?? "").toWellFormed().replace(/\s+/g, " ").trim().slice(0, comparedLength);
  return compared === "" ? null : compared;
}

export type Matchable = {
  readonly marks: readonly string[];
  /** In the format of features/tests/rows/message-ids.ts. */
  readonly messageId: string | null;
  /** An address, or a formatted From header. */
  readonly from: string | null;
  readonly subject: string | null;
};

/** Both can be the same message only if they share a key. */
export function toMatchKeys({ marks, messageId, from, subject }: Matchable): string[] {
  const address = toFromAddress(from);
  const compared = toComparedSubject(subject);
  const keys = [
    ...marks.map((mark) => toKey("mark", mark)),
    ...(messageId ? [toKey("message-id", messageId)] : []),
    ...(address && compared ? [toKey("from-and-subject", `${address}\n${compared}`)] : []),
  ];
  return [...new Set(keys)];
}

/** The only key of a sighting whose test was made of the same copy, so that no other test takes it. */
export function toOwnCopyKey(testId: string): string {
  return toKey("own-copy", testId);
}

export function marksOf({ assayIds, bodyTokens }: Pick<Sighting, "assayIds" | "bodyTokens">): string[] {
  return [...new Set([...assayIds, ...bodyTokens])];
}

const keyLength = 22;

function toKey(kind: string, text: string): string {
  return createHash("sha256").update(`${kind}\n${text}`).digest("base64url").slice(0, keyLength);
}

// A sighting with limits for storage, because the mailbox server and the sender control its content.

const longest = { folderName: 200, from: 320, subject: 1_000, verdict: 2_000, name: 100, value: 1_000 };
const mostVerdicts = 10;
const mostHeaders = 30;
const dayMs = 86_400_000;

export function toBoundedSighting(seen: Sighting, now: number): Sighting {
  const { authenticationResults, headers } = seen.evidence;
  return {
    ...(seen.testId !== undefined && { testId: seen.testId }),
    folder: seen.folder,
    folderName: toStorableCut(seen.folderName, longest.folderName),
    arrivedAt: toArrival(seen.arrivedAt, now),
    assayIds: toMarks(seen.assayIds),
    bodyTokens: toMarks(seen.bodyTokens),
    messageId: seen.messageId === null ? null : toMessageIdKey(seen.messageId) || null,
    from: seen.from === null ? null : toStorableCut(seen.from, longest.from),
    subject: seen.subject === null ? null : toStorableCut(seen.subject, longest.subject),
    evidence: {
      authenticationResults: authenticationResults
        .slice(0, mostVerdicts)
        .map((verdict) => toStorableCut(verdict, longest.verdict)),
      headers: headers
        .slice(0, mostHeaders)
        .map(({ name, value }) => ({
          name: toStorableCut(name, longest.name),
          value: toStorableCut(value, longest.value),
        })),
    },
  };
}

function toMarks(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => toMark(text) ?? []))].slice(0, mostMarks);
}

/** Some servers use the date that a client gave when it appended the message, which may be wrong. */
function toArrival(arrivedAt: number, now: number): number {
  return Number.isSafeInteger(arrivedAt) && arrivedAt > 0 && arrivedAt < now + dayMs ? arrivedAt : now;
}
