// Secrets that we hand out and know again: what the cookie of a session and a one-time link hold. 256 random bits, kept
// as a plain SHA-256, because so much randomness cannot be guessed and a slow hash would cost every request; found by
// that hash, so that no secret is ever compared.

import { createHash } from "node:crypto";

export const secretBytes = 32;

/** `randomness`: 32 bytes. Without padding, so that it stands in a cookie and in an address as it is. */
export function createSecret(randomness: Uint8Array): string {
  return Buffer.from(randomness.subarray(0, secretBytes)).toString("base64url");
}

/** Anything else is not even looked up. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

// API tokens: `asy_` and 40 characters, which hold 200 random bits. Kept and found by their hash, as all secrets are that
// we hand out (secrets.ts).

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
