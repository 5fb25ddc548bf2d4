// Words that point to a kind of message, with their points, in lowercase. A row counts once, where it is worth most: in the
// subject, in the first words (`opening`) or elsewhere (`body`). In inflected languages a row has several forms.

import type { Kind } from "./kind.ts";
import weights from "./kind-weights.json" with { type: "json" };

type WordWeight = {
  readonly kind: Exclude<Kind, "auto-reply">;
  readonly subject: number;
  readonly opening: number;
  readonly body: number;
  /** Followed by the words found, in parentheses. */
  readonly says: string;
  /** The rows of a group together count no more than its limit. */
  readonly group: WordGroup;
  readonly words: readonly string[];
};

export type WordGroup =
  | "footer"
  | "issue"
  | "selling"
  | "appeal"
  | "pitch"
  | "ask"
  | "account"
  | "state"
  | "request"
  | "receipt"
  | "notice"
  | "watch";

export const groupLimits: Readonly<Record<WordGroup, number>> = {
  footer: 7,
  issue: 5,
  selling: 6,
  appeal: 5,
  pitch: 5,
  /** Counts only together with a pitch. */
  ask: 2,
  account: 5,
  state: 10,
  request: 5,
  receipt: 5,
  notice: 5,
  watch: 5,
};

const split = (rows: readonly string[]): string[] => rows.flatMap((row) => row.split("|"));

export const wordWeights: readonly WordWeight[] = weights.wordWeights.map((row) => ({
  ...row,
  kind: row.kind as WordWeight["kind"],
  group: row.group as WordGroup,
  words: split(row.words),
}));

/** Single words that are enough in a subject, as in template names and short subjects. */
export const transactionSubjects: ReadonlySet<string> = new Set(split(weights.transactionSubjects));

/** Parts of the local part in campaign addresses. */
export const campaignMailboxes: ReadonlySet<string> = new Set(split(weights.campaignMailboxes));

/** Local parts of a team or company, not a person. */
export const deskMailboxes: ReadonlySet<string> = new Set(split(weights.deskMailboxes));

/** Sign-offs, each at the start of a line. */
export const signOffs: readonly string[] = split(weights.signOffs);
