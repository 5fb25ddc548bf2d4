// Creates, changes and deletes workspaces. A deleted workspace is unreachable at once and takes no mail. Its data is
// deleted afterwards in small steps, because deleting a million tests in one transaction would stall intake.

import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope, storeOf, type WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Server } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import { makeChoreDue } from "../../../platform/work/chore-claims.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { type ServeRow, serveOrThrow } from "../../../platform/work/serve-row.ts";
import { insertReleasedAddress } from "../../intake/rows/released-addresses.ts";
import { listSeedInboxes, toInboxAddress } from "../../intake/rows/seed-inboxes.ts";
import { addInboxAtRandom } from "../../intake/work/seed-inboxes.ts";
import { deletionStep } from "../../tests/work/remove-tests.ts";
import { insertMembership } from "../rows/memberships.ts";
import { insertOrigin, lockOrigin, markOriginRemoved } from "../rows/workspace-origins.ts";
import {
  changeWorkspace as changeRow,
  closeWorkspace,
  insertWorkspace,
  isFirstWorkspace,
  listRemovedWorkspaces,
  listWorkspaces,
  lockIfThere,
  lockWorkspace,
  markRemoved,
  noSuchWorkspace,
  readWorkspaces,
  removeSomeAlerts,
  removeSomeDomains,
  removeSomeSends,
  removeSomeTests,
  removeWorkspaceRow,
  type WorkspaceChange,
  type WorkspaceRow,
} from "../rows/workspaces.ts";
import { type Plans, selfHostedPlans } from "../rules/plans.ts";
import { requireRoom } from "./ceilings.ts";

export type WantedWorkspace = {
  readonly name: string;
  readonly seedDomain: string;
  readonly plan?: string;
  /** The user who becomes its owner. Null: created by the server's operator, without members. */
  readonly ownerId?: string | null;
};

/** Creates a workspace with an active seed inbox (src/decisions.md, "Seed inboxes"). */
export function createWorkspace(
  store: Store,
  system: Pick<System, "now" | "random">,
  wanted: WantedWorkspace,
): Promise<WorkspaceRow> {
  return store.write((db) => addWorkspace(db, system, wanted));
}

/** A person's, which their workspaces' plans must allow. */
export type OwnWorkspace = Omit<WantedWorkspace, "plan" | "ownerId"> & {
  readonly plans: Plans;
  readonly ownerId: string;
  /** The workspaces that they own. */
  readonly owned: readonly string[];
};

export function createOwnWorkspace(
  store: Store,
  system: Pick<System, "now" | "random">,
  { plans, owned, ...wanted }: OwnWorkspace,
): Promise<WorkspaceRow> {
  const now = system.now();
  return store.write(async (db) => {
    const originId = await findOriginWithRoom(db, { plans, owned, now });
    const created = await addWorkspace(db, system, { ...wanted, plan: plans.fallback.name });
    await insertOrigin(db, { createdId: created.id, originId, now });
    return created;
  });
}

