// How the app, the terminal and shared reports describe the type of a message.

import { isUnsure, type KindFact, type KindReason } from "../checks/kind.ts";
import type { JudgedTime } from "../mail/headers/judged-time.ts";

type Scored = Pick<KindFact, "kind" | "scoredAs">;

/** For messages whose type differs from the rules that cost points. Confirming the type may then lower the score. */
export function toScoredWords({ kind, scoredAs }: Scored): string | null {
  return kind === scoredAs ? null : `Points for ${kind} rules don’t count until the type is confirmed.`;
}

/** A note on the type next to the score; null if the type is certain. */
export function toTypeCaution(fact: Scored & Pick<KindFact, "source" | "confidence">): string | null {
  const scored = toScoredWords(fact);
  if (scored !== null) return scored;
  return isUnsure(fact) ? `The type isn’t certain, so the message is scored as ${fact.kind}.` : null;
}

type Sides<Reason> = { readonly pro: Reason[]; readonly contra: Reason[] };

/** Negative points for another type count for this one, and the other way round. Keeps the order. */
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

// The time at which a message without a session was judged, in one sentence.

/** `toDay`: in the reader's locale. Left out: as in `2026-11-25`. */
export function toJudgedWords(
  at: number | string,
  from: JudgedTime["from"] | null,
  toDay = (time: string) => time.slice(0, 10),
): string | null {
  if (from !== "said" && from !== "received" && from !== "unusable") return null;
  return `Evaluated as of ${toDay(new Date(at).toISOString())} (${sources[from]}).`;
}

const sources = {
  said: "the time you provided",
  received: "the date of its newest Received header",
  unusable: "when it was uploaded or analyzed, because its newest Received header has no usable date",
};
