// The addresses that visitors get. 80 random bits, so that no one finds an address that was given to someone else.

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const length = 16;
const beginning = "test-";
const form = new RegExp(`^${beginning}[${alphabet}]{${length}}$`);

/** `randomness`: at least 16 bytes, of which 5 bits each are used. */
export function createLocalPart(randomness: Uint8Array): string {
  let name = beginning;
  for (const byte of randomness.subarray(0, length)) name += alphabet[byte & 31];
  return name;
}

/** Others aren't even looked up. */
export function isLocalPart(text: string): boolean {
  return form.test(text);
}
