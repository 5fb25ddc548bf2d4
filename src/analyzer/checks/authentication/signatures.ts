// Which signatures of a message count, and which check reports one that fails. Each failing signature is reported once, by
// the check that owns the first problem of a verifier. The other checks stay silent about it.

import type { AlignedSignature, Dkim, DkimWhy } from "../authentication-facts.ts";
import { type Gate, notApplicable, skipped, type Verdict } from "../check.ts";

type Owner =
  | "dkim-key"
  | "dkim-key-strength"
  | "dkim-algorithm"
  | "dkim-signed-headers"
  | "dkim-identity"
  | "dkim-times"
  | "dkim-signature";

/** Null: not the signature's fault. */
const owners: Readonly<Record<DkimWhy, Owner | null>> = {
  syntax: "dkim-signature",
  version: "dkim-signature",
  "missing-tag": "dkim-signature",
  "bad-name": "dkim-signature",
  identity: "dkim-identity",
  "from-unsigned": "dkim-signed-headers",
  algorithm: "dkim-signature",
  canonicalization: "dkim-signature",
  expired: "dkim-times",
  "too-many": null,
  sha1: "dkim-algorithm",
  "key-unknown": null,
  "key-missing": "dkim-key",
  "key-revoked": "dkim-key",
  "key-faulty": "dkim-key",
  "key-too-short": "dkim-key-strength",
  "key-unsuitable": "dkim-key",
  "strict-identity": "dkim-identity",
  "body-length": "dkim-signature",
  "body-changed": "dkim-signature",
  "header-changed": "dkim-signature",
};

/** A message may have twenty signatures that fail; reports show only so many. */
const maxFailures = 5;

export const unsigned = notApplicable("The message is not signed.");

export const unprovenDkimGates: readonly Gate[] = [
  { provider: "gmail", sender: "bulk", reply: "550 5.7.30" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
];

export function passesAligned({ result, aligned }: AlignedSignature): boolean {
  return result === "pass" && aligned.relaxed;
}

/** The signatures of the From domain, or all if it has none. */
export function ownSignatures({ signatures }: Dkim): readonly AlignedSignature[] {
  const aligned = signatures.filter((signature) => signature.aligned.relaxed);
  return aligned.length > 0 ? aligned : signatures;
}

/** The best signature that passes for the From domain. */
export function bestAligned({ signatures, best }: Dkim): AlignedSignature | null {
  const preferred = best === null ? undefined : signatures[best];
  if (preferred !== undefined && passesAligned(preferred)) return preferred;
  return signatures.find(passesAligned) ?? null;
}

/** Null too if the outgoing server is only assumed to add it, because then nothing but its key is known. */
export function bestSeen(dkim: Dkim): AlignedSignature | null {
  const best = bestAligned(dkim);
  return best?.assumed ? null : best;
}

/**
 * The failing signatures that should have passed: of the From domain if none of its signatures passes, of any domain if it
 * has none. `dkim-extra-signature` reports those that fail beside one that passes.
 */
export function missedSignatures(dkim: Dkim): readonly AlignedSignature[] {
  const own = ownSignatures(dkim);
  return own.some(({ result }) => result === "pass") ? [] : own;
}

export function failuresOf(dkim: Dkim, owner: Owner): readonly AlignedSignature[] {
  const failing = missedSignatures(dkim).filter(({ why }) => why !== null && owners[why] === owner);
  return failing.slice(0, maxFailures);
}

/** DNS did not answer, so the signature might have passed. */
export function isOpen({ why }: AlignedSignature): boolean {
  return why === "key-unknown";
}

/** The verdict of a check that needs a passing signature of the From domain, if there is none. */
export function withoutPass(dkim: Dkim): Exclude<Verdict, readonly unknown[]> {
  if (dkim.signatures.length === 0) return unsigned;
  if (bestAligned(dkim) !== null) return notApplicable("The signature is assumed, so only its key is known.");
  if (ownSignatures(dkim).some(isOpen)) return skipped("timeout");
  return notApplicable("No signature for the From domain verifies.");
}

export function keyNameOf({ key, selector, domain }: AlignedSignature): string {
  return key?.name ?? `${selector}._domainkey.${domain}`;
}
