// A text that somebody wants in a header field of a message of ours → why it may not stand there. A line break would begin
// another field (header injection), and it need not come as one: an encoded word decodes to it at the receiver's, and
// %0d%0a does in what comes behind a careless program.

import { decodeWords } from "./text-decoding.ts";

const control = /[\p{Cc}\u2028\u2029]/u;
const percentEncoded = /%(?:0[0ad]|c2%85|e2%80%a[89])/i;
/** As readers take them that ask for less than RFC 2047: with spaces inside, in whatever charset. */
const looseWord = /=\?[^?]*\?([bq])\?([^?]*)\?=/gi;
const breakInQ = /=0[0ad]/i;
/** An encoded word may stand in another one. */
const mostLayers = 3;

/** Completes `"subject" …`; null: it may. */
export function whyNoHeaderText(text: string): string | null {
  if (!text.isWellFormed()) return "must be well-formed Unicode";
  if (control.test(text)) return "must have no line breaks and no control characters";
  if (percentEncoded.test(text)) return "must have no encoded line breaks and no encoded NUL";
  return hidesControl(text) ? "must have no line breaks and no control characters in encoded words" : null;
}

function hidesControl(text: string): boolean {
  let before = text;
  for (let layer = 0; layer < mostLayers; layer++) {
    if (hasLooseBreak(before)) return true;
    const decoded = decodeWords(before);
    if (decoded === before) return false;
    if (control.test(decoded)) return true;
    before = decoded;
  }
  return true;
}

/** NUL, CR or LF among the bytes: a charset that we read otherwise may make a line break of them. */
function hasLooseBreak(text: string): boolean {
  return [...text.matchAll(looseWord)].some(([, encoding = "", encoded = ""]) =>
    encoding.toLowerCase() === "q"
      ? breakInQ.test(encoded)
      : Buffer.from(encoded, "base64").some((byte) => byte === 0 || byte === 10 || byte === 13),
  );
}
