// Secrets that we issue: session cookies and one-time links. 256 random bits, stored as a plain SHA-256, because so
// much randomness can't be guessed and a slow hash would cost every request. They are looked up by this hash, so no
// secret is ever compared.

import { createHash } from "node:crypto";

export const secretBytes = 32;

/** `randomness`: 32 bytes. No padding, so that it fits into a cookie and a URL unchanged. */
export function createSecret(randomness: Uint8Array): string {
  return Buffer.from(randomness.subarray(0, secretBytes)).toString("base64url");
}

/** Other strings aren't even looked up. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

// API tokens: `asy_` and 40 characters with 200 random bits. Stored and found by their hash, like all our secrets.

const prefix = "asy_";
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 40;

/** `randomness`: at least 40 bytes, of which 5 bits each are used. */
export function createToken(randomness: Uint8Array): string {
  let token = prefix;
  for (const byte of randomness.subarray(0, length)) token += alphabet[byte & 31];
  return token;
}

export function isToken(text: string): boolean {
  return /^asy_[0-9a-hjkmnp-tv-z]{40}$/.test(text);
}
