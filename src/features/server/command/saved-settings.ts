// For commands that run next to a server and don't open its database: the settings that were changed in the app, read
// without changing anything.

import { join } from "node:path";
import type { Arguments, Terminal } from "../../../platform/cli/command.ts";
import { loadSettings } from "../../../platform/cli/settings.ts";
import { messageOf } from "../../../platform/errors.ts";
import { type Config, changeableSettings, settings } from "../../../platform/settings/config.ts";

type Loaded = { readonly config: Config; readonly given: readonly string[]; readonly saved: readonly string[] };

/** The settings of this run, with those that the server of the data directory has saved. `saved`: their names. */
export async function loadWithSaved(args: Arguments, terminal: Terminal): Promise<Loaded> {
  const { config, given } = await loadSettings(args, terminal);
  try {
    const saved = await readSaved(config, given);
    return { config: { ...config, ...saved }, given, saved: Object.keys(saved).map(toName) };
  } catch (error) {
    // The server check says more about it.
    terminal.err(`The settings that were changed in the app can't be read: ${messageOf(error)}\n`);
    return { config, given, saved: [] };
  }
}

function toName(key: string): string {
  return settings[key as keyof Config].name;
}

async function readSaved(config: Config, given: readonly string[]): Promise<Partial<Config>> {
  const [{ listSqliteSettings, listPostgresSettings }, { createSealer, createSecretKey, readKeyText }, rules] =
    await Promise.all([
      import("../../../platform/database/engine/list-settings.ts"),
      import("../../../platform/system/secret-key.ts"),
      import("../work/server-settings.ts"),
    ]);
  const sealed =
    config.databaseUrl === null
      ? await listSqliteSettings(join(config.dataDir, "assay.db"))
      : await listPostgresSettings(config.databaseUrl);
  if (sealed.size === 0) return {};
  const key = createSecretKey(config.secretKey ?? (await readKeyText(config)) ?? "");
  const { open } = createSealer(key.derive(rules.settingSealing), () => new Uint8Array());
  const free = changeableSettings.filter((each) => !given.includes(settings[each].name));
  const values = free.flatMap((each) => {
    const { name } = settings[each];
    const text = open(sealed.get(name) ?? "", name);
    const value = text === undefined ? undefined : rules.readSavedValue(each, text);
    return value === undefined ? [] : [[each, value] as const];
  });
  return Object.fromEntries(values);
}
