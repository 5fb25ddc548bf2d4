// What words and codes say about why a message was not delivered. The first row that matches counts (read by
// classes.ts). Patterns meet lower-case text with single spaces. Each is linear: gaps and repetitions are bounded, and
// none is inside another.

import type { BounceClass } from "../reports/mail-class.ts";
import rows from "./class-words.json" with { type: "json" };

export type WordRow = { readonly class: BounceClass; readonly words: readonly RegExp[] };
export type CodeRow = readonly [BounceClass, RegExp];

type JsonRow = { readonly class: string; readonly words: readonly string[] };

const toWordRow = (row: JsonRow): WordRow => ({
  class: row.class as BounceClass,
  words: row.words.map((pattern) => new RegExp(pattern)),
});
const toCodeRows = (patterns: Readonly<Record<string, string>>): readonly CodeRow[] =>
  Object.entries(patterns).map(([name, pattern]) => [name as BounceClass, new RegExp(pattern)]);

/**
 * Words that clearly name the cause. They outweigh a status code, because many MTAs give 5.1.1, 5.7.1 or 5.0.0 to any
 * failure. Sentences that borrow the words of another cause come before it ("too many unknown users" isn't an unknown
 * user).
 */
export const plainWords = rows.plainWords.map(toWordRow);

/** Words that count only when the status says nothing. */
export const hintWords = rows.hintWords.map(toWordRow);

/** What each registered status means (RFC 3463, the IANA registry), and what large providers use it for. */
export const statusRows = toCodeRows(rows.statusRows);

/** Statuses that only narrow the cause down. They decide when no words do. */
export const vagueStatusRows = toCodeRows(rows.vagueStatusRows);

/** Reply codes of RFC 5321 §4.2.3 that say more than "no". They decide when nothing else does. */
export const replyRows = toCodeRows(rows.replyRows);
