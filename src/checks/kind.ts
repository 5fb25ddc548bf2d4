// What kind of message a test is. It decides which checks apply, never an authentication verdict.

import type { Fact } from "./fact.ts";

export const kinds = ["bulk", "transactional", "personal", "auto-reply"] as const;
export type Kind = (typeof kinds)[number];

/** One piece of evidence. Below zero it speaks against the kind; null: of a report from before evidence was weighed. */
export type KindReason = { readonly text: string; readonly points: number | null; readonly kind: Kind };
export type KindScores = Readonly<Record<WeighedKind, number>>;
export const weighedKinds = ["bulk", "transactional", "personal"] as const;
export type WeighedKind = (typeof weighedKinds)[number];
type KindSource = "inferred" | "person" | "rule";

/** Who handled it on the way, whatever kind it is. */
export type CameThrough = {
  readonly forwarded: Fact<Forwarded>;
  readonly mailingList: boolean;
  /** The service that sent it. */
  readonly esp: Esp | null;
};

export type KindFact = CameThrough & {
  readonly kind: Kind;
  /**
   * The kind without the marks that the rules ask for (an unsubscribe link or header, a Feedback-ID). Where it differs, those
   * marks alone decided, and what is asked only because of them costs nothing until a person says what the message is.
   */
  readonly scoredAs: Kind;
  /** Why it is taken for that, what weighs most first. */
  readonly reasons: readonly KindReason[];
  /** From 0 to 1: how sure the kind is; null in a report from before it was known. */
  readonly confidence: number | null;
  /** The points of each kind together; null where nothing had to be weighed. */
  readonly scores: KindScores | null;
  readonly source: KindSource;
  /** A person said so, of this very message. */
  readonly overridden: boolean;
};

/** Below this a person is asked. */
const leastConfidence = 0.75;

/** Nobody said what it is, and the evidence is weak or contradicts itself. */
export function isUnsure({ source, confidence }: Pick<KindFact, "source" | "confidence">): boolean {
  return source === "inferred" && confidence !== null && confidence < leastConfidence;
}

export type Forwarded = {
  readonly is: boolean;
  /** An ARC chain that verifies says so; without one it is a mere claim. */
  readonly verified: boolean;
  readonly by: string | null;
  /** What the first stop found, when the chain verifies. */
  readonly first: {
    readonly spf: string | null;
    readonly dkim: string | null;
    readonly dmarc: string | null;
  } | null;
  readonly reasons: readonly string[];
};

/** The service that sent the message for its author. */
export type Esp = {
  readonly name: string;
  /** Its addresses send for others too. */
  readonly shared: boolean;
  /** It sends what its customers' programs ask it to, and not campaigns. */
  readonly transactional: boolean;
};
