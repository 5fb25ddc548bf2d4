// The kind of a message. It decides which checks apply, but never an authentication verdict.

import type { Fact } from "./fact.ts";

export const kinds = ["bulk", "transactional", "personal", "auto-reply"] as const;
export type Kind = (typeof kinds)[number];

/** One piece of evidence. Negative points count against the kind. Null in old reports without weights. */
export type KindReason = { readonly text: string; readonly points: number | null; readonly kind: Kind };
export type KindScores = Readonly<Record<WeighedKind, number>>;
export const weighedKinds = ["bulk", "transactional", "personal"] as const;
export type WeighedKind = (typeof weighedKinds)[number];
type KindSource = "inferred" | "person" | "rule";

/** Who handled the message on the way, independent of its kind. */
export type CameThrough = {
  readonly forwarded: Fact<Forwarded>;
  readonly mailingList: boolean;
  /** The email service that sent it. */
  readonly esp: Esp | null;
};

export type KindFact = CameThrough & {
  readonly kind: Kind;
  /**
   * The kind without the marks that provider rules ask for (an unsubscribe link or header, a Feedback-ID). If it differs, only
   * those marks decided, and checks that apply only because of them cost nothing until a user sets the kind.
   */
  readonly scoredAs: Kind;
  /** The reasons, heaviest first. */
  readonly reasons: readonly KindReason[];
  /** From 0 to 1; null in old reports. */
  readonly confidence: number | null;
  /** The total points of each kind; null if nothing was weighed. */
  readonly scores: KindScores | null;
  readonly source: KindSource;
  /** A user set the kind of this message. */
  readonly overridden: boolean;
};

/** Below this, the user is asked. */
const leastConfidence = 0.75;

/** True if no user set the kind and the evidence is weak or contradictory. */
export function isUnsure({ source, confidence }: Pick<KindFact, "source" | "confidence">): boolean {
  return source === "inferred" && confidence !== null && confidence < leastConfidence;
}

export type Forwarded = {
  readonly is: boolean;
  /** True with a valid ARC chain. Otherwise it is only a claim. */
  readonly verified: boolean;
  readonly by: string | null;
  /** Results of the first hop, if the chain is valid. */
  readonly first: { readonly spf: string | null; readonly dkim: string | null; readonly dmarc: string | null } | null;
  readonly reasons: readonly string[];
};

/** The email service that sent the message for its author. */
export type Esp = {
  readonly name: string;
  /** Its IP addresses also send for other customers. */
  readonly shared: boolean;
  /** It mostly sends for its customers' software, not campaigns. */
  readonly transactional: boolean;
};
