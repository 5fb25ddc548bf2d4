import { toTimestamp } from "../api/primitives.ts";
import { createWorkspace, listWorkspaces, type Workspace } from "../api/workspaces.ts";
import { Refusal } from "../errors.ts";
import { readWorkspaces, type WorkspaceRow } from "../store/workspaces.ts";
import * as tasks from "../tasks/workspaces.ts";
import { type Route, route } from "./route.ts";

export const workspaceRoutes: readonly Route[] = [
  route(listWorkspaces, async ({ caller }, { store }) => {
    const rows = await readWorkspaces(store.read, [...caller.memberships.keys()]);
    return { items: rows.map(toWorkspace) };
  }),

  route(createWorkspace, async ({ caller, body }, { store, system, config }) => {
    if (![...caller.memberships.values()].includes("owner"))
      throw new Refusal("forbidden", "Only an owner of a workspace may create another.");
    const [seedDomain = "seed.localhost"] = config.seedDomains;
    return toWorkspace(await tasks.createWorkspace(store, system, { name: body.name, seedDomain }));
  }),
];

function toWorkspace(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    seedAddress: row.seed_address,
    createdAt: toTimestamp(row.created_at),
  };
}
