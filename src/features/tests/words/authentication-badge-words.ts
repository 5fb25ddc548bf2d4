// SPF, DKIM and DMARC results in one or two words. The summary at the top and the section below use the same words.

import type { Tone } from "../../../analyzer/words/plain-words.ts";
import type { Authentication } from "../contract/authentication.ts";
import { toProofs } from "./authentication-conclusion-words.ts";

export type Badge = { readonly tone: Tone; readonly word: string };

const results: Readonly<Record<string, Badge>> = {
  pass: { tone: "good", word: "pass" },
  fail: { tone: "critical", word: "fail" },
  softfail: { tone: "major", word: "fail (softfail)" },
  permerror: { tone: "critical", word: "error (permerror)" },
  policy: { tone: "major", word: "fail (policy)" },
  neutral: { tone: "minor", word: "neutral" },
  none: { tone: "major", word: "missing" },
  temperror: { tone: "unknown", word: "not checked" },
};

export function toResultBadge(result: string | null): Badge {
  return results[result ?? ""] ?? { tone: "unknown", word: "not checked" };
}

/** `isForOther`: it passes, but isn't aligned with the From header. */
export function toProofBadge(result: string, isForOther: boolean): Badge {
  return isForOther ? { tone: "minor", word: "pass, other domain" } : toResultBadge(result);
}

/** RFC 8601 calls a signature neutral if it can't be verified: expired, without a From header, malformed. */
export function toSignatureBadge(result: string, isForOther: boolean): Badge {
  return result === "neutral" ? { tone: "critical", word: "fail (invalid)" } : toProofBadge(result, isForOther);
}

/** Aligned mail has what providers require. The missing record is a separate issue. */
export function toDmarcBadge({ result, records, aligned_by }: NonNullable<Authentication["dmarc"]>): Badge {
  if (result !== "none") return toResultBadge(result);
  const word = records.length > 0 ? "no valid record" : "no record";
  return aligned_by.length > 0
    ? { tone: "minor", word: `${word}, ${toProofs(aligned_by, "aligned", "aligned")}` }
    : { tone: "major", word };
}
