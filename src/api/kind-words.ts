// What the app, the terminal and shared reports say of a message's type in the same words.

import { isUnsure, type KindFact, type KindReason } from "../checks/kind.ts";
import type { JudgedTime } from "../mail/headers/judged-time.ts";

type Scored = Pick<KindFact, "kind" | "scoredAs">;

/** Where the type and the rules that cost points differ: confirming the type may then lower the score. */
export function toScoredWords({ kind, scoredAs }: Scored): string | null {
  return kind === scoredAs ? null : `Scored without points for ${kind} rules until the type is confirmed.`;
}

/** What a reader of the score should know of the type; null where it is sure. */
export function toTypeCaution(fact: Scored & Pick<KindFact, "source" | "confidence">): string | null {
  const scored = toScoredWords(fact);
  if (scored !== null) return scored;
  return isUnsure(fact) ? `The type isn’t certain: scored as ${fact.kind}.` : null;
}

type Sides<Reason> = { readonly pro: Reason[]; readonly contra: Reason[] };

/** Points below zero for another kind speak for this one, and the other way round. In the order given. */
export function toSides<Reason extends Pick<KindReason, "points" | "kind">>(
  reasons: readonly Reason[],
  kind: KindFact["kind"],
): Sides<Reason> {
  const pro = reasons.filter((one) => one.points === null || speaksFor(one, kind));
  const contra = reasons.filter((one) => one.points !== null && one.points !== 0 && !speaksFor(one, kind));
  return { pro, contra };
}

function speaksFor(reason: Pick<KindReason, "points" | "kind">, kind: KindFact["kind"]): boolean {
  return (reason.points ?? 0) * (reason.kind === kind ? 1 : -1) > 0;
}

// By which moment a message without a session was judged, in one sentence.

export function toJudgedWords(at: number | string, from: JudgedTime["from"] | null): string | null {
  if (from !== "said" && from !== "received" && from !== "unusable") return null;
  const day = new Date(at).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return `Judged as of ${day}, ${sources[from]}.`;
}

const sources = {
  said: "the time you gave",
  received: "the date of its newest Received header",
  unusable: "when it was uploaded or analyzed: its newest Received header has no usable date",
};
