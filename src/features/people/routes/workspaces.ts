import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { ownersOnly, roleAllows } from "../../../platform/contract/roles.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { Caller } from "../../../platform/http/callers/caller.ts";
import { requireTokenRight } from "../../../platform/http/callers/token-rights.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { auditedWorkspace } from "../audited.ts";
import {
  changeWorkspace,
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  type Workspace,
} from "../contract/workspaces.ts";
import { canUseFactor } from "../rows/second-factors.ts";
import { noSuchWorkspace, readWorkspaces, type WorkspaceRow, withSampleAddresses } from "../rows/workspaces.ts";
import { parseLearned } from "../rules/learned.ts";
import { parseOutgoing, readOutgoing, type TypedOutgoing } from "../rules/outgoing-server.ts";
import { type Plans, planOf } from "../rules/plans.ts";
import * as tasks from "../work/workspaces.ts";

export const workspaceRoutes: readonly Route[] = [
  route(listWorkspaces, async ({ caller }, dependencies) => ({
    items: await readShownWorkspaces([...caller.memberships.keys()], dependencies),
  })),

  route(createWorkspace, async ({ caller, body }, { store, system, plans, config }) => {
    const [seedDomain = "seed.localhost"] = config.seedDomains;
    const owned = [...caller.memberships].flatMap(([id, role]) => (role === "owner" ? [id] : []));
    const wanted = { name: body.name, seedDomain, plans, owned, ownerId: caller.userId };
    return toWorkspace(await tasks.createOwnWorkspace(store, system, wanted), plans);
  }).recording({ action: "workspace.create", object: auditedWorkspace, log: "both" }),

  route(changeWorkspace, async ({ caller, params: { id }, body }, { store, plans, config, events, system }) => {
    requireOwner(caller, id);
    const { name, sendingVolume, outgoingServer, learned, rehearsal, requiresSecondFactor } = body;
    if (requiresSecondFactor !== undefined) requireTokenRight({ token: "full", labelToken: null }, caller);
    if (requiresSecondFactor === true) await requireOwnFactor(caller, store);
    const changed = await tasks.changeWorkspace(store, id, {
      ...(name !== undefined && { name }),
      ...(sendingVolume !== undefined && { sending_volume: sendingVolume }),
      ...(outgoingServer !== undefined && { outgoing: toOutgoingJson(outgoingServer) }),
      ...(learned !== undefined && { learned: learned && JSON.stringify({ ...learned, at: system.now() }) }),
      ...(rehearsal !== undefined && { rehearsal }),
      ...(requiresSecondFactor !== undefined && { requires_second_factor: requiresSecondFactor ? 1 : 0 }),
    });
    if (requiresSecondFactor === true) events.recheck([id]);
    const [shown = changed] = await withSampleAddresses(store.read, [changed], config.seedDomains);
    return toWorkspace(shown, plans);
  }).recording({ action: "workspace.change", object: auditedWorkspace, log: "both" }),

  route(deleteWorkspace, async ({ caller, params: { id } }, dependencies) => {
    const { store, system, catchAll, features, events } = dependencies;
    requireOwner(caller, id);
    const before = async (workspace: Scope) => {
      for (const { beforeDeletion } of features) await beforeDeletion?.(workspace, dependencies);
    };
    await tasks.deleteWorkspace(store, system, { id, catchAll, before });
    events.recheck([id]);
    return undefined;
  }).recording({ action: "workspace.delete", object: auditedWorkspace, log: "both" }),
];

export async function readShownWorkspaces(
  ids: readonly string[],
  { store, plans, config }: Pick<Server, "store" | "plans" | "config">,
): Promise<Workspace[]> {
  const rows = await readWorkspaces(store.read, ids);
  const shown = await withSampleAddresses(store.read, rows, config.seedDomains);
  return shown.map((row) => toWorkspace(row, plans));
}

/** Otherwise the owner would lock everybody out, including themselves. The server's operator has no login here. */
async function requireOwnFactor(caller: Caller, { read }: Pick<Server["store"], "read">): Promise<void> {
  const { via, userId } = caller;
  if (
    via === "session" ? caller.session.second_factor_at !== null : userId === null || (await canUseFactor(read, userId))
  )
    return;
  const fix = "Add one to your account, or log out and log in with it.";
  throw new Refusal("conflict", `To require a second factor, use one yourself first. ${fix}`);
}

function toOutgoingJson(typed: TypedOutgoing | null): string | null {
  return typed === null ? null : JSON.stringify(readOutgoing(typed));
}

/** Workspaces of others look as if they don't exist. */
function requireOwner({ memberships }: Caller, id: string): void {
  const role = memberships.get(id);
  if (role === undefined) throw noSuchWorkspace();
  if (!roleAllows(role, "owner")) throw ownersOnly();
}

function toWorkspace(row: WorkspaceRow, plans: Plans): Workspace {
  const learned = parseLearned(row.learned);
  return {
    id: row.id,
    name: row.name,
    plan: planOf(plans, row.plan).name,
    seedAddress: row.seed_address,
    sendingVolume: row.sending_volume,
    outgoingServer: parseOutgoing(row.outgoing),
    learned: learned && { ...learned, at: toTimestamp(learned.at) },
    rehearsal: row.rehearsal,
    requiresSecondFactor: row.requires_second_factor === 1,
    createdAt: toTimestamp(row.created_at),
  };
}
