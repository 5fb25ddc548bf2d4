// Reads a DKIM-Signature (RFC 6376 §3.5) and the two similar ARC headers (RFC 8617 §4.1): the tags with their meaning,
// and the first problem that makes the signature useless. Valid tags are returned even then, because a report has to
// name the signer. Tag values are case-sensitive unless specified otherwise (§3.2). Words in the grammar ignore case,
// as strings in ABNF do (RFC 5234 §2.3), so "a=RSA-SHA256" is valid.

import { isWithin } from "./answer.ts";
import { toKeyName, toSelector, toSigningDomain } from "./signing-names.ts";
import { parseTagList, quoteBytes, type Tag, type TagList, trimFolding } from "./tag-list.ts";

type SignatureKind = "dkim" | "arc-message" | "arc-seal";
export type Canonicalization = "simple" | "relaxed";

/** In the order of evaluation. */
type SignatureFault =
  | "syntax"
  | "version"
  | "missing-tag"
  | "bad-name"
  | "identity"
  | "from-unsigned"
  | "algorithm"
  | "canonicalization";

type SignatureProblem = { readonly why: SignatureFault; readonly says: string };

export type Signature = {
  /** Null if the header itself does not prevent verification. */
  readonly problem: SignatureProblem | null;
  /** As A-labels in lower case; null if not a domain name. */
  readonly domain: string | null;
  readonly selector: string | null;
  readonly keyName: string | null;
  /** i= decoded, one character per byte, or its default. */
  readonly identity: string | null;
  readonly identityDomain: string | null;
  readonly algorithm: string | null;
  readonly canon: { readonly header: Canonicalization; readonly body: Canonicalization } | null;
  readonly canonIsDefault: boolean;
  /** h=, lower case. */
  readonly headers: readonly string[];
  readonly bodyLength: number | null;
  /** Milliseconds. */
  readonly signedAt: number | null;
  readonly expiresAt: number | null;
  readonly signature: Buffer | null;
  readonly bodyHash: Buffer | null;
  /** z=: copies of the headers as signed, "name:value". */
  readonly copies: readonly string[];
  /** ARC only: i= and cv=. */
  readonly instance: number | null;
  readonly chainState: string | null;
};

/** No signer exceeds these. They bound what is kept with the report. */
const maxFieldLength = 32_768;
const maxHeaderNames = 1_000;
/** RFC 8617 §4.2.1. */
export const maxInstance = 50;

const required: Readonly<Record<SignatureKind, readonly string[]>> = {
  dkim: ["v", "a", "b", "bh", "d", "h", "s"],
  "arc-message": ["i", "a", "b", "bh", "d", "h", "s"],
  "arc-seal": ["i", "a", "b", "cv", "d", "s"],
};

/** RFC 8617 §4.1.3; h= is listed to be rejected. Other tags of a DKIM-Signature are unknown in a seal and ignored. */
const sealTags = ["i", "a", "b", "cv", "d", "s", "t", "h"];

const forms: readonly (readonly [tag: string, form: RegExp, demand: string])[] = [
  ["b", /^[A-Za-z0-9+/]+={0,2}$/, "is not base64"],
  ["bh", /^[A-Za-z0-9+/]+={0,2}$/, "is not base64"],
  ["t", /^\d{1,12}$/, "is not a Unix time in seconds"],
  ["x", /^\d{1,12}$/, "is not a Unix time in seconds"],
  ["l", /^\d{1,76}$/, "is not a number of bytes"],
];

type Meaning = Omit<Signature, "problem">;
type Tags = ReadonlyMap<string, string>;

/** `value`: what follows the colon of the header, one character per byte. */
export function readSignature(value: string, kind: SignatureKind): Signature {
  const isTooLong = value.length > maxFieldLength;
  const list = parseTagList(isTooLong ? "" : value);
  const known = list.tags.filter(({ name }) => kind !== "arc-seal" || sealTags.includes(name));
  const tags: Tags = new Map(known.map(normalise));
  const meaning = readMeaning(tags, kind);
  const syntax = isTooLong
    ? "the header is longer than 32 KB"
    : (findListFault(value, list) ?? findValueFault(tags, kind, meaning.headers));
  const problem = syntax === undefined ? findProblem(tags, kind, meaning) : { why: "syntax" as const, says: syntax };
  return { ...meaning, problem: problem ?? null };
}

