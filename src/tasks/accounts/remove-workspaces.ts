// What a deleted workspace held goes in small steps, so that no message waits long to be kept, and for half a minute at
// a time, so that no other chore does. A chore, because a restart in the middle of a million tests has to go on.

import {
  listRemovedWorkspaces,
  removeSomeAlerts,
  removeSomeDomains,
  removeSomeSends,
  removeSomeTests,
  removeWorkspaceRow,
} from "../../store/people/workspace-removal.ts";
import { inWorkspace, type Scope, storeOf } from "../../store/scope.ts";
import type { Store } from "../../store/store.ts";
import type { System } from "../../system/system.ts";
import type { Chore } from "../chores.ts";
import type { EndConnection } from "../connections/connections.ts";
import { deletionStep } from "../removal/remove-tests.ts";

export const removalChore = "remove workspaces";

const turnMs = 30_000;

export type Removal = {
  /** Gives back what a provider gave it. */
  readonly endConnection: EndConnection;
  readonly stopping?: AbortSignal;
};

export async function removeWorkspaces(
  store: Store,
  { now }: Pick<System, "now">,
  { endConnection, stopping }: Removal,
): Promise<void> {
  const until = now() + turnMs;
  const isOver = () => now() >= until || stopping?.aborted === true;
  for (const id of await listRemovedWorkspaces(store.read)) {
    const place = storeOf(store, id);
    while ((await endConnection(place)) > 0) if (isOver()) return;
    for (const step of [removeStepOfDomains, removeStepOfAlerts, removeStepOfTests, removeStepOfSends])
      while ((await place.write(step)) > 0) if (isOver()) return;
    await store.write((db) => removeWorkspaceRow(db, id));
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

export function createRemovalChore(
  store: Store,
  system: Pick<System, "now">,
  endConnection: EndConnection,
): Chore {
  return {
    id: removalChore,
    everyMs: 3_600_000,
    run: (stopping) => removeWorkspaces(store, system, { endConnection, stopping }),
    hasMore: () => hasWorkspacesToRemove(store),
  };
}
