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
