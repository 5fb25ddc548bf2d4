// The server's secret key. Each secret at rest is encrypted under a key that is derived from it for one purpose. The file has
// the same form as ASSAY_SECRET_KEY, so that its content can be moved into that setting.

import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createPrivateFile } from "./private-file.ts";
import type { System } from "./system.ts";

export type SecretKey = {
  /** Stored in the database to recognize another key. Reveals nothing about the key. */
  readonly fingerprint: string;
  /** 32 bytes for one purpose. The name of a purpose must not change once something is encrypted under it. */
  readonly derive: (purpose: string) => Uint8Array;
};

type SecretKeyReading =
  | { readonly ok: true; readonly secretKey: SecretKey; readonly isNew: boolean }
  | { readonly ok: false; readonly problem: string };

type KeyFileState = "absent" | "private" | "readable by others" | "damaged" | "unreadable";

const minLength = 32;

export function secretKeyPath(dataDir: string): string {
  return join(dataDir, "secret.key");
}

/**
 * The configured key, otherwise the one in the data directory, otherwise a new one there. A new one is not allowed if the
 * database already has a key.
 */
export async function loadSecretKey(
  configured: string | null,
  dataDir: string,
  random: (byteCount: number) => Uint8Array,
  mayBeMade: boolean,
): Promise<SecretKeyReading> {
  if (configured !== null) return { ok: true, secretKey: createSecretKey(configured), isNew: false };
  const path = secretKeyPath(dataDir);
  if (!mayBeMade && (await inspectKeyFile(path)) === "absent")
    return { ok: false, problem: missingKey(path) };
  const isNew = (await inspectKeyFile(path)) === "absent" && (await makeKeyFile(path, random));
  const state = await inspectKeyFile(path);
  if (state !== "private") return { ok: false, problem: describeKeyFile(path, state) };
  return { ok: true, secretKey: createSecretKey((await readFile(path, "utf8")).trim()), isNew };
}

export async function inspectKeyFile(path: string): Promise<KeyFileState> {
  try {
    const status = await stat(path);
    if (!status.isFile()) return "damaged";
    if ((status.mode & 0o077) !== 0) return "readable by others";
    return isKeyText((await readFile(path, "utf8")).trim()) ? "private" : "damaged";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "absent" : "unreadable";
  }
}

export function describeKeyFile(path: string, state: KeyFileState): string {
  const words: Readonly<Record<KeyFileState, string>> = {
    absent: `${path} does not exist yet. Assay creates it at first start.`,
    private: `${path} is readable only by its owner.`,
    "readable by others": `Other users can read or change ${path}, the key for all stored secrets. Run chmod 600 ${path}`,
    damaged: `${path} does not contain a secret key. Restore it from a backup, or delete it to create a new key. Without the old key, stored secrets are lost.`,
    unreadable: `${path} cannot be read. It must belong to the user that runs Assay.`,
  };
  return words[state];
}

function missingKey(path: string): string {
  return `${path} is missing, and the secrets in this database are encrypted with it. Restore it from your backup. No new key was created.`;
}

function createSecretKey(text: string): SecretKey {
  const derive = (purpose: string) => new Uint8Array(hkdfSync("sha256", text, "", `assay ${purpose}`, 32));
  const fingerprint = createHash("sha256").update(derive("fingerprint")).digest("hex").slice(0, 32);
  return { fingerprint, derive };
}

/** False if another process was faster. Then its key counts. */
async function makeKeyFile(path: string, random: (byteCount: number) => Uint8Array): Promise<boolean> {
  try {
    await createPrivateFile(path, `${Buffer.from(random(32)).toString("base64url")}\n`);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isKeyText(text: string): boolean {
  return text.length >= minLength && text.length <= 4_096 && /^[\x21-\x7e]+$/.test(text);
}

// Encrypts secrets at rest with AES-256-GCM, under a key for one purpose and bound to their row, so that a secret cannot be
// moved to another row.

export type Sealer = {
  /** `boundTo`: the only place that may decrypt it, such as "alerts/alr_…/url". */
  readonly seal: (secret: string, boundTo: string) => string;
  /** Undefined if it was sealed with another key or for another place, or was changed. */
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
