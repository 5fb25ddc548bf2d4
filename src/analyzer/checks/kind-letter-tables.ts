// Greetings, and the headers above forwarded messages, in many languages. In lowercase.

import letter from "./kind-letter.json" with { type: "json" };

const split = (rows: readonly string[]): string[] => rows.flatMap((row) => row.split("|"));

/** Words before the recipient's name. Sorted, because the longest must match first. */
export const greetings: readonly string[] = split(letter.greetings);

/** Words for a group of recipients, at the start of what follows the greeting. */
export const crowds: ReadonlySet<string> = new Set(split(letter.crowds));

/** Also used among friends. */
export const looseCrowds: ReadonlySet<string> = new Set(split(letter.looseCrowds));

/** At the start of a line in Japanese, Chinese or Korean, where the name comes first. */
export const crowdEndings: readonly string[] = letter.crowdEndings;

/** Headers that email clients put above a forwarded message. */
export const passedFrom: readonly string[] = split(letter.passedFrom);

export const passedOthers: readonly string[] = split(letter.passedOthers);

/** Separate lines above such headers. */
export const passedOn: readonly string[] = split(letter.passedOn);
