// Words of transactional mail (an order, a code, a password) and of offers, in lowercase. Searched only in the subject and at
// the start of the text.

import words from "./kind-words.json" with { type: "json" };

const split = (rows: readonly string[]): string[] => rows.flatMap((row) => row.split("|"));

/** Each of these alone shows that the recipient did something before. */
export const transactionPhrases: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(words.transactionPhrases).map(([thing, rows]) => [thing, split(rows)]),
);

/** Names for a code to enter. */
export const codeNames: readonly string[] = split(words.codeNames);

/** Things that have a number: an order, an invoice, a parcel, a booking, a ticket. */
export const numberedThings: readonly string[] = split(words.numberedThings);

export const numberWords = words.numberWords;

/** Each row is one idea, so two words of a row count as one sign. */
export const offerTerms: readonly (readonly string[])[] = words.offerTerms.map((row) => row.split("|"));

/** Parts of the local part in addresses of automated mail. */
export const programMailboxes: ReadonlySet<string> = new Set(words.programMailboxes.split(" "));

/** schema.org types for things that the recipient did or should do. */
export const transactionTypes: ReadonlySet<string> = new Set(words.transactionTypes.split(" "));
export const offerTypes: ReadonlySet<string> = new Set(["DiscountOffer", "PromotionCard"]);
