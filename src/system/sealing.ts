// Secrets at rest: AES-256-GCM under a key derived for one purpose, bound to what they belong to, so that one row's
// secret cannot be moved to another.

import { createCipheriv, createDecipheriv } from "node:crypto";
import type { System } from "./system.ts";

export type Sealer = {
  /** `boundTo`: what alone may open it, such as "alerts/alr_…/url". */
  readonly seal: (secret: string, boundTo: string) => string;
  /** Undefined when it was sealed with another key, for something else, or was changed. */
  readonly open: (sealed: string, boundTo: string) => string | undefined;
};

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** `key`: 32 bytes. */
export function createSealer(key: Uint8Array, random: System["random"]): Sealer {
  return {
    seal: (secret, boundTo) => {
      const nonce = random(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(boundTo));
      const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64");
    },
    open: (sealed, boundTo) => {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        const body = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([body, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
