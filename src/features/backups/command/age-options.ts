// The options of commands that encrypt or decrypt a file. Secrets come from files or settings, never from the command line,
// which other users of the machine can see.

import { readFile } from "node:fs/promises";
import type { Arguments } from "../../../platform/cli/command.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { isRecipient, type Lock, readIdentities, type Unlock } from "../../../platform/system/age.ts";

/** `settings`: what counts without options. Null: no encryption. */
export async function readLock(args: Arguments, settings: Pick<Config, "backupRecipients">): Promise<Lock | null> {
  const recipients = args.list("recipient");
  const file = args.option("passphrase-file");
  const wrong = recipients.find((each) => !isRecipient(each));
  if (wrong !== undefined)
    throw new Refusal("invalid_request", `--recipient ${wrong} is not a public key of age. It begins with age1.`);
  if (recipients.length > 0 && file !== undefined)
    throw new Refusal("invalid_request", "Use either --recipient or --passphrase-file. age cannot use both.");
  if (file !== undefined) return { passphrase: await readPassphrase(file) };
  if (recipients.length > 0) return { recipients };
  const { toLock } = await import("../work/make-backup.ts");
  return toLock(settings);
}

export async function readUnlock(args: Arguments): Promise<Unlock> {
  const file = args.option("passphrase-file");
  const passphrase = file === undefined ? null : await readPassphrase(file);
  const identity = args.option("identity");
  if (identity === undefined) return { identities: [], passphrase };
  const text = await readFile(identity, "utf8").catch(() => null);
  if (text === null) throw new Refusal("invalid_request", `The identity file ${identity} cannot be read.`);
  const identities = readIdentities(text);
  if (identities.length > 0) return { identities, passphrase };
  const hint = text.startsWith("age-encryption.org/")
    ? "It is encrypted itself. Decrypt it first: age -d."
    : "It must have a line that begins with AGE-SECRET-KEY-1, as age-keygen writes it.";
  throw new Refusal("invalid_request", `${identity} has no identity of age. ${hint}`);
}

const leastPassphrase = 12;

/** Its first line. */
async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) throw new Refusal("invalid_request", `The passphrase file ${file} cannot be read.`);
  const [line = ""] = text.split(/\r?\n/, 1);
  if (line.length >= leastPassphrase) return line;
  throw new Refusal(
    "invalid_request",
    `The first line of ${file} is not a passphrase: it must have at least ${leastPassphrase} characters.`,
  );
}
