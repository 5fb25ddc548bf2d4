// A DKIM key record (RFC 6376 §3.6.1; k=ed25519: RFC 8463 §4) and the key to verify signatures with. A verifier ignores
// g= of RFC 4871 and n=.

import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { splitList } from "./dkim-signature.ts";
import { parseTagList, quoteBytes, type TagList } from "./tag-list.ts";

export type KeyRecordFault = "unreadable" | "revoked" | "version" | "hash" | "service" | "type";

export type KeyRecord = {
  readonly text: string;
  /** k= in lower case, or its default; null if it could not be read. */
  readonly type: string | null;
  readonly bits: number | null;
  readonly revoked: boolean;
  /** t=y. */
  readonly testing: boolean;
  /** t=s: the domain in i= must equal d=. */
  readonly strictIdentity: boolean;
  /** h=; null: any. */
  readonly hashes: readonly string[] | null;
  readonly services: readonly string[];
  readonly faults: readonly { readonly fault: KeyRecordFault; readonly says: string }[];
  readonly publicKey: KeyObject | null;
};

/** RFC 8301 §3.2 requires support up to 4096 bits. A far longer key takes as long to verify as a whole message. */
const maxKeyBits = 8_192;
/** Almost always 65,537. An exponent as long as the key makes verification a hundred times slower. */
const maxExponent = 2n ** 64n;

/** `text`: the parts of the TXT record joined without a space (§3.6.2.2). */
export function readKeyRecord(text: string): KeyRecord {
  const list = parseTagList(text);
  const get = (name: string) => list.tags.find((tag) => tag.name === name)?.value;
  const type = (get("k") ?? "rsa").toLowerCase();
  const p = get("p")?.replace(/[ \t\r\n]+/g, "");
  const hashes = get("h") === undefined ? null : splitList((get("h") ?? "").toLowerCase());
  const services = splitList((get("s") ?? "*").toLowerCase());
  const flags = splitList((get("t") ?? "").toLowerCase());
  const read = p ? readPublicKey(type, p) : undefined;
  const faults = [
    ...findListFaults(text, list),
    ...(p === "" ? [{ fault: "revoked" as const, says: "the key is revoked (empty p=)" }] : []),
    ...(list.ok && p === undefined ? [{ fault: "unreadable" as const, says: "the key itself (p=) is missing" }] : []),
    ...(read?.ok === false ? [read] : []),
    ...findUseFaults(hashes, services),
  ];
  return {
    text,
    type: list.tags.length === 0 ? null : type,
    bits: read?.ok ? read.bits : null,
    revoked: p === "",
    testing: flags.includes("y"),
    strictIdentity: flags.includes("s"),
    hashes,
    services,
    faults,
    publicKey: read?.ok ? read.publicKey : null,
  };
}

/** Whether the record is meant as a key. There may be other TXT records at the name, or a wildcard. */
export function isKeyRecord({ text }: KeyRecord): boolean {
  return /^[ \t]*(?:"[ \t]*)?v[ \t]*=[ \t]*DKIM/i.test(text) || /(?:^|;)[ \t]*p[ \t]*=/.test(text);
}

/** Verifies a signature over the SHA-256 hash of the text (RFC 6376 §3.3.1, RFC 8463 §3). One character per byte. */
export function isSignedBy(key: KeyObject, signedText: string, signature: Uint8Array): boolean {
  const bytes = Buffer.from(signedText, "latin1");
  try {
    return key.asymmetricKeyType === "ed25519"
      ? verify(null, createHash("sha256").update(bytes).digest(), key, signature)
      : verify("sha256", bytes, key, signature);
  } catch {
    return false;
  }
}

function findListFaults(text: string, list: TagList): KeyRecord["faults"] {
  if (/\\;|^[ \t]*(?:["']|\xe2\x80)/.test(text))
    return [{ fault: "unreadable", says: `the record contains quotation marks or backslashes: ${quoteBytes(text)}` }];
  if (!list.ok) return [{ fault: "unreadable", says: `the record cannot be read: ${list.problem}` }];
  const version = list.get("v");
  if (version === undefined) return [];
  if (version !== "DKIM1") return [{ fault: "version", says: `v=${quoteBytes(version)} is not DKIM1` }];
  if (list.tags[0]?.name !== "v") return [{ fault: "version", says: "v=DKIM1 is not the first tag" }];
  return [];
}

function findUseFaults(hashes: readonly string[] | null, services: readonly string[]): KeyRecord["faults"] {
  const faults: { fault: KeyRecordFault; says: string }[] = [];
  if (hashes && !hashes.includes("sha256"))
    faults.push({ fault: "hash", says: `h=${quoteBytes(hashes.join(":"))} does not allow sha256` });
  if (!services.includes("*") && !services.includes("email"))
    faults.push({ fault: "service", says: `s=${quoteBytes(services.join(":"))} does not allow email` });
  return faults;
}

type ReadKey =
  | { readonly ok: true; readonly publicKey: KeyObject; readonly bits: number }
  | { readonly ok: false; readonly fault: KeyRecordFault; readonly says: string };

function readPublicKey(type: string, p: string): ReadKey {
  if (type !== "rsa" && type !== "ed25519")
    return { ok: false, fault: "type", says: `k=${quoteBytes(type)} is not a known key type` };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(p)) return unreadable(`p=${quoteBytes(p)} is not base64`);
  const bytes = Buffer.from(p, "base64");
  return type === "rsa" ? readRsaKey(bytes) : readEd25519Key(bytes);
}

/** In practice a SubjectPublicKeyInfo is published. §3.6.1 describes the bare RSAPublicKey inside it. */
function readRsaKey(der: Buffer): ReadKey {
  const publicKey =
    importKey({ key: der, format: "der", type: "spki" }) ?? importKey({ key: der, format: "der", type: "pkcs1" });
  const { modulusLength: bits, publicExponent = 0n } = publicKey?.asymmetricKeyDetails ?? {};
  if (publicKey?.asymmetricKeyType !== "rsa" || bits === undefined)
    return unreadable("p= is not an RSA public key, possibly because it was cut off");
  if (publicExponent > maxExponent) return unreadable("the key's exponent is longer than 64 bits");
  if (bits > maxKeyBits)
    return unreadable(`the key is ${bits} bits long, but Assay verifies keys up to ${maxKeyBits} bits`);
  return { ok: true, publicKey, bits };
}

/** RFC 8463 §4.2: the 32 bytes alone. */
function readEd25519Key(bytes: Buffer): ReadKey {
  if (bytes.length !== 32) return unreadable(`p= has ${bytes.length} bytes, but an Ed25519 key has 32`);
  const jwk = { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") };
  const publicKey = importKey({ key: jwk, format: "jwk" });
  return publicKey ? { ok: true, publicKey, bits: 256 } : unreadable("p= is not an Ed25519 public key");
}

function importKey(input: Parameters<typeof createPublicKey>[0]): KeyObject | undefined {
  try {
    return createPublicKey(input);
  } catch {
    return undefined;
  }
}

function unreadable(says: string): ReadKey {
  return { ok: false, fault: "unreadable", says };
}
