// Signatures of the Standard Webhooks form (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md):
// HMAC-SHA256 over id, time and body, so that a receiver knows who sent it, and that it is neither changed nor old.

import { createHmac } from "node:crypto";

export const signingSecretBytes = 32;

const prefix = "whsec_";

/** `randomness`: 32 bytes. */
export function createSigningSecret(randomness: Uint8Array): string {
  return prefix + Buffer.from(randomness.subarray(0, signingSecretBytes)).toString("base64");
}

export type Signed = {
  /** The same at every try, by which the receiver knows a repetition. */
  readonly id: string;
  /** Of this try: a receiver refuses what is minutes old. */
  readonly now: number;
  readonly body: string;
};

export function signatureHeaders(secret: string, { id, now, body }: Signed): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
}
