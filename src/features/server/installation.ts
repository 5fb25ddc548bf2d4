// What commands and the server share: the data directory, its secret key, the open database.

import { readMeta } from "../../platform/database/engine/meta.ts";
import { createMessages, type Messages, openObjects } from "../../platform/database/messages.ts";
import { openStore, type StoreOptions, storeLocation } from "../../platform/database/open.ts";
import type { Store } from "../../platform/database/store.ts";
import { Refusal } from "../../platform/errors.ts";
import type { Config } from "../../platform/settings/config.ts";
import { ensureDataDirectory } from "../../platform/system/data-directory.ts";
import { createSealerFor, loadSecretKey, type SecretKey } from "../../platform/system/secret-key.ts";
import type { System } from "../../platform/system/system.ts";
import { recordRestore } from "../audit-log/work/restore-note.ts";
import type { Plans } from "../people/rules/plans.ts";
import { ensureInstallation } from "../people/work/first-start.ts";
import { loadPlans } from "../people/work/load-plans.ts";
import { findCountedTests } from "../tests/rows/lists.ts";
import { createServerSettings, type ServerSettings, settingSealing } from "./work/server-settings.ts";

export type Installation = {
  readonly store: Store;
  readonly seedAddress: string | null;
  readonly secretKey: SecretKey;
  readonly plans: Plans;
  readonly serverSettings: ServerSettings;
};

/**
 * Expects a directory that `prepareDataDirectory` has checked. The caller closes the store. `given`: names of the settings
 * that the environment or the settings file sets. The others get what was saved in the app.
 */
export async function openInstallation(
  config: Config,
  system: System,
  given: readonly string[],
  options: StoreOptions = {},
): Promise<Installation> {
  const plans = await loadPlans(config.plans);
  const store = await openStore(storeLocation(config), system, { ...options, reads: { findCountedTests } });
  try {
    const known = await readMeta(store.read, "secret_key_fingerprint");
    const key = await loadSecretKey(config.secretKey, config.dataDir, system.random, known);
    if (!key.ok) throw new Refusal("conflict", key.problem, { needsOperator: true });
    const { secretKey } = key;
    const keyFingerprint = secretKey.fingerprint;
    const sealer = createSealerFor({ secretKey, system }, settingSealing);
    const serverSettings = createServerSettings({ config, system, store, given, sealer });
    await serverSettings.load();
    const seedAddress = await ensureInstallation(store, system, { config, plans, keyFingerprint });
    await recordRestore(store, config.dataDir);
    const messages = await openMessages(config, system, store);
    const close = async () => {
      await store.close();
      messages.close();
    };
    return { store: { ...store, messages, close }, seedAddress, secretKey, plans, serverSettings };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Each installation has its own part of the place, because it deletes what none of its rows points to. */
async function openMessages(config: Config, system: System, store: Store): Promise<Messages> {
  const owner = await readMeta(store.read, "installation_id");
  if (owner === undefined) throw new Error("The installation has no ID.");
  return createMessages({ place: config.messages, objects: await openObjects(config, owner), system });
}

export async function prepareDataDirectory(dataDir: string): Promise<void> {
  const directory = await ensureDataDirectory(dataDir);
  if (!directory.ok) throw new Refusal("conflict", directory.problem, { needsOperator: directory.isOpen === true });
}
