// Which signatures of a message count, and which check tells of one that fails. A signature fails once: the first thing
// that a verifier trips over has one owner, and the other checks keep silent about that signature.

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

/** Null: nothing that can be held against the signature. */
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

/** What is told of one message; a stranger may send twenty that fail. */
const maxFailures = 5;

export const unsigned = notApplicable("The message is not signed.");

export const unprovenDkimGates: readonly Gate[] = [
  { provider: "gmail", sender: "bulk", reply: "550 5.7.30" },
  { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
];

export function passesAligned({ result, aligned }: AlignedSignature): boolean {
  return result === "pass" && aligned.relaxed;
}

/** The From domain's; where none is, all: what a sender may have a say in. */
export function ownSignatures({ signatures }: Dkim): readonly AlignedSignature[] {
  const aligned = signatures.filter((signature) => signature.aligned.relaxed);
  return aligned.length > 0 ? aligned : signatures;
}

/** The best that passes for the From domain. */
export function bestAligned({ signatures, best }: Dkim): AlignedSignature | null {
  const preferred = best === null ? undefined : signatures[best];
  if (preferred !== undefined && passesAligned(preferred)) return preferred;
  return signatures.find(passesAligned) ?? null;
}

/**
 * Those that fail and are missed: of the From domain when none of its own passes, of anybody's when nothing passes. The
 * failing ones beside those that pass are `dkim-extra-signature`'s.
 */
export function missedSignatures(dkim: Dkim): readonly AlignedSignature[] {
  const own = ownSignatures(dkim);
  return own.some(({ result }) => result === "pass") ? [] : own;
}

export function failuresOf(dkim: Dkim, owner: Owner): readonly AlignedSignature[] {
  const failing = missedSignatures(dkim).filter(({ why }) => why !== null && owners[why] === owner);
  return failing.slice(0, maxFailures);
}

/** DNS did not tell whether the signature would have passed. */
export function isOpen({ why }: AlignedSignature): boolean {
  return why === "key-unknown";
}

/** In place of a verdict on the signature of the From domain that passes, where there is none. */
export function withoutPass(dkim: Dkim): Exclude<Verdict, readonly unknown[]> {
  if (dkim.signatures.length === 0) return unsigned;
  if (ownSignatures(dkim).some(isOpen)) return skipped("timeout");
  return notApplicable("No signature of the From domain verifies.");
}

export function keyNameOf({ key, selector, domain }: AlignedSignature): string {
  return key?.name ?? `${selector}._domainkey.${domain}`;
}
