// The keys that a check on keys is about: of a message those that its sender signed with, of a bare domain those that
// it must have. What was only probed, or seen once and retired, is no fault whatever it is.

import type { Dkim, DkimKey } from "../authentication-facts.ts";
import { notApplicable, skipped } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { KnownFacts, PublishedKey } from "../facts.ts";
import { isUsableKey } from "../infer-parked.ts";
import { ownSignatures } from "./signatures.ts";

export type SigningKey = DkimKey & { readonly selector: string; readonly domain: string };

/** `dkim` is known of messages alone. */
export function keysInUse(keys: readonly PublishedKey[], dkim: Fact<Dkim>): readonly SigningKey[] {
  return dkim.known
    ? ownKeys(dkim.value)
    : keys.filter(({ source }) => source === "signature" || source === "configured");
}

/** Of a bare domain, whether no key is known by which its signatures could be judged. */
export function hasNoKnownKey(keys: readonly PublishedKey[]): boolean {
  return !keys.some((key) => key.source !== "probed" || isUsableKey(key));
}

type KeyFacts = { readonly dkimKeys: readonly PublishedKey[] } & Pick<KnownFacts, "dkim" | "parked">;

/** Where no key is in use: a domain that sends mail may still sign it with a key that nobody named. */
export function withoutKeyInUse({ dkimKeys, dkim, parked }: KeyFacts, why: string) {
  const isParked = parked.known && parked.value.isParked;
  return !dkim.known && !isParked && hasNoKnownKey(dkimKeys) ? skipped("no-key") : notApplicable(why);
}

/** Each once, though several signatures may name it. */
function ownKeys(dkim: Dkim): readonly SigningKey[] {
  const keys = new Map<string, SigningKey>();
  for (const { key, selector, domain } of ownSignatures(dkim))
    if (key !== null && selector !== null && domain !== null)
      keys.set(key.name, { ...key, selector, domain });
  return [...keys.values()];
}
