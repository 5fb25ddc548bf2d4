// Files as chunks, read no faster than a limit so that other work on the same disk goes on, and written so that a file
// is complete or absent.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { Chunks } from "./age.ts";

const chunkBytes = 262_144;

/** `bytesPerSecond`: on average. 0 is as fast as possible. `bytes`: how many of them at most. */
export async function* readChunks(file: string, bytesPerSecond = 0, bytes = Number.POSITIVE_INFINITY): Chunks {
  const startedAt = performance.now();
  let read = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes, end: bytes - 1 })) {
    yield chunk as Uint8Array;
    read += (chunk as Uint8Array).length;
    const early = bytesPerSecond === 0 ? 0 : (read / bytesPerSecond) * 1_000 - (performance.now() - startedAt);
    if (early > 5) await pause(early);
  }
}

/** Creates the file, with mode 0600, and flushes it. */
export async function writeChunks(file: string, chunks: Chunks): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export type Digest = { readonly bytes: number; readonly sha256: string };

/** Passes chunks on, and knows what has passed. */
export function createMeter(): { readonly through: (chunks: Chunks) => Chunks; readonly read: () => Digest } {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    through: async function* (chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    read: () => ({ bytes, sha256: hash.copy().digest("hex") }),
  };
}

export async function digestOf(chunks: Chunks): Promise<Digest> {
  const meter = createMeter();
  for await (const _ of meter.through(chunks));
  return meter.read();
}
