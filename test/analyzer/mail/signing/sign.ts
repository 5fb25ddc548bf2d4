// A small signer, so that verification isn't tested against itself: its canonical forms follow the text of RFC 6376
// §3.4 without optimization. Messages have one character a byte.

import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";

export type Form = "simple" | "relaxed";

export const rsaKey = newRsaKey(1_024);
export const ed25519Key = generateKeyPairSync("ed25519").privateKey;

export function newRsaKey(modulusLength: number): KeyObject {
  return generateKeyPairSync("rsa", { modulusLength }).privateKey;
}

/** The value of p=. */
export function toPublished(key: KeyObject, type: "spki" | "pkcs1" = "spki"): string {
  const publicKey = createPublicKey(key);
  if (key.asymmetricKeyType === "ed25519") return toBase64(publicKey.export({ format: "jwk" }).x);
  return publicKey.export({ format: "der", type }).toString("base64");
}

function toBase64(base64url = ""): string {
  return Buffer.from(base64url, "base64url").toString("base64");
}

export function toKeyRecord(key: KeyObject): string {
  return `v=DKIM1; k=${key.asymmetricKeyType}; p=${toPublished(key)}`;
}

export function naiveBody(body: string, form: Form): string {
  if (form === "simple") return body.replace(/(\r\n)*$/, "\r\n");
  const lines = body.split("\r\n").map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  const text = lines.join("\r\n").replace(/(\r\n)*$/, "");
  return text === "" ? "" : `${text}\r\n`;
}

export function naiveField(field: string, form: Form): string {
  if (form === "simple") return field;
  const colon = field.indexOf(":");
  const name = field
    .slice(0, colon)
    .toLowerCase()
    .replace(/[ \t]+$/, "");
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ");
  return `${name}:${value.replace(/^ | $/g, "")}`;
}

/** The header fields with their folds, without line ends, and the body. */
export function split(message: string): { fields: string[]; body: string } {
  const end = message.indexOf("\r\n\r\n");
  const header = end < 0 ? message.replace(/\r\n$/, "") : message.slice(0, end);
  return { fields: header.split(/\r\n(?![ \t])/), body: end < 0 ? "" : message.slice(end + 4) };
}

export type SignOptions = {
  readonly key?: KeyObject;
  readonly domain?: string;
  readonly selector?: string;
  readonly algorithm?: string;
  /** c= as written; null leaves it out. */
  readonly canonicalization?: string | null;
  readonly names?: readonly string[];
  readonly bodyLength?: number;
  /** Additional tags, or replacements for the signer's. Null leaves a tag out. */
  readonly tags?: Readonly<Record<string, string | null>>;
  readonly field?: string;
};

export function sign(message: string, options: SignOptions = {}): string {
  return `${toSignature(message, options)}\r\n${message}`;
}

export function toSignature(message: string, options: SignOptions = {}): string {
  const { key = rsaKey, names = ["from", "to", "subject", "date"], field = "DKIM-Signature" } = options;
  const { canonicalization = "relaxed/relaxed", bodyLength, tags = {} } = options;
  const [headerForm = "simple", bodyForm = "simple"] = (canonicalization ?? "").split("/") as Form[];
  const { fields, body } = split(message);
  const hash = options.algorithm?.endsWith("sha1") ? "sha1" : "sha256";
  const signedBody = naiveBody(body, bodyForm).slice(0, bodyLength);
  const written: Record<string, string | null> = {
    v: "1",
    a: options.algorithm ?? (key.asymmetricKeyType === "ed25519" ? "ed25519-sha256" : "rsa-sha256"),
    c: canonicalization,
    d: options.domain ?? "example.com",
    s: options.selector ?? "sel",
    h: names.join(":"),
    l: bodyLength === undefined ? null : String(bodyLength),
    bh: digest(signedBody, hash).toString("base64"),
    ...tags,
    b: "",
  };
  const unsigned = toField(field, written);
  const text = [...selectNaively(fields, names), unsigned].map((line) => naiveField(line, headerForm || "simple"));
  const signature = signText(text.join("\r\n"), key, hash);
  return unsigned + (tags.b === undefined ? signature.toString("base64") : tags.b);
}

export function toField(name: string, tags: Readonly<Record<string, string | null>>): string {
  const specs = Object.entries(tags).flatMap(([tag, value]) => (value === null ? [] : [`${tag}=${value}`]));
  return `${name}: ${specs.join("; ")}`;
}

type Hash = "sha1" | "sha256";

export function signText(text: string, key: KeyObject, hash: Hash = "sha256"): Buffer {
  return key.asymmetricKeyType === "ed25519"
    ? signBytes(null, digest(text), key)
    : signBytes(hash, Buffer.from(text, "latin1"), key);
}

export function digest(text: string, hash: Hash = "sha256"): Buffer {
  return createHash(hash).update(Buffer.from(text, "latin1")).digest();
}

/** RFC 6376 §5.4.2: from the bottom up, each once. */
function selectNaively(fields: readonly string[], names: readonly string[]): string[] {
  const left = [...fields];
  return names.flatMap((name) => {
    const at = left.findLastIndex(
      (field) => field.toLowerCase().replace(/[ \t]*:.*$/s, "") === name.trim().toLowerCase(),
    );
    return at < 0 ? [] : left.splice(at, 1);
  });
}