function readMeaning(tags: Tags, kind: SignatureKind): Meaning {
  const isDkim = kind === "dkim";
  const domain = toSigningDomain(tags.get("d") ?? "");
  const selector = toSelector(tags.get("s") ?? "");
  const identity = isDkim ? readIdentity(tags, domain) : null;
  return {
    domain,
    selector,
    keyName: domain === null || selector === null ? null : toKeyName(selector, domain),
    identity,
    identityDomain: identity === null ? null : toSigningDomain(identity.slice(identity.lastIndexOf("@") + 1)),
    algorithm: tags.get("a") ?? null,
    canon: readCanonicalization(tags.get("c")),
    canonIsDefault: !tags.has("c"),
    headers: splitList(tags.get("h") ?? "").flatMap((name) => (name === "" ? [] : [name])),
    bodyLength: readNumber(tags.get("l")),
    signedAt: toMilliseconds(readNumber(tags.get("t"))),
    expiresAt: toMilliseconds(readNumber(tags.get("x"))),
    signature: readBase64(tags.get("b")),
    bodyHash: readBase64(tags.get("bh")),
    copies: isDkim ? readCopies(tags.get("z")) : [],
    instance: isDkim ? null : readInstance(tags.get("i")),
    chainState: tags.get("cv") ?? null,
  };
}

/** Base64 and quoted-printable values may contain folding whitespace (§2.11, §3.2). */
function normalise({ name, value }: Tag): [string, string] {
  if (/^(a|c|q|h|cv)$/.test(name)) return [name, value.toLowerCase()];
  return [name, /^(b|bh|i|z)$/.test(name) ? value.replace(/[ \t\r\n]+/g, "") : value];
}

function findListFault(value: string, list: TagList): string | undefined {
  if (!list.ok) return list.problem;
  return /[^\P{Cc}\t\r\n\x80-\xff]/u.test(value) ? "the header contains a control character" : undefined;
}

function findValueFault(tags: Tags, kind: SignatureKind, headers: readonly string[]): string | undefined {
  for (const [tag, form, demand] of forms) {
    const value = tags.get(tag);
    if (value === "") return `${tag}= is empty`;
    if (value !== undefined && !form.test(value)) return `${tag}=${quoteBytes(value)} ${demand}`;
  }
  return tags.has("h") ? findHeaderNamesFault(kind, headers) : undefined;
}

function findHeaderNamesFault(kind: SignatureKind, names: readonly string[]): string | undefined {
  // RFC 8617 §4.1.3.
  if (kind === "arc-seal") return "an ARC-Seal must not have h=";
  // ARC allows an empty list. Its test suite and all verifiers also accept an empty name in a list.
  if (kind === "dkim" && names.length === 0) return "h= lists no headers";
  if (names.length > maxHeaderNames) return `h= lists more than ${maxHeaderNames} headers`;
  // RFC 8617 §4.1.2.
  if (kind === "arc-message" && names.includes("arc-seal")) return "h= must not list ARC-Seal";
  const bad = names.find((name) => !/^[!-9;-~]+$/.test(name));
  return bad === undefined ? undefined : `h= lists ${quoteBytes(bad)}, which is not a header name`;
}

function findProblem(tags: Tags, kind: SignatureKind, signature: Meaning): SignatureProblem | undefined {
  const identityFault = kind === "dkim" ? findIdentityFault(tags, signature) : undefined;
  if (identityFault?.why === "syntax") return identityFault;
  const unknownMethod = findMethodFault(tags);
  if (unknownMethod !== undefined) return { why: "syntax", says: unknownMethod };
  const version = tags.get("v");
  if (kind === "dkim" && version !== undefined && version !== "1")
    return { why: "version", says: `v=${quoteBytes(version)} is not 1, the only valid version` };
  const missing = required[kind].find((tag) => !tags.has(tag));
  if (missing !== undefined) return { why: "missing-tag", says: `the tag ${missing}= is missing` };
  const badName = findBadName(tags, signature);
  if (badName !== undefined) return { why: "bad-name", says: badName };
  if (identityFault) return identityFault;
  if (kind === "dkim" && !signature.headers.includes("from"))
    return { why: "from-unsigned", says: "h= does not list From" };
  return findUnknownMethodOfSigning(tags, signature);
}

