import { gunzipSync } from "node:zlib";

/** A logo has 32 KB at most. */
export const maxInflatedBytes = 262_144;

/** What gzip packed, and anything else as it is; null for what is damaged or too large. */
export function inflateWithin(bytes: Buffer): Buffer | null {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== 0x1f8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxInflatedBytes });
  } catch {
    return null;
  }
}
