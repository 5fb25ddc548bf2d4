// The key that signs reports: Ed25519 (RFC 8032). It is derived from the server's secret key, so that all processes on one
// database have the same, and a backup of the secret key is a backup of it. Others get the public half as a JWK set
// (RFC 7517, RFC 8037) or in PEM. Its ID is the thumbprint of RFC 7638, which anyone can compute.

import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";

/** What the secret key derives it for. Never changes: another purpose is another key. */
const reportSigning = "report signing";
const reportSalting = "report salts";

export type PublicKey = {
  /** RFC 7638. */
  readonly id: string;
  /** The raw key in base64url. */
  readonly x: string;
};

export type ReportSigner = PublicKey & {
  /** In base64. */
  readonly sign: (bytes: Uint8Array) => string;
};

export type ReportSigning = {
  readonly signer: ReportSigner;
  /** The salt of a section: the same for the same text, and not guessable. */
  readonly salt: (text: string) => string;
  /** This server's name, as in its Received headers, which an analysis needs to give the same results. */
  readonly receiver: string;
};

export function createReportSigning(derive: (purpose: string) => Uint8Array, receiver: string): ReportSigning {
  const key = derive(reportSalting);
  return {
    signer: createReportSigner(derive(reportSigning)),
    salt: (text) => createHmac("sha256", key).update(text).digest("base64url"),
    receiver,
  };
}

/** What precedes the 32 bytes of a seed in PKCS #8 (RFC 8410 §7), and those of a public key in SPKI (§4). */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** `seed`: 32 bytes. */
export function createReportSigner(seed: Uint8Array): ReportSigner {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return { ...toPublicKey(x), sign: (bytes) => sign(null, bytes, key).toString("base64") };
}

export function toPublicKey(x: string): PublicKey {
  const canonical = JSON.stringify({ crv: "Ed25519", kty: "OKP", x });
  return { id: createHash("sha256").update(canonical).digest("base64url"), x };
}

const rawKey = /^[\w-]{43}$/;

/** False for anything that isn't a signature by this key, whatever it is. */
export function isSignedBy({ x }: Pick<PublicKey, "x">, bytes: Uint8Array, signature: string): boolean {
  const raw = Buffer.from(signature, "base64");
  // Base64 has several spellings of the same bytes, and only one is ours.
  if (raw.length !== 64 || raw.toString("base64") !== signature) return false;
  const key = openPublicKey(x);
  return key !== null && verify(null, bytes, key, raw);
}

function openPublicKey(x: string): KeyObject | null {
  const raw = Buffer.from(x, "base64url");
  if (!rawKey.test(x) || raw.toString("base64url") !== x) return null;
  try {
    return createPublicKey({ key: Buffer.concat([publicPrefix, raw]), format: "der", type: "spki" });
  } catch {
    return null;
  }
}

export function toJwk({ id, x }: PublicKey) {
  return { kty: "OKP", crv: "Ed25519", x, kid: id, use: "sig", alg: "EdDSA" } as const;
}

export function toPem({ x }: PublicKey): string {
  const der = Buffer.concat([publicPrefix, Buffer.from(x, "base64url")]);
  return `-----BEGIN PUBLIC KEY-----\n${der.toString("base64")}\n-----END PUBLIC KEY-----\n`;
}

const jwk = z.looseObject({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string().regex(rawKey) });
const jwkSet = z.looseObject({ keys: z.array(z.unknown()).max(100) });

/** The Ed25519 keys in a PEM file, a JWK or a JWK set. Empty if there are none. */
export function readPublicKeys(text: string): PublicKey[] {
  if (text.length > 100_000) return [];
  if (text.includes("-----BEGIN")) return readPem(text);
  const value = parseJson(text);
  const set = jwkSet.safeParse(value);
  return (set.success ? set.data.keys : [value]).flatMap((one) => {
    const reading = jwk.safeParse(one);
    return reading.success && openPublicKey(reading.data.x) ? [toPublicKey(reading.data.x)] : [];
  });
}

function readPem(text: string): PublicKey[] {
  try {
    const key = createPublicKey(text);
    const { x } = key.export({ format: "jwk" });
    return key.asymmetricKeyType === "ed25519" && x !== undefined ? [toPublicKey(x)] : [];
  } catch {
    return [];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
