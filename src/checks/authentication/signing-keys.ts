// The keys that a check on keys is about: of a message those that its sender signed with, of a bare domain those that
// it must have. What was only probed, or seen once and retired, is no fault whatever it is.

import type { Dkim, DkimKey } from "../authentication-facts.ts";
import type { Fact } from "../fact.ts";
import type { PublishedKey } from "../facts.ts";
import { ownSignatures } from "./signatures.ts";

export type SigningKey = DkimKey & { readonly selector: string; readonly domain: string };

/** `dkim` is known of messages alone. */
export function keysInUse(keys: readonly PublishedKey[], dkim: Fact<Dkim>): readonly SigningKey[] {
  return dkim.known
    ? ownKeys(dkim.value)
    : keys.filter(({ source }) => source === "signature" || source === "configured");
}

/** Each once, though several signatures may name it. */
function ownKeys(dkim: Dkim): readonly SigningKey[] {
  const keys = new Map<string, SigningKey>();
  for (const { key, selector, domain } of ownSignatures(dkim))
    if (key !== null && selector !== null && domain !== null)
      keys.set(key.name, { ...key, selector, domain });
  return [...keys.values()];
}
