// An SPF record at a name where another policy belongs. A wildcard puts one there, too: then the check of wildcards tells it.

import type { KnownFacts } from "./facts.ts";

export function findMisplacedSpf(
  { spfInPlace }: { readonly spfInPlace?: string | null },
  zone: KnownFacts["zone"],
): string | null {
  const wildcards = zone.known ? zone.value.wildcards : [];
  const isEverywhere = wildcards.some(({ fact }) => fact.known && fact.value !== null);
  return isEverywhere ? null : (spfInPlace ?? null);
}
