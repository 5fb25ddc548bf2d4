// The keys that the checks of keys judge: those that a message was signed with, or those that a bare domain must have. Keys
// that were only probed, or that are retired, are never an issue.

import type { Dkim, DkimKey } from "../authentication-facts.ts";
import { notApplicable, skipped } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { KnownFacts, PublishedKey } from "../facts.ts";
import { isUsableKey } from "../infer-parked.ts";
import { ownSignatures } from "./signatures.ts";

export type SigningKey = DkimKey & { readonly selector: string; readonly domain: string };

/** `dkim` is known only for messages. */
export function keysInUse(keys: readonly PublishedKey[], dkim: Fact<Dkim>): readonly SigningKey[] {
  return dkim.known
    ? ownKeys(dkim.value)
    : keys.filter(({ source }) => source === "signature" || source === "configured");
}

/** Whether no key of a bare domain is known that its signatures could use. */
export function hasNoKnownKey(keys: readonly PublishedKey[]): boolean {
  return !keys.some((key) => key.source !== "probed" || isUsableKey(key));
}

type KeyFacts = { readonly dkimKeys: readonly PublishedKey[] } & Pick<KnownFacts, "dkim" | "parked">;

/** The verdict if no key in use is known. A domain that sends mail may still sign it under an unknown selector. */
export function withoutKeyInUse({ dkimKeys, dkim, parked }: KeyFacts, why: string) {
  const isParked = parked.known && parked.value.isParked;
  return !dkim.known && !isParked && hasNoKnownKey(dkimKeys) ? skipped("no-key") : notApplicable(why);
}

/** Each key once, even if several signatures use it. */
function ownKeys(dkim: Dkim): readonly SigningKey[] {
  const keys = new Map<string, SigningKey>();
  for (const { key, selector, domain } of ownSignatures(dkim))
    if (key !== null && selector !== null && domain !== null) keys.set(key.name, { ...key, selector, domain });
  return [...keys.values()];
}
