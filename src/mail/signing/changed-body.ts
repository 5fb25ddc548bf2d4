// Why a body hash does not match, as far as trying can tell it: of each guess the hash is made, so that what is said is
// proved. Only of a signature that has failed, and only where it is cheap.

import { createHash } from "node:crypto";
import { withCrlf } from "../mime/line-ends.ts";
import { type BodyCanonicalization, canonicalBody, hashBody } from "./body-hash.ts";

type FailedBody = {
  readonly body: Uint8Array;
  readonly canonicalization: BodyCanonicalization;
  /** bh=. */
  readonly bodyHash: Buffer;
  /** l=. */
  readonly bodyLength: number | null;
};

/** Each guess costs a pass, and a stranger may send twenty signatures that fail. */
const maxGuessedBytes = 500_000;
/** Footers are short. */
const maxGuessedLines = 200;
const sha256Bytes = 32;

export function explainBody(failed: FailedBody): string {
  if (failed.bodyHash.length !== sha256Bytes)
    return `bh= has ${failed.bodyHash.length} bytes, a SHA-256 hash has ${sha256Bytes}`;
  const found = failed.body.length > maxGuessedBytes ? undefined : guess(failed);
  if (found !== undefined) return found;
  const part =
    failed.bodyLength === null ? "the body" : `the part of the body that l=${failed.bodyLength} covers`;
  return `the hash of ${part} is not the one in the signature (bh=)`;
}

function guess({ body, canonicalization, bodyHash, bodyLength }: FailedBody): string | undefined {
  const matches = (text: Uint8Array, form: BodyCanonicalization) => {
    const hash = hashBody(text, form, bodyLength === null ? [] : [bodyLength]);
    return (bodyLength === null ? hash.whole : hash.upTo(bodyLength))?.equals(bodyHash);
  };
  if (matches(new Uint8Array(0), canonicalization)) return "the hash is that of an empty body";
  const wired = withCrlf(body);
  if (wired !== body && matches(wired, canonicalization))
    return "lines of the body end with LF alone; the hash matches when they end with CRLF";
  const other = canonicalization === "simple" ? "relaxed" : "simple";
  if (matches(body, other))
    return `the hash is that of the body in ${other} form, but c= says ${canonicalization}`;
  return bodyLength === null ? findAddedTail(body, canonicalization, bodyHash) : undefined;
}

/** A footer, or what a scanner appends: the hash is then that of the lines above it. */
function findAddedTail(
  body: Uint8Array,
  canonicalization: BodyCanonicalization,
  bodyHash: Buffer,
): string | undefined {
  const text = Buffer.concat([...canonicalBody(body, canonicalization)]);
  const ends = lastLineEnds(text);
  const hash = createHash("sha256");
  let begin = 0;
  for (const end of ends) {
    hash.update(text.subarray(begin, end));
    begin = end;
    if (hash.copy().digest().equals(bodyHash))
      return `${text.length - end} bytes were added at the end; the hash is that of the first ${end} bytes`;
  }
  return undefined;
}

/** In the order of the text. */
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
