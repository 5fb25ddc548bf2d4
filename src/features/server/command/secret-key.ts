// Replacing the secret key, and going on without a lost one. No server may run meanwhile, because it would go on with the
// old key.

import { readFile } from "node:fs/promises";
import { toPlural } from "../../../analyzer/count-words.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { recorded } from "../../../platform/audit/rows/recording.ts";
import {
  type Arguments,
  answer,
  type Command,
  type ExitCode,
  type LoadFeatures,
  type Terminal,
} from "../../../platform/cli/command.ts";
import { loadConfig } from "../../../platform/cli/settings.ts";
import { readMeta } from "../../../platform/database/engine/meta.ts";
import type { LostSecret, Secrets } from "../../../platform/database/engine/sealed-rows.ts";
import { lockDataDirectory, openStore, storeLocation } from "../../../platform/database/open.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import {
  createSecretKey,
  describeKeyFile,
  finishRotation,
  inspectKeyFile,
  isKeyText,
  loadSecretKey,
  notTheKey,
  prepareNextKey,
  type SecretKey,
  secretKeyPath,
  setKeyAside,
} from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { forgetSecrets, listSecrets, resealSecrets } from "../upkeep/secrets.ts";
import { toIntent } from "./with-store.ts";

const stopped = { stopped: { doc: "With PostgreSQL: confirm that every server on this database is stopped." } };

export const secretKeyRotate: Command = {
  group: "maintain",
  name: "secret-key rotate",
  summary: "Encrypt all stored secrets under a new key. Stop Assay first.",
  usage: "secret-key rotate [--new-key-file <file>] [--stopped] [--json]",
  example: "assay secret-key rotate",
  options: {
    "new-key-file": {
      value: "file",
      doc: "File with the new key, if the key is set in ASSAY_SECRET_KEY. At least 32 characters.",
    },
    ...stopped,
  },
  details: () =>
    "The old key is kept next to the new one, because backups made before need it.\nLinks in alert emails that were already sent end.",
  run: (args, terminal, features) =>
    withoutServer(args, terminal, (context) => rotate({ ...context, features }, args, terminal), "key.rotate"),
};

export const secretKeyForget: Command = {
  group: "maintain",
  name: "secret-key forget",
  summary: "Go on after the secret key was lost: remove what only that key can decrypt.",
  usage: "secret-key forget [--yes] [--stopped] [--json]",
  example: "assay secret-key forget --yes",
  options: { yes: { doc: "Remove them. Without this, they are only listed." }, ...stopped },
  details: () =>
    "Tests, reports, people, and API tokens stay. Passwords of connections, URLs of alerts and relays, secrets of incoming webhooks,\nDKIM signing keys, and settings that were saved in the app are removed and must be entered again. The next start creates a new key.",
  run: (args, terminal, features) => {
    const action = args.flag("yes") ? "key.forget" : undefined;
    return withoutServer(args, terminal, (context) => forget({ ...context, features }, args, terminal), action);
  },
};

type Context = { readonly config: Config; readonly system: System; readonly store: Store };

/** Holds the lock of a server, so that none starts meanwhile. */
async function withoutServer(
  args: Arguments,
  terminal: Terminal,
  work: (context: Context) => Promise<ExitCode>,
  action?: "key.rotate" | "key.forget",
): Promise<ExitCode> {
  const config = await loadConfig(args, terminal);
  if (config.databaseUrl !== null && !args.flag("stopped"))
    throw new Refusal(
      "conflict",
      "Stop every server on this database first, then add --stopped. A running server would go on with the old key.",
    );
  if (config.databaseUrl !== null) {
    const { requireNoServer } = await import("../../../platform/database/engine/postgres-client.ts");
    await requireNoServer(config.databaseUrl);
  }
  const [{ createSystem }, { prepareDataDirectory }] = await Promise.all([
    import("../../../platform/system/real.ts"),
    import("../installation.ts"),
  ]);
  const output = { write: terminal.err, format: "text", colour: terminal.colour, level: "warn" } as const;
  const system = createSystem(config, output);
  try {
    await prepareDataDirectory(config.dataDir);
    const lock = config.databaseUrl === null ? lockDataDirectory(config.dataDir) : null;
    try {
      const store = await openStore(storeLocation(config), system);
      const run = () => work({ config, system, store });
      const intent = action && toIntent({ action, log: "server" });
      return await (intent ? recorded({ store, system }, intent, run) : run()).finally(store.close);
    } finally {
      lock?.release();
    }
  } finally {
    await system.close();
  }
}

type WithFeatures = Context & { readonly features: LoadFeatures };

