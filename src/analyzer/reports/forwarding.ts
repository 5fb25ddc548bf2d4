// Whether the authentication of a message would outlive the ways in which servers pass mail on. Predicted from its bytes,
// never observed.

import type { Dmarc, DmarcResult } from "../checks/authentication-facts.ts";
import type { Change } from "../mail/forwarding/compare.ts";
import type { TransitId } from "../mail/forwarding/transits.ts";

export type SignatureFate = {
  /** The place among the signatures of the message. */
  readonly index: number;
  readonly fate: "survives" | "breaks" | "unknown";
  /** What breaks it; empty if it survives. */
  readonly changes: readonly Change[];
};

export type TransitOutcome = {
  readonly id: TransitId;
  /** Those that pass before. */
  readonly signatures: readonly SignatureFate[];
  /** What a receiver behind the forwarder finds. Null: unknown. */
  readonly dmarc: "pass" | "fail" | "none" | null;
  /** Whether a signature for the author's domain passes there. Null: unknown. */
  readonly isAuthenticated: boolean | null;
  /** The ARC chain with the forwarder's seal; null if it adds none. */
  readonly arc: "pass" | "fail" | "unknown" | null;
};

export type PassingSignature = {
  readonly index: number;
  readonly domain: string | null;
  readonly selector: string | null;
  readonly canon: string;
  readonly isAligned: boolean;
  /** l=. */
  readonly bodyLength: number | null;
};

/** Why nothing can be predicted. */
export type ForwardingGap =
  /** No server has handled it, so it has no signature yet. */
  | "unsent"
  /** DNS did not answer for a key or the policy. */
  | "no-answer"
  | "malformed"
  | "too-large";

export type Forwarding = {
  readonly gap: ForwardingGap | null;
  readonly fromDomain: string | null;
  /** As received. */
  readonly dmarc: DmarcResult["result"] | null;
  readonly policy: Dmarc["effective"];
  readonly alignedBy: DmarcResult["alignedBy"];
  /** The sender's SPF record lets any server pass. */
  readonly passesAnyone: boolean;
  /** Those that pass, in message order. */
  readonly signatures: readonly PassingSignature[];
  readonly transits: readonly TransitOutcome[];
  /** What in the body would be changed on the way. */
  readonly body: { readonly longLines: boolean; readonly fromLines: boolean; readonly eightBit: boolean };
};
