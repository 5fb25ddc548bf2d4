// Reads a body within a bound, a JSON body within 1 MiB. From Node's own stream and not the web one, because cancelling that one cuts the
// connection before the refusal is read.

import type { IncomingMessage } from "node:http";
import { Refusal } from "../errors.ts";

const largestJsonBytes = 1024 * 1024;
const deepestNesting = 64;

/** No body counts as an empty object, so that what is missing is named field by field. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(request, largestJsonBytes);
  if (bytes.length === 0) return {};
  checkMediaType(request, "application/json");
  const value = parseJson(bytes);
  checkValue(value, []);
  return value;
}

/** A body whose size was said stands in memory once. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const saidBytes = Number(request.headers["content-length"] ?? 0);
  if (saidBytes > limitBytes) throw tooLarge(limitBytes);
  const whole = Buffer.allocUnsafeSlow(saidBytes);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    // Node lets nobody send more than was said.
    if (saidBytes > 0) chunk.copy(whole, sizeBytes);
    else chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) reject(tooLarge(limitBytes));
  };
  const onCut = () => reject(invalid("The connection ended within the body."));
  if (request.destroyed) onCut();
  request.on("data", onData).once("end", resolve).once("close", onCut);
  try {
    await promise;
  } finally {
    request.off("data", onData).off("end", resolve).off("close", onCut);
  }
  return saidBytes > 0 ? whole.subarray(0, sizeBytes) : Buffer.concat(chunks);
}

export function checkMediaType(request: IncomingMessage, wanted: string): void {
  const [mediaType = ""] = (request.headers["content-type"] ?? "").split(";");
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (mediaType.trim().toLowerCase() === wanted && encoding === "identity") return;
  throw new Refusal("unsupported_media_type", `Send the body uncompressed, with Content-Type: ${wanted}.`);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("The body is not JSON in UTF-8.");
  }
}

/** Neither database keeps a NUL or half of a surrogate pair, and no schema of ours is deep. */
function checkValue(value: unknown, path: readonly string[]): void {
  if (typeof value === "string") checkText(value, path);
  if (typeof value !== "object" || value === null) return;
  if (path.length === deepestNesting)
    throw invalid(`The body is nested deeper than ${deepestNesting} levels.`);
  for (const [key, member] of Object.entries(value)) {
    checkText(key, path);
    checkValue(member, [...path, key]);
  }
}

function checkText(text: string, path: readonly string[]): void {
  if (!text.includes("\0") && text.isWellFormed()) return;
  const details = isName(path) ? { field: path.join(".") } : {};
  throw new Refusal("invalid_request", "The body has text with a NUL or half of a surrogate pair.", details);
}

/** Of a field that a schema of ours may have: the sender's own words are not said back. */
function isName(path: readonly string[]): boolean {
  return path.length > 0 && path.length < 4 && path.every((key) => /^\w{1,30}$/.test(key));
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal(
    "payload_too_large",
    `The body is over ${limitBytes} bytes, the most that is taken here.`,
  );
}

function invalid(message: string): Refusal {
  return new Refusal("invalid_request", message);
}
