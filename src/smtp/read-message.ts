// DATA → bytes, within a bound. One growing buffer, because dot-stuffed lines arrive as a chunk each and an array of
// a million chunks weighs forty times the message.

import type { Readable } from "node:stream";

const firstBytes = 16_384;

/** Null when the message is larger than `maxBytes`; the rest is read and thrown away, so that the client hears why. */
export async function readMessage(stream: Readable, maxBytes: number): Promise<Uint8Array | null> {
  let buffer: Uint8Array | null = new Uint8Array(firstBytes);
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    if (buffer === null || length + chunk.length > maxBytes) {
      buffer = null;
      continue;
    }
    buffer = withRoom(buffer, length + chunk.length, maxBytes);
    buffer.set(chunk, length);
    length += chunk.length;
  }
  return buffer?.subarray(0, length) ?? null;
}

function withRoom(buffer: Uint8Array, needed: number, maxBytes: number): Uint8Array {
  if (needed <= buffer.length) return buffer;
  const grown = new Uint8Array(Math.min(Math.max(buffer.length * 2, needed), Math.max(maxBytes, needed)));
  grown.set(buffer);
  return grown;
}
