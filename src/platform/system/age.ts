// Encrypted files in the age format (age-encryption.org/v1), by the library of the format's author. It is loaded only
// where a file is encrypted or decrypted. The `age` command reads and writes the same files.

import { open } from "node:fs/promises";
import { ReadableStream as WebStream } from "node:stream/web";
import { Refusal } from "../errors.ts";

export type Chunks = AsyncIterable<Uint8Array>;

/** Who can decrypt: the holders of these recipients' identities, or anyone with the passphrase. */
export type Lock = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** What is tried to decrypt a file. */
export type Unlock = { readonly identities: readonly string[]; readonly passphrase: string | null };

const beginning = "age-encryption.org/v1\n";
const armorBeginning = "-----BEGIN AGE ENCRYPTED FILE-----";

/** Public keys of the kinds that the library can encrypt to. Their checksum is verified when they are used. */
const recipient = /^age1[a-z0-9]{30,3000}$/;
const identity = /^AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{30,200}$/;

export function isRecipient(text: string): boolean {
  return recipient.test(text);
}

/** How a file begins. */
export async function inspectEncryption(file: string): Promise<"age" | "armored age" | "none"> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    const start = buffer.toString("latin1", 0, bytesRead);
    if (start.startsWith(beginning)) return "age";
    return start.startsWith(armorBeginning) ? "armored age" : "none";
  } finally {
    await handle.close();
  }
}

/** The lines of an identity file that are identities. Others are comments. */
export function readIdentities(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => identity.test(line));
}

/** An identity and the recipient that files for it are encrypted to. */
export async function createIdentity(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const age = await import("age-encryption");
  const created = await age.generateX25519Identity();
  return { identity: created, recipient: await age.identityToRecipient(created) };
}

export async function* encryptChunks(plain: Chunks, lock: Lock): Chunks {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  if ("passphrase" in lock) encrypter.setPassphrase(lock.passphrase);
  else for (const each of lock.recipients) addRecipient(encrypter, each);
  yield* await encrypter.encrypt(toStream(plain));
}

/** The types of browsers and of Node differ, but the class is the same. */
function toStream(chunks: Chunks): ReadableStream<Uint8Array> {
  return WebStream.from(chunks) as unknown as ReadableStream<Uint8Array>;
}

function addRecipient(encrypter: { readonly addRecipient: (text: string) => void }, text: string): void {
  try {
    encrypter.addRecipient(text);
  } catch {
    throw new Refusal(
      "invalid_request",
      `${text} is not a recipient. Copy the line "public key" from age-keygen again.`,
    );
  }
}

/** Throws a Refusal that names the file and says what to do, before the first chunk if the key is wrong. */
export async function* decryptChunks(encrypted: Chunks, unlock: Unlock, name: string): Chunks {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  for (const each of unlock.identities) decrypter.addIdentity(each);
  if (unlock.passphrase !== null) decrypter.addPassphrase(unlock.passphrase);
  let plain: AsyncIterable<Uint8Array>;
  try {
    plain = await decrypter.decrypt(toStream(encrypted));
  } catch (error) {
    throw isWrongKey(error) ? wrongKey(name) : damaged(name);
  }
  try {
    yield* plain;
  } catch (error) {
    // What reads and what writes reports its own trouble.
    if (error instanceof Refusal || (error instanceof Error && "code" in error)) throw error;
    throw damaged(name);
  }
}

function isWrongKey(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("no identity matched");
}

function wrongKey(name: string): Refusal {
  return new Refusal(
    "conflict",
    `${name} is encrypted, and not for this identity or passphrase. Name the right identity file with --identity, or the file with its passphrase with --passphrase-file. Nothing was changed.`,
  );
}

function damaged(name: string): Refusal {
  return new Refusal(
    "conflict",
    `${name} is damaged or incomplete, so it cannot be decrypted. Use another backup. Nothing was changed.`,
  );
}
