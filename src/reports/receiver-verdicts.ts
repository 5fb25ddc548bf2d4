// Where a receiver's own verdicts differ from ours, of the same message.

import { parseAuthenticationResults, type StatedResult } from "../mail/authentication-results.ts";

export const comparedMechanisms = ["spf", "dkim", "dmarc"] as const;
export type ComparedMechanism = (typeof comparedMechanisms)[number];

export type OurWords = Readonly<Record<ComparedMechanism, string | null>>;

export type Difference = {
  readonly mechanism: ComparedMechanism;
  readonly ours: string;
  readonly theirs: string;
};

/** RFC 8601 §2.7; other words are a receiver's own, and nothing can be held against them. */
const knownWords = new Set([
  ...["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"],
]);
/** Words of before RFC 8601 that are still written. */
const olderWords: Readonly<Record<string, string>> = { hardfail: "fail", error: "temperror" };

/** `fields`: of Authentication-Results, the topmost first. What one of the two does not know differs in nothing. */
export function toDifferences(ours: OurWords, fields: readonly string[]): Difference[] {
  const stated = fields.map(parseAuthenticationResults);
  return comparedMechanisms.flatMap((mechanism) => {
    const word = ours[mechanism];
    const theirs = findTheirs(stated, mechanism);
    return word !== null && theirs !== null && theirs !== word ? [{ mechanism, ours: word, theirs }] : [];
  });
}

/** Of the topmost field that tells it: what stands below may be the sender's. Of several signatures the best counts. */
function findTheirs(stated: readonly (readonly StatedResult[])[], mechanism: string): string | null {
  for (const field of stated) {
    const words = field
      .filter(({ method }) => method === mechanism)
      .map(({ result }) => olderWords[result] ?? result)
      .filter((word) => knownWords.has(word));
    if (words.length > 0) return words.includes("pass") ? "pass" : (words[0] ?? null);
  }
  return null;
}
