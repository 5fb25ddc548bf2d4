// Reads a JSON body of at most 1 MiB. From Node's own stream and not the web one, because cancelling that one cuts the
// connection before the refusal is read.

import type { IncomingMessage } from "node:http";
import { Refusal } from "../errors.ts";

const largestBodyBytes = 1024 * 1024;
const deepestNesting = 64;

/** No body counts as an empty object, so that what is missing is named field by field. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, largestBodyBytes);
  if (bytes.length === 0) return {};
  checkMediaType(request);
  const value = parseJson(bytes);
  checkValue(value, deepestNesting);
  return value;
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    sizeBytes += chunk.length;
    chunks.push(chunk);
    if (sizeBytes > limitBytes) reject(tooLarge());
  };
  const onCut = () => reject(invalid("The connection ended within the body."));
  if (request.destroyed) onCut();
  request.on("data", onData).once("end", resolve).once("close", onCut);
  try {
    await promise;
  } finally {
    request.off("data", onData).off("end", resolve).off("close", onCut);
  }
  return Buffer.concat(chunks);
}

function checkMediaType(request: IncomingMessage): void {
  const [mediaType = ""] = (request.headers["content-type"] ?? "").split(";");
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (mediaType.trim().toLowerCase() === "application/json" && encoding === "identity") return;
  throw new Refusal(
    "unsupported_media_type",
    "Send the body as JSON, uncompressed, with Content-Type: application/json.",
  );
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("The body is not JSON in UTF-8.");
  }
}

/** Neither database keeps a NUL or half of a surrogate pair, and no schema of ours is deep. */
function checkValue(value: unknown, depthLeft: number): void {
  if (typeof value === "string") checkText(value);
  if (typeof value !== "object" || value === null) return;
  if (depthLeft === 0) throw invalid(`The body is nested deeper than ${deepestNesting} levels.`);
  for (const [key, member] of Object.entries(value)) {
    checkText(key);
    checkValue(member, depthLeft - 1);
  }
}

function checkText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed())
    throw invalid("The body has text with a NUL or half of a surrogate pair.");
}

function tooLarge(): Refusal {
  return new Refusal("payload_too_large", "The body is over 1 MiB.");
}

function invalid(message: string): Refusal {
  return new Refusal("invalid_request", message);
}