function findIdentityFault(tags: Tags, signature: Meaning): SignatureProblem | undefined {
  const written = tags.get("i");
  if (written === undefined || signature.domain === null) return undefined;
  if (signature.identity === null)
    return { why: "syntax", says: `i=${quoteBytes(written)} is not in the form [local-part]@domain` };
  if (signature.identityDomain === null)
    return { why: "bad-name", says: `i=${quoteBytes(written)} does not end with a domain name` };
  if (isWithin(signature.identityDomain, signature.domain)) return undefined;
  return { why: "identity", says: `i=${quoteBytes(written)} is outside d=${signature.domain}` };
}

/** §3.5: unknown methods are ignored. */
function findMethodFault(tags: Tags): string | undefined {
  const written = tags.get("q");
  if (written === undefined || splitList(written).includes("dns/txt")) return undefined;
  return `q=${quoteBytes(written)} does not include the only known query method, dns/txt`;
}

function findBadName(tags: Tags, { domain, selector, keyName }: Meaning): string | undefined {
  if (domain === null) return `d=${quoteBytes(tags.get("d") ?? "")} is not a domain name, so it is not looked up`;
  if (selector === null) return `s=${quoteBytes(tags.get("s") ?? "")} is not a selector, so it is not looked up`;
  return keyName === null ? "the selector and domain together are too long for a DNS name" : undefined;
}

const algorithms = ["rsa-sha256", "ed25519-sha256", "rsa-sha1"];

function findUnknownMethodOfSigning(tags: Tags, { algorithm, canon }: Meaning): SignatureProblem | undefined {
  if (algorithm === null || !algorithms.includes(algorithm))
    return { why: "algorithm", says: `a=${quoteBytes(algorithm ?? "")} is not a known algorithm` };
  if (canon !== null) return undefined;
  return { why: "canonicalization", says: `c=${quoteBytes(tags.get("c") ?? "")} is not a known canonicalization` };
}

/** §3.5: a single algorithm is for the header, and the body then uses simple. */
function readCanonicalization(text = "simple/simple"): Signature["canon"] {
  const [, header, body = "simple"] = /^(simple|relaxed)(?:\/(simple|relaxed))?$/.exec(text) ?? [];
  return header === undefined ? null : { header: header as Canonicalization, body: body as Canonicalization };
}

export function splitList(text: string): string[] {
  return text.split(":").map(trimFolding);
}

/** RFC 5321 §4.1.2, with RFC 6531. With a second @ outside quotation marks, receivers could read different domains. */
const localPart = /^(?:[\w!#$%&'*+\-/=?^`{|}~.\x80-\xff]*|"(?:[^"\\\r\n]|\\.)*")$/;

/** Null if not an identity. */
function readIdentity(tags: Tags, domain: string | null): string | null {
  const written = tags.get("i");
  if (written === undefined) return domain === null ? null : `@${domain}`;
  const identity = decodeQuoted(written);
  const at = identity.lastIndexOf("@");
  return at >= 0 && localPart.test(identity.slice(0, at)) ? identity : null;
}

/** dkim-quoted-printable (§2.11). */
function decodeQuoted(text: string): string {
  return text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function readCopies(text: string | undefined): string[] {
  return text === undefined ? [] : text.split("|").map(decodeQuoted);
}

/** A number too large to represent is still longer than any body and later than any time. */
function readNumber(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,76}$/.test(text)) return null;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function toMilliseconds(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1_000;
}

function readBase64(text: string | undefined): Buffer | null {
  return text ? Buffer.from(text, "base64") : null;
}

function readInstance(text: string | undefined): number | null {
  const instance = text !== undefined && /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return instance >= 1 && instance <= maxInstance ? instance : null;
}