async function rotate(context: WithFeatures, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { config, system, store } = context;
  const { path, known, loaded } = await readCurrentKey({ config, system, store });
  if (!loaded.ok) throw new Refusal("conflict", loaded.problem);
  const old = loaded.secretKey;
  if (old.fingerprint !== known) throw new Refusal("conflict", `${notTheKey(config.secretKey)} Nothing was changed.`);
  const given = config.secretKey === null ? null : await readNewKey(args.option("new-key-file"));
  const next = given ?? (await prepareNextKey(config.dataDir, system.random));
  const secrets = await resealSecrets({ store, system }, await secretsOf(context), { old, next });
  const kept = given === null ? await finishRotation(path, next.fingerprint) : null;
  const todo =
    given === null
      ? `The old key was moved to ${kept}. Backups made before need it, so keep it with them.\nBack up the new ${path}.`
      : "Set ASSAY_SECRET_KEY to the new key before you start Assay. Backups made before need the old one.";
  const text = `${toPlural(secrets, "secret is", "secrets are")} encrypted under the new key.\n${todo}`;
  return answer(args, terminal, { secrets, oldKey: kept }, () => text);
}

async function readNewKey(file: string | undefined): Promise<SecretKey> {
  if (file === undefined)
    throw new Refusal(
      "invalid_request",
      "The key is set in ASSAY_SECRET_KEY. Write the new one to a file, and name it with --new-key-file.",
    );
  const text = await readFile(file, "utf8").catch(() => {
    throw new Refusal("invalid_request", `Cannot read ${JSON.stringify(file)}.`);
  });
  if (!isKeyText(text.trim()))
    throw new Refusal(
      "invalid_request",
      `${file} does not contain a key: one line of at least 32 characters without spaces.`,
    );
  return createSecretKey(text.trim());
}

async function secretsOf({ features }: WithFeatures): Promise<readonly Secrets[]> {
  return (await features()).flatMap(({ secrets = [] }) => secrets);
}

async function forget(context: WithFeatures, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { config, system, store } = context;
  const { path, known, loaded } = await readCurrentKey({ config, system, store });
  await requireLost(config, path);
  if (loaded.ok && loaded.secretKey.fingerprint === known)
    throw new Refusal(
      "conflict",
      "The secret key fits this database, so nothing is lost. To replace it, run assay secret-key rotate.",
    );
  const isDone = args.flag("yes");
  const lost = isDone
    ? await forgetSecrets({ store, system }, await secretsOf(context))
    : await listSecrets(store.read, await secretsOf(context));
  const kept = isDone && config.secretKey === null ? await setKeyAside(path) : null;
  const moved = kept === null ? "" : `\nThe key that did not fit was moved to ${kept}.`;
  const text = isDone
    ? `Removed. Enter these again after you start Assay:\n\n${toList(lost)}${moved}\n\nThe next start creates a new key. Back it up.`
    : `These cannot be decrypted without the lost key and would be removed:\n\n${toList(lost)}\n\nTests, reports, people, and API tokens stay. To go on, run this again with --yes.`;
  return answer(args, terminal, { isDone, ...toShown(lost), oldKey: kept }, () => text);
}

type Lost = Readonly<Record<string, readonly LostSecret[]>>;

function toShown(lost: Lost): Readonly<Record<string, readonly unknown[]>> {
  return Object.fromEntries(Object.entries(lost).map(([name, list]) => [name, list.map(({ shown }) => shown)]));
}

function toList(lost: Lost): string {
  const lines = Object.values(lost).flatMap((list) => list.map(({ says }) => toVisible(`  ${says}`)));
  return lines.length === 0 ? "  Nothing: no secrets are stored." : lines.join("\n");
}

/** `known`: the fingerprint of the key that the database was encrypted with. */
async function readCurrentKey({ config, system, store }: Context) {
  const known = await requireUsed(store);
  // Finishes a rotation that was killed.
  const loaded = await loadSecretKey(config.secretKey, config.dataDir, system.random, known);
  return { path: secretKeyPath(config.dataDir), known, loaded };
}

async function requireUsed({ read }: Store): Promise<string> {
  const known = await readMeta(read, "secret_key_fingerprint");
  if (known !== undefined) return known;
  throw new Refusal("conflict", "This database has no secret key yet. Assay creates one at its next start.");
}

/** A key that only can't be read now is not lost. */
async function requireLost({ secretKey }: Config, path: string): Promise<void> {
  if (secretKey !== null) return;
  const state = await inspectKeyFile(path);
  if (state === "readable by others" || state === "unreadable")
    throw new Refusal("conflict", `The key may not be lost. Nothing was changed. ${describeKeyFile(path, state)}`);
}