/** Refuses with the limit of the last one. */
async function findOriginWithRoom(
  db: Db,
  { plans, owned, now }: Pick<OwnWorkspace, "plans" | "owned"> & { readonly now: number },
): Promise<string> {
  let refusal = new Refusal("forbidden", "Only workspace owners can create another workspace.");
  for (const id of owned.toSorted()) {
    const scope = inWorkspace(db, id);
    if (!(await lockIfThere(scope))) continue;
    const originId = await lockOrigin(scope, now);
    try {
      await requireRoom(scope, { plans, ceiling: "workspaces", now });
      return originId;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

export async function addWorkspace(
  db: Db,
  system: Pick<System, "now" | "random">,
  { name, seedDomain, plan = selfHostedPlans.fallback.name, ownerId = null }: WantedWorkspace,
): Promise<WorkspaceRow> {
  const createdAt = system.now();
  const row = { id: createId("workspace", createdAt, system.random(16)), name, plan, created_at: createdAt };
  await insertWorkspace(db, row);
  recordChange({ objectId: row.id, workspaceId: row.id });
  const scope = inWorkspace(db, row.id);
  const wanted = { domain: seedDomain, label: null, active: 1 } as const;
  const inbox = await addInboxAtRandom(scope, system, wanted);
  if (ownerId !== null) {
    const owner = { user_id: ownerId, role: "owner", created_at: createdAt } as const;
    await insertMembership(scope, owner);
  }
  const unset = { sending_volume: null, rehearsal: null, requires_second_factor: 0, outgoing: null, learned: null };
  return { ...row, ...unset, seed_address: toInboxAddress(inbox) };
}

export function changeWorkspace(store: Store, id: string, change: WorkspaceChange): Promise<WorkspaceRow> {
  return store.write(async (db) => {
    await changeRow(inWorkspace(db, id), change);
    recordChange({ workspaceId: id });
    const [row] = await readWorkspaces(db, [id]);
    if (row === undefined) throw noSuchWorkspace();
    return row;
  });
}

export type Deletion = {
  readonly id: string;
  /** The workspace in `ASSAY_CATCH_ALL`. */
  readonly catchAll: string | null;
  /** What features do first. Throws if one needs the workspace. */
  readonly before: (workspace: Scope) => Promise<void>;
};

export async function deleteWorkspace(
  store: Store,
  system: Pick<System, "now">,
  { id, catchAll, before }: Deletion,
): Promise<void> {
  const now = system.now();
  await store.write(async (db) => {
    const scope = inWorkspace(db, id);
    await lockWorkspace(scope);
    if (await isFirstWorkspace(scope))
      throw new Refusal(
        "conflict",
        "The server's first workspace cannot be deleted, because it receives mail to reserved addresses.",
      );
    if (id === catchAll)
      throw new Refusal("conflict", "ASSAY_CATCH_ALL is set to this workspace. Change that setting first.");
    await before(scope);
    for (const { domain, local_part } of await listSeedInboxes(scope))
      await insertReleasedAddress(scope, { domain, local_part, released_at: now });
    await closeWorkspace(scope);
    await markRemoved(scope, now);
    recordChange({ workspaceId: id });
    await markOriginRemoved(scope, now);
    await makeChoreDue(db, removalChore, now);
  });
  // Now and not in the chore, because the monitor keeps checking them. In steps, because there may be ten thousand.
  await removeDomainsOf(store, id);
}

/**
 * The workspace in `ASSAY_CATCH_ALL`, by ID or name. Refuses to start if there is no single match, because mail would
 * be lost.
 */
export async function findCatchAll(db: Db, wanted: string | null): Promise<string | null> {
  if (wanted === null) return null;
  const workspaces = await listWorkspaces(db);
  const named = workspaces.filter(({ id, name }) => id === wanted || name === wanted);
  const [only] = named;
  if (only && named.length === 1) return only.id;
  const problem = only ? `${named.length} workspaces have this name, so use an ID` : "no workspace has this ID or name";
  throw new Refusal(
    "conflict",
    `ASSAY_CATCH_ALL is ${JSON.stringify(toVisibleCut(wanted, 100))}: ${problem}. To list all workspaces: assay workspace list.`,
  );
}

// Deletes a removed workspace's data. Small steps keep intake fast, and turns of half a minute let other chores run. It
// is a chore so that it continues after a restart.

const removalChore = "remove workspaces";

const turnMs = 30_000;

type Removal = {
  /** What features end first. Called again until it returns 0. */
  readonly endSome?: (place: Pick<WorkspaceStore, "read" | "write">) => Promise<number>;
  readonly stopping?: AbortSignal;
  readonly serve?: ServeRow;
};

export async function removeWorkspaces(
  store: Store,
  { now }: Pick<System, "now">,
  { endSome = async () => 0, stopping, serve = serveOrThrow }: Removal = {},
): Promise<void> {
  const until = now() + turnMs;
  const isOver = () => now() >= until || stopping?.aborted === true;
  const remove = async (id: string) => {
    const place = storeOf(store, id);
    while ((await endSome(place)) > 0) if (isOver()) return;
    for (const step of [removeStepOfDomains, removeStepOfAlerts, removeStepOfTests, removeStepOfSends])
      while ((await place.write(step)) > 0) if (isOver()) return;
    await store.write((db) => removeWorkspaceRow(db, id));
  };
  for (const id of await listRemovedWorkspaces(store.read)) if (!isOver()) await serve(id, () => remove(id));
}

async function removeDomainsOf({ write }: Pick<Store, "write">, workspaceId: string): Promise<void> {
  let removed: number;
  do removed = await write((db) => removeStepOfDomains(inWorkspace(db, workspaceId)));
  while (removed > 0);
}

const removeStepOfDomains = (scope: Scope) => removeSomeDomains(scope, deletionStep.domains);
const removeStepOfAlerts = (scope: Scope) => removeSomeAlerts(scope, deletionStep.deliveries);
const removeStepOfSends = (scope: Scope) => removeSomeSends(scope, deletionStep.sends);
const removeStepOfTests = (scope: Scope) => removeSomeTests(scope, deletionStep);

export async function hasWorkspacesToRemove({ read }: Pick<Store, "read">): Promise<boolean> {
  return (await listRemovedWorkspaces(read)).length > 0;
}

export function createRemovalChore(server: Server): Chore {
  const { store, system, features } = server;
  const endSome: Removal["endSome"] = async (place) => {
    let ended = 0;
    for (const { afterDeletion } of features) ended += (await afterDeletion?.(place, server)) ?? 0;
    return ended;
  };
  return {
    id: removalChore,
    everyMs: 3_600_000,
    run: (stopping, serve) => removeWorkspaces(store, system, { endSome, stopping, serve }),
    hasMore: () => hasWorkspacesToRemove(store),
  };
}
