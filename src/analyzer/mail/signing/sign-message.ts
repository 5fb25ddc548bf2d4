// DKIM signatures of mail that Assay sends (RFC 6376, RFC 8463). mailauth's signer isn't used, because it lists a field
// in h= only as often as it occurs, so a second From could be added next to the signed one.

import { createHash, type KeyObject, sign } from "node:crypto";
import { type HeaderField, type HeaderSection, readHeaderSection } from "../headers/fields.ts";
import { hashBody } from "./body-hash.ts";
import type { KeyAlgorithm } from "./signing-algorithms.ts";

export type Signer = {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: KeyAlgorithm;
  readonly privateKey: KeyObject;
};

/** Fields that readers see and software acts on. Each is listed once more than it occurs, so that none can be added. */
const signedNames = [
  "From",
  "To",
  "Cc",
  "Reply-To",
  "Subject",
  "Date",
  "Message-ID",
  "MIME-Version",
  "Content-Type",
  "List-Unsubscribe",
  "List-Unsubscribe-Post",
];

const lineLength = 72;

/** The message with one signature of each signer on top, in order. `signedAt` is in milliseconds. */
export function signMessage(message: Uint8Array, signers: readonly Signer[], signedAt: number): Uint8Array {
  if (signers.length === 0) return message;
  const wired = toWireForm(message);
  const section = readHeaderSection(wired);
  const fields = groupFields(section);
  const present = signedNames.map((name) => ({ name, fields: fields.get(name.toLowerCase()) ?? [] }));
  // From the bottom up, as verifiers select them (§5.4.2).
  const signed = present.flatMap((named) => [...named.fields].reverse());
  const names = present.flatMap((named) => [named.name, ...named.fields.map(() => named.name)]);
  const bodyHash = hashBody(wired.subarray(section.bodyOffset), "relaxed").whole.toString("base64");
  const signatures = signers.map((signer) => {
    const value = toTags(signer, { names, bodyHash, signedAt });
    const own = { key: "dkim-signature", line: `DKIM-Signature:${value}`, value };
    const signature = signText(toSignedText(signed, own, "relaxed"), signer);
    return `${own.line}${toFolded(signature.toString("base64"))}\r\n`;
  });
  return Buffer.concat([Buffer.from(signatures.join(""), "latin1"), wired]);
}

type Tags = { readonly names: readonly string[]; readonly bodyHash: string; readonly signedAt: number };

/** With an empty b= at the end. Without l=, because text appended below the signed part would pass with it. */
function toTags({ domain, selector, algorithm }: Signer, { names, bodyHash, signedAt }: Tags): string {
  const lines = [
    ` v=1; a=${algorithm}-sha256; c=relaxed/relaxed; t=${Math.floor(signedAt / 1_000)};`,
    ` d=${domain};`,
    ` s=${selector};`,
    ` h=${toFoldedNames(names)};`,
    ` bh=${bodyHash};`,
    " b=",
  ];
  return lines.join("\r\n");
}

function toFoldedNames(names: readonly string[]): string {
  let text = "";
  let length = 0;
  for (const name of names) {
    const isFull = length > 0 && length + name.length + 1 > lineLength;
    text += `${text === "" ? "" : ":"}${isFull ? "\r\n " : ""}${name}`;
    length = isFull ? name.length : length + name.length + 1;
  }
  return text;
}

function toFolded(base64: string): string {
  return (base64.match(/.{1,72}/g) ?? []).join("\r\n ");
}

/** Ed25519 signs the hash (RFC 8463 §3). */
function signText(text: string, { algorithm, privateKey }: Signer): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return algorithm === "ed25519"
    ? sign(null, createHash("sha256").update(bytes).digest(), privateKey)
    : sign("sha256", bytes, privateKey);
}

/** §5.3: each line ends with CRLF before signing, because a relay would convert it afterwards. */
function toWireForm(message: Uint8Array): Uint8Array {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString("latin1");
  const wired = text.replace(/\r\n|\r|\n/g, "\r\n");
  return wired.length === text.length ? message : Buffer.from(wired, "latin1");
}

// The headers as DKIM and ARC sign them (RFC 6376 §3.4.1, §3.4.2, §3.7, §5.4.2). Text has one character a byte.

export type HeaderCanonicalization = "simple" | "relaxed";
type FieldText = Pick<HeaderField, "key" | "line" | "value">;
export type FieldsByKey = ReadonlyMap<string, readonly HeaderField[]>;

export function groupFields(section: HeaderSection): FieldsByKey {
  return Map.groupBy(section.fields, ({ key }) => key);
}

/**
 * The fields that the names select, in that order: the lowest of several first, each once. A name without a field
 * selects nothing, so that a field added later breaks the signature. Never the signature itself (§3.5, h=).
 */
export function selectFields(fields: FieldsByKey, names: readonly string[], own: HeaderField): HeaderField[] {
  const left = new Map<string, HeaderField[]>();
  return names.flatMap((name) => {
    const candidates = left.get(name) ?? (fields.get(name) ?? []).filter((field) => field !== own);
    left.set(name, candidates);
    return candidates.pop() ?? [];
  });
}

/** The signed text: the fields, then the signature itself without its value and without a line end (§3.7). */
export function toSignedText(
  fields: readonly FieldText[],
  own: FieldText,
  canonicalization: HeaderCanonicalization,
): string {
  const lines = fields.map((field) => `${canonicalField(field, canonicalization)}\r\n`);
  return lines.join("") + canonicalField(withoutSignature(own), canonicalization);
}

/** Without the final line end. */
export function canonicalField({ key, line, value }: FieldText, canonicalization: HeaderCanonicalization): string {
  return canonicalization === "simple" ? line : `${key}:${relaxedValue(value)}`;
}

/** §3.4.2: unfolded, one space for each run of white space, none at the ends. */
export function relaxedValue(value: string): string {
  const text = value.replace(/\r?\n/g, "").replace(/[ \t]+/g, " ");
  return text.slice(text.startsWith(" ") ? 1 : 0, text.endsWith(" ") ? -1 : undefined);
}

/** §3.7: removes the value of b= with surrounding white space, and nothing else. */
function withoutSignature({ key, line, value }: FieldText): FieldText {
  const specs = value.split(";").map((spec) => /^[ \t\r\n]*b[ \t\r\n]*=/.exec(spec)?.[0] ?? spec);
  const bare = specs.join(";");
  return { key, line: line.slice(0, line.length - value.length) + bare, value: bare };
}
