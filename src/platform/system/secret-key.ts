// The server's secret key. Each secret at rest is encrypted under a key that is derived from it for one purpose. The file has
// the same form as ASSAY_SECRET_KEY, so that its content can be moved into that setting.

import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { readFile, rename, rm, stat } from "node:fs/promises";
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
 * The configured key, otherwise the one in the data directory, otherwise a new one there. `known`: the fingerprint of the
 * database's key. Undefined if it has none yet, and only then a new key is created.
 */
export async function loadSecretKey(
  configured: string | null,
  dataDir: string,
  random: (byteCount: number) => Uint8Array,
  known: string | undefined,
): Promise<SecretKeyReading> {
  if (configured !== null) return { ok: true, secretKey: createSecretKey(configured), isNew: false };
  const path = secretKeyPath(dataDir);
  if (known !== undefined) await finishRotation(path, known);
  if (known !== undefined && (await inspectKeyFile(path)) === "absent") return { ok: false, problem: missingKey(path) };
  const isNew = (await inspectKeyFile(path)) === "absent" && (await makeKeyFile(path, random));
  const state = await inspectKeyFile(path);
  if (state !== "private") return { ok: false, problem: describeKeyFile(path, state) };
  return { ok: true, secretKey: createSecretKey((await readFile(path, "utf8")).trim()), isNew };
}

type KeyInspection = { readonly state: "fits" | "absent" | "wrong"; readonly says: string };

/** What a start would find, without changing anything. `known`: as above, null if it's none or unknown. */
export async function inspectSecretKey(
  configured: string | null,
  dataDir: string,
  known: string | null,
): Promise<KeyInspection> {
  const fits = (text: string) => known === null || createSecretKey(text).fingerprint === known;
  if (configured !== null)
    return fits(configured)
      ? { state: "fits", says: "Set in ASSAY_SECRET_KEY." }
      : { state: "wrong", says: notTheKey(configured) };
  const path = secretKeyPath(dataDir);
  // A rotation that was interrupted is finished at the start.
  if (known !== null && (await readFingerprint(nextKeyPath(path))) === known)
    return { state: "fits", says: describeKeyFile(path, "private") };
  const file = await inspectKeyFile(path);
  if (file === "absent" && known !== null) return { state: "wrong", says: missingKey(path) };
  if (file === "absent") return { state: "absent", says: describeKeyFile(path, file) };
  if (file !== "private") return { state: "wrong", says: describeKeyFile(path, file) };
  return fits((await readFile(path, "utf8")).trim())
    ? { state: "fits", says: describeKeyFile(path, file) }
    : { state: "wrong", says: notTheKey(null) };
}

/** The content of the key's file. Null: the key is a setting, which the operator keeps elsewhere. */
export async function readKeyText(settings: {
  readonly secretKey: string | null;
  readonly dataDir: string;
}): Promise<string | null> {
  if (settings.secretKey !== null) return null;
  return (await readFile(secretKeyPath(settings.dataDir), "utf8")).trim();
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
    absent: `${path} does not exist. Assay creates it at first start.`,
    private: `${path} is readable only by its owner.`,
    "readable by others": `Other users can read or change ${path}, the key for all stored secrets. Run chmod 600 ${path}`,
    damaged: `${path} does not contain a secret key. ${howToGoOn}`,
    unreadable: `${path} cannot be read. It must belong to the user that runs Assay.`,
  };
  return words[state];
}

function missingKey(path: string): string {
  return `${path} is missing, and the secrets in this database are encrypted with it. ${howToGoOn}`;
}

export function notTheKey(configured: string | null): string {
  const source = configured === null ? "The file secret.key in the data directory" : "ASSAY_SECRET_KEY";
  return `${source} is not the secret key that this database was encrypted with. ${howToGoOn}`;
}

/** Ends each sentence about a key that doesn't fit. */
const howToGoOn =
  "Restore it from your backup. If it is lost, run assay secret-key forget: tests, reports, and accounts stay, and you enter the lost passwords and webhook URLs again.";

export function createSecretKey(text: string): SecretKey {
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

export function isKeyText(text: string): boolean {
  return text.length >= minLength && text.length <= 4_096 && /^[\x21-\x7e]+$/.test(text);
}

// Another key for the same database. The next key's file is complete before the database is written under it, and takes
// the old one's place afterward. A process that was killed in between left both, and the database tells which one counts.

const nextKeyPath = (path: string) => `${path}.next`;

/** Writes the key that the next rotation of this data directory uses. */
export async function prepareNextKey(dataDir: string, random: System["random"]): Promise<SecretKey> {
  const next = nextKeyPath(secretKeyPath(dataDir));
  await rm(next, { force: true });
  await makeKeyFile(next, random);
  return createSecretKey((await readFile(next, "utf8")).trim());
}

/**
 * Returns where the old key was moved, which backups made before need. Null if the database isn't written under the next
 * key.
 */
export async function finishRotation(path: string, known: string): Promise<string | null> {
  const next = nextKeyPath(path);
  if ((await readFingerprint(next)) !== known) return null;
  const kept = await setKeyAside(path);
  await rename(next, path);
  return kept;
}

async function readFingerprint(path: string): Promise<string | null> {
  if ((await inspectKeyFile(path)) !== "private") return null;
  return createSecretKey((await readFile(path, "utf8")).trim()).fingerprint;
}

/** Returns its new name, which begins with that of the `current` key. Null if there is no file. */
export async function setKeyAside(path: string, current = path): Promise<string | null> {
  if ((await inspectKeyFile(path)) === "absent") return null;
  for (let number = 1; ; number += 1) {
    const kept = `${current}.old-${number}`;
    if ((await inspectKeyFile(kept)) !== "absent") continue;
    await rename(path, kept);
    return kept;
  }
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

type Keys = { readonly secretKey: Pick<SecretKey, "derive">; readonly system: Pick<System, "random"> };

/** Each purpose has its own key. */
export function createSealerFor({ secretKey, system }: Keys, purpose: string): Sealer {
  return createSealer(secretKey.derive(purpose), system.random);
}

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
