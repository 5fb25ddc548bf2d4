// What Assay signs with: RSA with 2,048 bits, which every receiver reads, and Ed25519 (RFC 8463) beside it.

import type { KeyObject } from "node:crypto";

export const keyAlgorithms = ["rsa", "ed25519"] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];

// The record in DNS of a key that Assay signs with (RFC 6376 §3.6.1, RFC 8463 §4).

type PublicKey = {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: KeyAlgorithm;
  /** As toPublicText has it. */
  readonly public_key: string;
};

export function toKeyRecord({ domain, selector, algorithm, public_key }: PublicKey): {
  readonly name: string;
  readonly value: string;
} {
  return {
    name: `${selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=${algorithm}; p=${public_key}`,
  };
}

/** What stands in p=: of RSA its SubjectPublicKeyInfo, of Ed25519 the 32 bytes alone (RFC 8463 §4.2). */
export function toPublicText(key: KeyObject): string {
  if (key.asymmetricKeyType !== "ed25519")
    return key.export({ format: "der", type: "spki" }).toString("base64");
  return Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");
}
