import type { Kind, KindFact } from "../../../src/analyzer/checks/kind.ts";

/** Of a kind that is no question. */
export function sureKind(
  kind: Kind,
): Pick<KindFact, "kind" | "scoredAs" | "reasons" | "confidence" | "scores" | "source"> {
  return { kind, scoredAs: kind, reasons: [], confidence: 1, scores: null, source: "inferred" };
}
