// Where a receiver's verdicts differ from ours for the same message.

import {
  parseAuthenticationResults,
  parseRecordedResults,
  type StatedResult,
} from "../mail/headers/authentication-results.ts";
import type { Recorded } from "../mail/headers/recorded-verdicts.ts";
import receiverNames from "./receiver-names.json" with { type: "json" };
import { type Authentication, toDkimWord } from "./report.ts";

export const comparedMechanisms = ["spf", "dkim", "dmarc"] as const;
type ComparedMechanism = (typeof comparedMechanisms)[number];

export type OurWords = Readonly<Record<ComparedMechanism, string | null>>;

export type Difference = { readonly mechanism: ComparedMechanism; readonly ours: string; readonly theirs: string };

/** RFC 8601 §2.7. Other words are specific to a receiver and can't be compared. */
const knownWords = new Set(["none", "pass", "fail", "softfail", "neutral", "policy", "temperror", "permerror"]);
/** Older words that are still in use. */
const olderWords: Readonly<Record<string, string>> = { hardfail: "fail", error: "temperror" };

/** `fields`: Authentication-Results, the topmost first. A result that is unknown on one side is not a difference. */
export function toDifferences(ours: OurWords, fields: readonly string[]): Difference[] {
  return differ(ours, toTheirs(fields.map(parseAuthenticationResults)));
}

function differ(ours: OurWords, theirs: TheirWords): Difference[] {
  return comparedMechanisms.flatMap((mechanism) => {
    const [word, other] = [ours[mechanism], theirs[mechanism]];
    return word !== null && other !== null && other !== word ? [{ mechanism, ours: word, theirs: other }] : [];
  });
}

type TheirWords = Readonly<Record<ComparedMechanism, string | null>>;

function toTheirs(stated: readonly (readonly StatedResult[])[]): TheirWords {
  return { spf: findTheirs(stated, "spf"), dkim: findTheirs(stated, "dkim"), dmarc: findTheirs(stated, "dmarc") };
}

const longestName = 80;

/**
 * What the server that wrote the topmost of these fields says, as in "Gmail said: SPF pass, DMARC fail", without a
 * period. Null if none of it is a known result. Anyone can write such fields.
 */
export function toSaidWords(fields: readonly string[]): string | null {
  const stated = fields.map(parseRecordedResults);
  const by = stated[0]?.authservId ?? null;
  const theirs = toTheirs(stated.filter(({ authservId }) => authservId === by).map(({ results }) => results));
  const words = comparedMechanisms.flatMap((name) => (theirs[name] ? `${name.toUpperCase()} ${theirs[name]}` : []));
  const [, name] = Object.entries(receiverNames).find(([domain]) => `.${by}`.endsWith(`.${domain}`)) ?? [];
  return words.length > 0 ? `${name ?? by?.slice(0, longestName) ?? "The receiver"} said: ${words.join(", ")}` : null;
}

/** Results that a trusted receiver recorded in a saved message. `differences`: where our own check differs. */
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

/**
 * From the topmost field with a result, because fields below may come from the sender. Among several signatures, the
 * best counts.
 */
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
