// What must be there before anything else: an id of the installation, the fingerprint of its secret key, a workspace with a seed inbox.

import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { writeMetaOnce } from "../store/meta.ts";
import type { Store } from "../store/store.ts";
import { listWorkspaces } from "../store/workspaces.ts";
import type { System } from "../system/system.ts";
import { createWorkspace } from "./workspaces.ts";

const firstWorkspaceName = "Default";

/** Answers the seed address of the first workspace. Safe when two processes do it at once on one database: each step is one transaction that looks before it writes. */
export async function ensureInstallation(
  store: Store,
  system: Pick<System, "now" | "random">,
  { config, keyFingerprint }: { readonly config: Pick<Config, "seedDomains" | "secretKey">; readonly keyFingerprint: string },
): Promise<string> {
  await checkSecretKey(store, keyFingerprint, config);
  const [first] = await listWorkspaces(store.read);
  const [seedDomain = ""] = config.seedDomains;
  const workspace = first ?? (await createWorkspace(store, system, { name: firstWorkspaceName, seedDomain }));
  return workspace.seed_address ?? "";
}

/** With another key, every secret in the database would be unreadable: better no start than one that seems to work. */
async function checkSecretKey(store: Store, fingerprint: string, { secretKey }: Pick<Config, "secretKey">): Promise<void> {
  const known = await store.write((db) => writeMetaOnce(db, "secret_key_fingerprint", fingerprint));
  if (known === fingerprint) return;
  const source = secretKey === null ? "The file secret.key in the data directory" : "ASSAY_SECRET_KEY";
  throw new Refusal("conflict", `${source} is another secret key than the one this database was made with (ASSAY_SECRET_KEY or secret.key): put the old one back. Nothing was changed.`);
}
