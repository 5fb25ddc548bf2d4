// Whether the mail comes from whom its From names. Providers ask for alignment also where a domain has no DMARC record.

import type { DmarcResult } from "../authentication-facts.ts";
import type { Fact } from "../fact.ts";
import { known, unknown } from "../fact.ts";

export function isAuthentic({ result, alignedBy, spfAligned }: DmarcResult): Fact<boolean> {
  if (result === "pass" || (alignedBy.length > 0 && result !== "fail")) return known(true);
  if (result === "temperror") return unknown("timeout");
  // Where no record makes the verdict, SPF might still have told.
  return spfAligned.known ? known(false) : spfAligned;
}
