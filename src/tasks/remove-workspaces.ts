// What a deleted workspace held goes in small steps, so that no message waits long to be kept, and for half a minute at
// a time, so that no other chore does. A chore, because a restart in the middle of a million tests has to go on.

import { inWorkspace, type Scope } from "../store/scope.ts";
import type { Store } from "../store/store.ts";
import {
  listRemovedWorkspaces,
  removeSomeAlerts,
  removeSomeDomains,
  removeSomeSends,
  removeSomeTests,
  removeWorkspaceRow,
} from "../store/workspace-removal.ts";
import type { System } from "../system/system.ts";
import type { Chore } from "./chores.ts";
import { deletionStep } from "./deletion-step.ts";

export const removalChore = "remove workspaces";

const turnMs = 30_000;

export async function removeWorkspaces(
  { read, write }: Pick<Store, "read" | "write">,
  { now }: Pick<System, "now">,
  stopping?: AbortSignal,
): Promise<void> {
  const until = now() + turnMs;
  for (const id of await listRemovedWorkspaces(read)) {
    for (const step of [removeStepOfDomains, removeStepOfAlerts, removeStepOfTests, removeStepOfSends])
      while ((await write((db) => step(inWorkspace(db, id)))) > 0)
        if (now() >= until || stopping?.aborted) return;
    await write((db) => removeWorkspaceRow(db, id));
  }
}

/** For who closes a workspace: its domains are checked no more from then on. */
export async function removeDomainsOf({ write }: Pick<Store, "write">, workspaceId: string): Promise<void> {
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

export function createRemovalChore(store: Store, system: Pick<System, "now">): Chore {
  return {
    id: removalChore,
    everyMs: 3_600_000,
    run: (stopping) => removeWorkspaces(store, system, stopping),
    hasMore: () => hasWorkspacesToRemove(store),
  };
}
