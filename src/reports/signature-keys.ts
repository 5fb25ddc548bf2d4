// The fact `dkimKeys` of a message: the keys that its signatures name.

import type { Dkim } from "../checks/authentication-facts.ts";
import type { PublishedKey } from "../checks/facts.ts";

/** Each once; without those that DNS did not tell of, and those that nobody asked for. */
export function toSignatureKeys({ signatures }: Dkim): PublishedKey[] {
  const keys = new Map<string, PublishedKey>();
  for (const { key, selector, domain } of signatures)
    if (key !== null && selector !== null && domain !== null)
      keys.set(key.name, { ...key, selector, domain, source: "signature" });
  return [...keys.values()];
}
