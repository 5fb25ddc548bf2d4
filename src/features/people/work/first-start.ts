// What every installation needs at startup: an ID, the fingerprint of its secret key, and a workspace with a seed
// inbox.

import { readMeta, writeMetaOnce } from "../../../platform/database/engine/meta.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { notTheKey } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { listWorkspaces, withSampleAddresses } from "../rows/workspaces.ts";
import type { Plans } from "../rules/plans.ts";
import { addWorkspace, type WantedWorkspace } from "./workspaces.ts";

const firstWorkspaceName = "Default";

type InstallationFacts = {
  readonly config: Pick<Config, "seedDomains" | "secretKey">;
  readonly plans: Plans;
  readonly keyFingerprint: string;
};

/** Returns the seed address of the first workspace, or null if it has none at a configured seed domain. */
export async function ensureInstallation(
  store: Store,
  system: Pick<System, "now" | "random">,
  { config, plans, keyFingerprint }: InstallationFacts,
): Promise<string | null> {
  await checkSecretKey(store, keyFingerprint, config);
  const [seedDomain = ""] = config.seedDomains;
  await makeFirstWorkspace(store, system, { seedDomain, plan: plans.fallback.name });
  const first = (await listWorkspaces(store.read)).slice(0, 1);
  const [shown] = await withSampleAddresses(store.read, first, config.seedDomains);
  return shown?.seed_address ?? null;
}

/** Two processes may start at once on one database. The one that writes its mark first creates the workspace. */
async function makeFirstWorkspace(
  store: Store,
  system: Pick<System, "now" | "random">,
  wanted: Omit<WantedWorkspace, "name">,
): Promise<void> {
  if ((await readMeta(store.read, "installation_id")) !== undefined) return;
  const mark = Buffer.from(system.random(16)).toString("hex");
  await store.write(async (db) => {
    const isOurs = (await writeMetaOnce(db, "installation_id", mark)) === mark;
    if (isOurs) await addWorkspace(db, system, { name: firstWorkspaceName, ...wanted });
  });
}

/**
 * With another key, every secret in the database is unreadable. Refusing to start is better than running half broken.
 */
async function checkSecretKey(
  store: Store,
  fingerprint: string,
  { secretKey }: Pick<Config, "secretKey">,
): Promise<void> {
  const key = "secret_key_fingerprint";
  const known = (await readMeta(store.read, key)) ?? (await store.write((db) => writeMetaOnce(db, key, fingerprint)));
  if (known === fingerprint) return;
  throw new Refusal("conflict", notTheKey(secretKey), { needsOperator: true });
}
