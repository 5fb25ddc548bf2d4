// What SPF, DKIM and DMARC come to, in half a sentence.

import type { Authentication } from "./authentication.ts";
import { toList } from "./plain-words.ts";

export function toConclusion({ dmarc, spf, dkim }: Authentication): string {
  const proofs = [spf, ...dkim].filter((one) => one?.result === "pass").length;
  if (dmarc?.result === "pass")
    return `${toProofs(dmarc.aligned_by, "proves", "prove")} the name that the reader sees`;
  if (dmarc?.domain === null) return "the From header names no one domain";
  if (dmarc?.result === "fail")
    return proofs === 0 ? "no proof at all" : "proofs, but none for the name that the reader sees";
  if (proofs === 0) return "nothing is proven";
  return dmarc?.result === "none" ? "proofs, but no policy" : "proofs, but the policy is not known";
}

export function toProofs(mechanisms: readonly string[], one: string, many: string): string {
  return `${toList(mechanisms.map((name) => name.toUpperCase()))} ${mechanisms.length > 1 ? many : one}`;
}
