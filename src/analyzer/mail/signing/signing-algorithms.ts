// The algorithms that Assay signs with: RSA with 2,048 bits, which every receiver supports, and also Ed25519 (RFC
// 8463).

import type { KeyObject } from "node:crypto";

export const keyAlgorithms = ["rsa", "ed25519"] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];

// The DNS record of a key that Assay signs with (RFC 6376 §3.6.1, RFC 8463 §4).

type PublicKey = {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: KeyAlgorithm;
  /** In the form of toPublicText. */
  readonly public_key: string;
};

export function toKeyRecord({ domain, selector, algorithm, public_key }: PublicKey): {
  readonly name: string;
  readonly value: string;
} {
  return { name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=${algorithm}; p=${public_key}` };
}

/** The value of p=: the SubjectPublicKeyInfo for RSA, only the 32 bytes for Ed25519 (RFC 8463 §4.2). */
export function toPublicText(key: KeyObject): string {
  if (key.asymmetricKeyType !== "ed25519") return key.export({ format: "der", type: "spki" }).toString("base64");
  return Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");
}
