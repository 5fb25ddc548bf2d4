// Which test a message in a seed mailbox belongs to: by its token, then by its Message-ID, then by its sender and subject
// (src/decisions.md, "Seed mailboxes"). The sender of the mail writes all of these, so that a match stays in a workspace.

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

// By what a message in a seed mailbox and a test are known to be one, in a form in which both sides are alike.

/** The first address that can be read, in lower case and A-labels. */
export function toFromAddress(from: string | null): string | null {
  const mailbox = parseMailboxes(from ?? "").list.find(({ problem }) => problem === null);
  if (!mailbox?.local || !mailbox.domain) return null;
  return `${mailbox.local}@${toAsciiDomain(mailbox.domain) ?? mailbox.domain}`.toLowerCase();
}

/** Lists keep no more of a subject that can be compared. */
const comparedLength = 500;

/** Null for one that tells nothing. */
function toComparedSubject(subject: string | null): string | null {
  const compared = (subject ?? "").toWellFormed().replace(/\s+/g, " ").trim().slice(0, comparedLength);
  return compared === "" ? null : compared;
}

export type Matchable = {
  readonly marks: readonly string[];
  /** As store/tests/message-ids.ts keeps it. */
  readonly messageId: string | null;
  /** An address, or a From header as a person reads it. */
  readonly from: string | null;
  readonly subject: string | null;
};

/** Both are one message only if they share a key. */
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

export function marksOf({ assayIds, bodyTokens }: Pick<Sighting, "assayIds" | "bodyTokens">): string[] {
  return [...new Set([...assayIds, ...bodyTokens])];
}

const keyLength = 22;

function toKey(kind: string, text: string): string {
  return createHash("sha256").update(`${kind}\n${text}`).digest("base64url").slice(0, keyLength);
}

// A sighting as it may be kept: a mailbox's server and the senders of its mail wrote every word of it.

const longest = { folderName: 200, from: 320, subject: 1_000, verdict: 2_000, name: 100, value: 1_000 };
const mostVerdicts = 10;
const mostHeaders = 30;
const dayMs = 86_400_000;

export function toBoundedSighting(seen: Sighting, now: number): Sighting {
  const { authenticationResults, headers } = seen.evidence;
  return {
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
      headers: headers.slice(0, mostHeaders).map(({ name, value }) => ({
        name: toStorableCut(name, longest.name),
        value: toStorableCut(value, longest.value),
      })),
    },
  };
}

function toMarks(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => toMark(text) ?? []))].slice(0, mostMarks);
}

/** Some servers keep what a client appended with a date of its own. */
function toArrival(arrivedAt: number, now: number): number {
  return Number.isSafeInteger(arrivedAt) && arrivedAt > 0 && arrivedAt < now + dayMs ? arrivedAt : now;
}
