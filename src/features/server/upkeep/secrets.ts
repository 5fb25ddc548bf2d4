// Every secret at rest, for changing the secret key and for going on without a lost one. Each feature says which columns
// it has encrypted; test/features/server/command/secret-key.test.ts finds those that are missing.

import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { listSavedSettings, removeMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import {
  forgetSealed,
  type LostSecret,
  type Secrets,
  updateSealed,
} from "../../../platform/database/engine/sealed-rows.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createSealer, type SecretKey } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { settingSealing } from "../work/server-settings.ts";

type Keys = { readonly old: SecretKey; readonly next: SecretKey };

/**
 * Encrypts every secret under the next key, in one transaction: a server finds all of them under one key or all under the
 * other. Returns their number.
 */
export async function resealSecrets(
  { store, system }: { readonly store: Pick<Store, "write">; readonly system: Pick<System, "random"> },
  secrets: readonly Secrets[],
  { old, next }: Keys,
): Promise<number> {
  const reseal = (purpose: string) => {
    const from = createSealer(old.derive(purpose), system.random);
    const to = createSealer(next.derive(purpose), system.random);
    return (sealed: string, boundTo: string) => {
      const secret = from.open(sealed, boundTo);
      if (secret === undefined)
        throw new Refusal("conflict", `${boundTo} cannot be decrypted, so the secret key was not changed.`);
      return to.seal(secret, boundTo);
    };
  };
  return await store.write(async (db) => {
    let count = 0;
    for (const { tables, beforeChange } of secrets) {
      await beforeChange?.(db);
      for (const sealed of tables) count += await updateSealed(db, sealed, reseal(sealed.purpose));
    }
    const resealSetting = reseal(settingSealing);
    for (const { name, sealed } of await listSavedSettings(db)) {
      await writeMeta(db, `setting:${name}`, resealSetting(sealed, name));
      count += 1;
    }
    await writeMeta(db, "secret_key_fingerprint", next.fingerprint);
    recordChange();
    return count;
  });
}

/** By name of the feature. Nothing of it can be decrypted without the key. */
export async function listSecrets(
  db: Db,
  secrets: readonly Secrets[],
): Promise<Readonly<Record<string, readonly LostSecret[]>>> {
  const lost: Record<string, readonly LostSecret[]> = {};
  for (const { name, list } of secrets) if (list) lost[name] = await list(db);
  const settings = await listSavedSettings(db);
  const saved = settings.map(({ name }) => ({ says: `Setting ${name}, which was saved in the app`, shown: name }));
  return { ...lost, settings: saved };
}

/** Removes every secret, and the mark of the key, so that the next start creates a key. */
export async function forgetSecrets(
  { store, system }: { readonly store: Pick<Store, "write">; readonly system: Pick<System, "now"> },
  secrets: readonly Secrets[],
): Promise<Awaited<ReturnType<typeof listSecrets>>> {
  const at = system.now();
  return await store.write(async (db) => {
    recordChange();
    const lost = await listSecrets(db, secrets);
    for (const { tables, beforeChange, beforeLoss } of secrets) {
      await beforeChange?.(db);
      await beforeLoss?.(db);
      for (const sealed of tables) await forgetSealed(db, sealed, at);
    }
    for (const { name } of await listSavedSettings(db)) await removeMeta(db, `setting:${name}`);
    await removeMeta(db, "secret_key_fingerprint");
    return lost;
  });
}
