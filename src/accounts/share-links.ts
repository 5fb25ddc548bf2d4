// What a share link holds: 256 random bits. Kept as a plain SHA-256 and found by it, as API tokens are (tokens.ts).

import { createHash } from "node:crypto";

export const shareSecretBytes = 32;

/** `randomness`: of `shareSecretBytes` bytes. */
export function createShareSecret(randomness: Uint8Array): string {
  return Buffer.from(randomness).toString("base64url");
}

/** Undefined for what no link of ours holds. */
export function hashShareSecret(secret: string): string | undefined {
  return /^[\w-]{43}$/.test(secret) ? createHash("sha256").update(secret).digest("hex") : undefined;
}
