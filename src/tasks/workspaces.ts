import { createId } from "../ids.ts";
import type { Store } from "../store/store.ts";
import { insertSeedInbox, insertWorkspace, type WorkspaceRow } from "../store/workspaces.ts";
import type { System } from "../system/system.ts";

const defaultPlan = "self-hosted";
const localPartLength = 10;
const localPartAlphabet = "abcdefghjkmnpqrstvwxyz0123456789";

/** A workspace that can be used at once: with an active seed inbox (decisions §3, §4). */
export async function createWorkspace(
  store: Store,
  system: Pick<System, "now" | "random">,
  wanted: { readonly name: string; readonly seedDomain: string },
): Promise<WorkspaceRow> {
  const createdAt = system.now();
  const row = {
    id: createId("workspace", createdAt, system.random(16)),
    name: wanted.name,
    plan: defaultPlan,
    created_at: createdAt,
  };
  const localPart = createLocalPart(system.random(localPartLength));
  await store.write(async (db) => {
    await insertWorkspace(db, row);
    await insertSeedInbox(db, {
      id: createId("seedInbox", createdAt, system.random(16)),
      workspace_id: row.id,
      local_part: localPart,
      domain: wanted.seedDomain,
      label: null,
      active: 1,
      created_at: createdAt,
    });
  });
  return { ...row, seed_address: `${localPart}@${wanted.seedDomain}` };
}

function createLocalPart(randomness: Uint8Array): string {
  return Array.from(randomness, (byte) => localPartAlphabet[byte & 31]).join("");
}
