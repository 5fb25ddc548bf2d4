// Where a receiver's own verdicts differ from ours, of the same message.

import {
  parseAuthenticationResults,
  type Recorded,
  type StatedResult,
} from "../mail/headers/recorded-verdicts.ts";
import { type Authentication, toDkimWord } from "./report.ts";

export const comparedMechanisms = ["spf", "dkim", "dmarc"] as const;
type ComparedMechanism = (typeof comparedMechanisms)[number];

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
  return differ(ours, toTheirs(fields.map(parseAuthenticationResults)));
}

function differ(ours: OurWords, theirs: TheirWords): Difference[] {
  return comparedMechanisms.flatMap((mechanism) => {
    const [word, other] = [ours[mechanism], theirs[mechanism]];
    return word !== null && other !== null && other !== word
      ? [{ mechanism, ours: word, theirs: other }]
      : [];
  });
}

type TheirWords = Readonly<Record<ComparedMechanism, string | null>>;

function toTheirs(stated: readonly (readonly StatedResult[])[]): TheirWords {
  return {
    spf: findTheirs(stated, "spf"),
    dkim: findTheirs(stated, "dkim"),
    dmarc: findTheirs(stated, "dmarc"),
  };
}

/** What a trusted receiver recorded of a saved message; `differences` where our own check says otherwise. */
export type RecordedWords = TheirWords & {
  readonly by: string;
  readonly clientAddress: string | null;
  readonly helo: string | null;
  readonly differences: readonly Difference[];
};

export function toRecordedWords(
  { by, clientAddress, helo, results }: Recorded,
  { spf, dkim, dmarcResult }: Pick<Authentication, "spf" | "dkim" | "dmarcResult">,
): RecordedWords {
  const ours: OurWords = {
    spf: spf.known ? spf.value.result : null,
    dkim: dkim.known ? toDkimWord(dkim.value) : null,
    dmarc: dmarcResult.known ? dmarcResult.value.result : null,
  };
  const theirs = toTheirs([results]);
  return { by, clientAddress, helo, ...theirs, differences: differ(ours, theirs) };
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
