import { createId } from "../ids.ts";
import type { Db } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import { insertSeedInbox } from "../store/seed-inboxes.ts";
import type { Store } from "../store/store.ts";
import { insertWorkspace, type WorkspaceRow } from "../store/workspaces.ts";
import type { System } from "../system/system.ts";

const defaultPlan = "self-hosted";
const localPartLength = 10;
const localPartAlphabet = "abcdefghjkmnpqrstvwxyz0123456789";

export type WantedWorkspace = { readonly name: string; readonly seedDomain: string };

/** A workspace that can be used at once: with an active seed inbox (decisions §3, §4). */
export function createWorkspace(
  store: Store,
  system: Pick<System, "now" | "random">,
  wanted: WantedWorkspace,
): Promise<WorkspaceRow> {
  return store.write((db) => addWorkspace(db, system, wanted));
}

export async function addWorkspace(
  db: Db,
  system: Pick<System, "now" | "random">,
  { name, seedDomain }: WantedWorkspace,
): Promise<WorkspaceRow> {
  const createdAt = system.now();
  const row = {
    id: createId("workspace", createdAt, system.random(16)),
    name,
    plan: defaultPlan,
    created_at: createdAt,
  };
  const localPart = createLocalPart(system.random(localPartLength));
  await insertWorkspace(db, row);
  const isFree = await insertSeedInbox(inWorkspace(db, row.id), {
    id: createId("seedInbox", createdAt, system.random(16)),
    local_part: localPart,
    domain: seedDomain,
    label: null,
    active: 1,
    created_at: createdAt,
  });
  if (!isFree) throw new Error(`The random seed address ${localPart}@${seedDomain} is taken already.`);
  return { ...row, seed_address: `${localPart}@${seedDomain}` };
}

function createLocalPart(randomness: Uint8Array): string {
  return Array.from(randomness, (byte) => localPartAlphabet[byte & 31]).join("");
}
