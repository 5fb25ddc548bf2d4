import { Refusal } from "../errors.ts";
import { createId } from "../ids.ts";
import type { Db } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { insertWorkspace, listWorkspaces, type WorkspaceRow } from "../store/workspaces.ts";
import type { System } from "../system/system.ts";
import { toVisibleCut } from "../visible-text.ts";
import { addInboxAtRandom } from "./seed-inboxes.ts";

const defaultPlan = "self-hosted";

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
  await insertWorkspace(db, row);
  const wanted = { workspaceId: row.id, domain: seedDomain, label: null, active: 1 } as const;
  const inbox = await addInboxAtRandom(db, system, wanted);
  return { ...row, seed_address: `${inbox.local_part}@${inbox.domain}` };
}

/** The workspace that `ASSAY_CATCH_ALL` names, by its id or its name; refuses the start rather than losing mail. */
export async function findCatchAll(db: Db, wanted: string | null): Promise<string | null> {
  if (wanted === null) return null;
  const workspaces = await listWorkspaces(db);
  const named = workspaces.filter(({ id, name }) => id === wanted || name === wanted);
  const [only] = named;
  if (only && named.length === 1) return only.id;
  const problem = only
    ? `${named.length} workspaces have this name: give the id of one`
    : "there is no workspace with this id or name";
  throw new Refusal(
    "conflict",
    `ASSAY_CATCH_ALL is ${JSON.stringify(toVisibleCut(wanted, 100))}: ${problem} (assay workspace list shows them).`,
  );
}
