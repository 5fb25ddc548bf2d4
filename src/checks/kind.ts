// What kind of message a test is. It decides which checks apply, never an authentication verdict.

import type { Fact } from "./fact.ts";

export const kinds = ["bulk", "transactional", "personal", "auto-reply"] as const;
export type Kind = (typeof kinds)[number];

export type KindFact = {
  readonly kind: Kind;
  /** Why it is taken for that, in plain words. */
  readonly reasons: readonly string[];
  /** A person said so. */
  readonly overridden: boolean;
  readonly forwarded: Fact<Forwarded>;
  readonly mailingList: boolean;
  readonly esp: Esp | null;
};

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
