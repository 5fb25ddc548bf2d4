// Second factors: time-based codes (RFC 6238) and recovery codes. Passkeys are in features/people/work/passkeys.ts.

import { createHmac } from "node:crypto";
import { hashSecret } from "../../../platform/contract/secrets.ts";

export const factorKinds = ["totp", "passkey"] as const;
export type FactorKind = (typeof factorKinds)[number];

/** Per user. */
export const maxFactors = 20;

const stepSeconds = 30;
const digits = 6;
/** As long as SHA-1's output (RFC 4226 §4, R6). */
export const totpSecretBytes = 20;

/** RFC 4226 §5.3, of the step's number. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The step that a code belongs to: this one or a neighbor, because clocks differ and people type slowly. */
export function findTotpStep(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const now = Math.floor(nowMs / 1_000 / stepSeconds);
  return [now, now - 1, now + 1].find((step) => step >= 0 && totpCode(secret, step) === code);
}

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 §6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += base32[(value >>> (bits - 5)) & 31];
    value &= 255;
  }
  return bits === 0 ? text : text + base32[(value << (5 - bits)) & 31];
}

/** Authenticator apps read this from a QR code. */
export function toTotpUri(secret: Uint8Array, { email, host }: { email: string; host: string }): string {
  const label = encodeURIComponent(`Assay (${host}):${email}`);
  const issuer = encodeURIComponent(`Assay (${host})`);
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}

export const recoveryCodeCount = 10;
const recoveryLength = 16;
/** Without the letters i, l, o, and u, like our IDs. */
const recoveryAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** 80 random bits, in four groups. `randomness`: at least 16 bytes. */
export function createRecoveryCode(randomness: Uint8Array): string {
  const letters = [...randomness.subarray(0, recoveryLength)].map((byte) => recoveryAlphabet[byte & 31]);
  return letters.join("").replace(/.{4}(?=.)/g, "$&-");
}

/** As people type it. Undefined: it can't be one. */
export function hashRecoveryCode(typed: string): string | undefined {
  const plain = typed.toLowerCase().replace(/[\s-]/g, "").replace(/[il]/g, "1").replaceAll("o", "0");
  return plain.length === recoveryLength ? hashSecret(`recovery:${plain}`) : undefined;
}

/** As people type it: apps show it in two groups. */
export function readTotpCode(typed: string): string | undefined {
  const plain = typed.replace(/\s/g, "");
  return /^\d{6}$/.test(plain) ? plain : undefined;
}
