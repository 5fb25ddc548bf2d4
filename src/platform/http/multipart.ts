// A file that was sent as a form (RFC 7578), which `curl -F` and most HTTP clients do by default. The part is a view into
// the body, so it is never copied.

import { Refusal } from "../errors.ts";

/** For the delimiters and the headers of the part. */
export const mostFormBytes = 16_384;

const mostHeaderBytes = 8_192;

/** The content of the only part. */
export function readOnlyPart(body: Buffer, contentType: string): Uint8Array {
  const boundary = readBoundary(contentType);
  const open = Buffer.from(`--${boundary}\r\n`);
  const start = body.indexOf(open);
  // Clients may write a preamble, which ends with a line break.
  const isAtLine = start === 0 || (start > 1 && body[start - 2] === 0x0d && body[start - 1] === 0x0a);
  if (!isAtLine) throw broken();
  const headersAt = start + open.length;
  const headersEnd = body.subarray(0, headersAt + mostHeaderBytes).indexOf("\r\n\r\n", headersAt);
  if (headersEnd < 0) throw broken();
  checkHeaders(body.toString("utf8", headersAt, headersEnd));
  const contentAt = headersEnd + 4;
  const end = findEnd(body, contentAt, `\r\n--${boundary}`);
  if (!end.isLast)
    throw new Refusal(
      "invalid_request",
      "The form has more than one field. Send one message as one file, and everything else in the query, such as ?label=ci.",
    );
  return body.subarray(contentAt, end.at);
}

function readBoundary(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined)
    throw new Refusal("invalid_request", "The Content-Type of a form needs a boundary (RFC 7578).");
  return boundary;
}

/** The encodings that change nothing are the only ones that clients use (RFC 7578 §4.7). */
function checkHeaders(headers: string): void {
  const [, encoding] = /^content-transfer-encoding:\s*(\S+)\s*$/im.exec(headers) ?? [];
  if (encoding !== undefined && !/^(7bit|8bit|binary)$/i.test(encoding))
    throw new Refusal("invalid_request", "Send the file without Content-Transfer-Encoding.");
}

/** A line that only begins like the delimiter belongs to the content. */
function findEnd(body: Buffer, from: number, delimiter: string): { at: number; isLast: boolean } {
  for (let at = body.indexOf(delimiter, from); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    const next = body.toString("latin1", at + delimiter.length, at + delimiter.length + 2);
    if (next === "--") return { at, isLast: true };
    if (next === "\r\n") return { at, isLast: false };
  }
  throw broken();
}

function broken(): Refusal {
  return new Refusal("invalid_request", "The form is broken or incomplete (RFC 7578).");
}
