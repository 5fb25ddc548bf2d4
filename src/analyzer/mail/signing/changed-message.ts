// Guesses why a body hash doesn't match. Each guess is hashed, so that only confirmed ones are reported. Runs only for
// failed signatures, and only where it is cheap.

import { createHash } from "node:crypto";
import type { HeaderField } from "../headers/fields.ts";
import { type BodyCanonicalization, canonicalBody, hashBody, withCrlf } from "./body-hash.ts";
import { type HeaderCanonicalization, relaxedValue, toSignedText } from "./sign-message.ts";

type FailedBody = {
  readonly body: Uint8Array;
  readonly canonicalization: BodyCanonicalization;
  /** bh=. */
  readonly bodyHash: Buffer;
  /** l=. */
  readonly bodyLength: number | null;
};

/** Each guess costs a pass, and a stranger may send twenty failing signatures. */
const maxGuessedBytes = 500_000;
/** Footers are short. */
const maxGuessedLines = 200;
const sha256Bytes = 32;

export function explainBody(failed: FailedBody): string {
  if (failed.bodyHash.length !== sha256Bytes)
    return `bh= has ${failed.bodyHash.length} bytes, but a SHA-256 hash has ${sha256Bytes}`;
  const found = failed.body.length > maxGuessedBytes ? undefined : guess(failed);
  if (found !== undefined) return found;
  const part = failed.bodyLength === null ? "the body" : `the part of the body that l=${failed.bodyLength} covers`;
  return `the hash of ${part} does not match the one in the signature (bh=)`;
}

function guess({ body, canonicalization, bodyHash, bodyLength }: FailedBody): string | undefined {
  const matches = (text: Uint8Array, form: BodyCanonicalization) => {
    const hash = hashBody(text, form, bodyLength === null ? [] : [bodyLength]);
    return (bodyLength === null ? hash.whole : hash.upTo(bodyLength))?.equals(bodyHash);
  };
  if (matches(new Uint8Array(0), canonicalization)) return "the signature's hash (bh=) is the hash of an empty body";
  const wired = withCrlf(body);
  if (wired !== body && matches(wired, canonicalization))
    return "the body has bare LF line endings, and its hash matches only with CRLF";
  const other = canonicalization === "simple" ? "relaxed" : "simple";
  if (matches(body, other))
    return `the body was hashed with ${other} canonicalization, but c= says ${canonicalization}`;
  return bodyLength === null ? findAddedTail(body, canonicalization, bodyHash) : undefined;
}

/** A footer, or text that a scanner appended: the hash then matches the lines above it. */
function findAddedTail(body: Uint8Array, canonicalization: BodyCanonicalization, bodyHash: Buffer): string | undefined {
  const text = Buffer.concat([...canonicalBody(body, canonicalization)]);
  const ends = lastLineEnds(text);
  const hash = createHash("sha256");
  let begin = 0;
  for (const end of ends) {
    hash.update(text.subarray(begin, end));
    begin = end;
    if (hash.copy().digest().equals(bodyHash))
      return `${text.length - end} bytes were added to the end of the body (the hash matches the first ${end} bytes)`;
  }
  return undefined;
}

/** In text order. */
function lastLineEnds(text: Buffer): number[] {
  const ends: number[] = [];
  let end = text.length - 2;
  while (ends.length < maxGuessedLines && end > 0) {
    end = text.lastIndexOf("\r\n", end - 1);
    if (end < 0) break;
    ends.unshift(end + 2);
  }
  return ends;
}

// Guesses which signed header field was changed. Each guess is verified against the signature; an unconfirmed one says
// "perhaps". Runs only for failed signatures.

type FailedHeader = {
  /** In the order in which they were signed. */
  readonly signed: readonly HeaderField[];
  readonly own: HeaderField;
  /** h=. */
  readonly names: readonly string[];
  /** z=: "name:value" as signed. */
  readonly copies: readonly string[];
  readonly canonicalization: HeaderCanonicalization;
  readonly verifies: (signedText: string) => boolean;
};

/** Each costs a verification or two, and a stranger may send twenty failing signatures. */
const maxGuesses = 20;
const maxGuessedLength = 20_000;
/** Tags that gateways put before a subject: [EXTERNAL], ***SPAM***, EXT: and similar. */
const subjectMark = /^[ \t\r\n]*(?:\[[^\]\r\n]{1,40}\]|\*{1,5}[^*\r\n]{1,40}\*{1,5}|[^\s:]{1,20}:)[ \t]*/;
/** Every message has these when it is signed, so a missing one means something. */
const alwaysThere = ["from", "date", "subject", "to", "message-id", "mime-version", "content-type"];

export function explainHeader(failed: FailedHeader): string {
  return proveChange(failed) ?? suspectChange(failed);
}

function proveChange({ signed, own, canonicalization, verifies }: FailedHeader): string | undefined {
  const length = signed.reduce((sum, { line }) => sum + line.length, own.line.length);
  if (length > maxGuessedLength) return undefined;
  const holds = (fields: readonly HeaderField[]) => verifies(toSignedText(fields, own, canonicalization));
  const other = canonicalization === "simple" ? "relaxed" : "simple";
  if (verifies(toSignedText(signed, own, other)))
    return `the headers were signed with ${other} canonicalization, but c= says ${canonicalization}`;
  for (const [index, field] of signed.slice(0, maxGuesses).entries()) {
    const mark = field.key === "subject" ? subjectMark.exec(field.value)?.[0] : undefined;
    if (mark !== undefined && holds(signed.with(index, withoutMark(field, mark))))
      return `"${relaxedValue(mark).trim()}" was added to the Subject (without it, the signature verifies)`;
    if (holds(signed.toSpliced(index, 1)))
      return `a ${field.name} header was added (without it, the signature verifies)`;
  }
  return undefined;
}

function withoutMark(field: HeaderField, mark: string): HeaderField {
  const value = ` ${field.value.slice(mark.length)}`;
  return { ...field, value, line: `${field.line.slice(0, field.line.length - field.value.length)}${value}` };
}

function suspectChange({ signed, names, copies, canonicalization }: FailedHeader): string {
  const differs = findDifferentCopy(signed, copies);
  if (differs !== undefined) return `${differs} differs from the signed copy in z=`;
  const missing = alwaysThere.find((key) => names.includes(key) && !signed.some((field) => field.key === key));
  if (missing !== undefined)
    return `a signed header was changed, perhaps because ${missing} was removed (it is signed but missing)`;
  const names_ = [...new Set(signed.map(({ name }) => name))].slice(0, 12).join(", ");
  const fold = canonicalization === "simple" ? " or refolded, which c=simple does not allow" : "";
  return `a signed header was changed${fold} (signed headers: ${names_})`;
}

function findDifferentCopy(signed: readonly HeaderField[], copies: readonly string[]): string | undefined {
  const copied = new Map(copies.map((copy) => [copy.slice(0, copy.indexOf(":")).trim().toLowerCase(), copy] as const));
  return signed.find(({ key, value }) => {
    const copy = copied.get(key);
    return copy !== undefined && withoutSpace(copy.slice(copy.indexOf(":") + 1)) !== withoutSpace(value);
  })?.name;
}

/** Folding may remove white space from a copy. */
function withoutSpace(value: string): string {
  return value.replace(/[ \t\r\n]+/g, "");
}
