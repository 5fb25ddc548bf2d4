// Whether the mail comes from whom its From names. Providers ask for alignment also where a domain has no DMARC record.

import type { DmarcResult } from "../authentication-facts.ts";
import type { Fact } from "../fact.ts";
import { known, unknown } from "../fact.ts";

export function isAuthentic({ result, alignedBy }: DmarcResult): Fact<boolean> {
  if (result === "pass" || (alignedBy.length > 0 && result !== "fail")) return known(true);
  return result === "temperror" ? unknown("timeout") : known(false);
}
