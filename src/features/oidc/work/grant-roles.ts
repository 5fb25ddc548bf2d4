// Gives a person the roles that the issuer's claims say, and takes away those that they no longer say. A membership that
// an owner of the workspace gave is never touched.

import type { JsonObject } from "../../../analyzer/json.ts";
import { bySystem, type NewEntry } from "../../../platform/audit/rows/append.ts";
import { recordAlso, recordChange } from "../../../platform/audit/rows/recording.ts";
import type { AuditAction } from "../../../platform/audit/rules/actions.ts";
import { toDetailsText } from "../../../platform/audit/rules/entry.ts";
import { type Role, roleAllows } from "../../../platform/contract/roles.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { System } from "../../../platform/system/system.ts";
import {
  changeRole,
  insertGrant,
  insertMembership,
  listGrantedWorkspaces,
  listMembers,
  listRolesOf,
  removeMembership,
} from "../../people/rows/memberships.ts";
import { readUser } from "../../people/rows/users.ts";
import { listWorkspaces, lockIfThere } from "../../people/rows/workspaces.ts";
import type { Plans } from "../../people/rules/plans.ts";
import type { IdentitiesTable } from "../../people/tables.ts";
import { isFull as isPlanFull } from "../../people/work/ceilings.ts";
import { mostMembers } from "../../people/work/members.ts";
import { removeIdentity } from "../rows.ts";
import { type Issuer, rolesOfClaims } from "../rules.ts";
import { byIssuer } from "./record-entries.ts";

export type GrantTerms = { readonly plans: Plans; readonly system: Pick<System, "now" | "log"> };

/** Whether the person has access to any workspace now, and if not, whether that is only because it is full. */
type Granted = { readonly hasAccess: boolean; readonly isFull: boolean };

type RoleChange = { readonly workspaceId: string; readonly before?: Role; readonly after?: Role };

/** A workspace without room for another member is left out, so that the others still count. */
export async function grantRoles(
  db: Db,
  { plans, system }: GrantTerms,
  issuer: Issuer,
  { id, user_id: userId }: Pick<IdentitiesTable, "id" | "user_id">,
  claims: JsonObject,
): Promise<Granted> {
  let isFull = false;
  const wanted = await findWorkspaces(db, issuer, claims, system);
  const granted = await listGrantedWorkspaces(db, id);
  const now = system.now();
  const present = await listRolesOf(db, userId);
  const changes: RoleChange[] = [];
  for (const workspaceId of granted.filter((one) => !wanted.has(one))) {
    const before = present.get(workspaceId);
    if (before === undefined) continue;
    await removeMembership(inWorkspace(db, workspaceId), userId);
    changes.push({ workspaceId, before });
  }
  for (const [workspaceId, role] of wanted) {
    const scope = inWorkspace(db, workspaceId);
    const isManaged = granted.includes(workspaceId);
    const before = present.get(workspaceId);
    if (before === role || (before !== undefined && !isManaged)) continue;
    if (!(await lockIfThere(scope))) continue;
    if (before !== undefined) {
      await changeRole(scope, userId, role);
      changes.push({ workspaceId, before, after: role });
      continue;
    }
    if (await hasNoRoom(scope, plans, now)) {
      isFull = true;
      system.log.warn("A workspace has no room for a person from an issuer.", { issuer: issuer.name, workspaceId });
      continue;
    }
    await insertMembership(scope, { user_id: userId, role, created_at: now });
    await insertGrant(scope, userId, id);
    changes.push({ workspaceId, after: role });
  }
  await recordRoles(db, byIssuer(issuer), { userId, changes, at: now });
  return { hasAccess: (await listRolesOf(db, userId)).size > 0, isFull };
}

/** The person loses the memberships that it gave. */
export async function disconnectIdentity(
  db: Db,
  { userId, id, at }: { readonly userId: string; readonly id: string; readonly at: number },
): Promise<void> {
  const present = await listRolesOf(db, userId);
  const changes = (await listGrantedWorkspaces(db, id)).flatMap((workspaceId) => {
    const before = present.get(workspaceId);
    return before === undefined ? [] : [{ workspaceId, before }];
  });
  const user = await readUser(db, userId);
  await removeIdentity(db, id);
  recordChange();
  const by = { ...bySystem, actor_type: "person" as const, actor_id: userId };
  await recordRoles(
    db,
    { ...by, actor_name: user?.name ?? null, actor_email: user?.email ?? null },
    { userId, changes, at },
  );
}

type Actor = Omit<NewEntry, "at" | "action" | "object_kind" | "object_id" | "object_name" | "details">;

type RoleChanges = { readonly userId: string; readonly changes: readonly RoleChange[]; readonly at: number };

async function recordRoles(db: Db, by: Actor, { userId, changes, at }: RoleChanges): Promise<void> {
  if (changes.length === 0) return;
  const name = (await readUser(db, userId))?.name ?? null;
  const additions = changes.map(({ workspaceId, before, after }) => ({
    chains: [workspaceId],
    entry: {
      ...by,
      at,
      action: toAction(before, after),
      object_kind: "member",
      object_id: userId,
      object_name: name,
      details: toDetailsText({ ...(before && { before: { role: before } }), ...(after && { after: { role: after } }) }),
    },
  }));
  await recordAlso(db, additions);
}

function toAction(before: Role | undefined, after: Role | undefined): AuditAction {
  if (before === undefined) return "member.add";
  return after === undefined ? "member.remove" : "member.change";
}

async function hasNoRoom(scope: Scope, plans: Plans, now: number): Promise<boolean> {
  if (await isPlanFull(scope, { plans, ceiling: "members", now })) return true;
  return (await listMembers(scope)).length >= mostMembers;
}

/** The rules name workspaces by ID or name. A rule whose workspace isn't there, or isn't the only one, gives nothing. */
async function findWorkspaces(
  db: Db,
  issuer: Issuer,
  claims: JsonObject,
  { log }: Pick<System, "log">,
): Promise<ReadonlyMap<string, Role>> {
  const workspaces = await listWorkspaces(db);
  const found = new Map<string, Role>();
  for (const [wanted, role] of rolesOfClaims(issuer.roles, claims)) {
    const named =
      wanted === null ? workspaces.slice(0, 1) : workspaces.filter(({ id, name }) => id === wanted || name === wanted);
    const [only] = named;
    if (only === undefined || named.length > 1) {
      const problem = only ? "several workspaces have this name, so use an ID" : "no such workspace";
      log.warn("A role in the ASSAY_OIDC file names a workspace that cannot be used.", {
        issuer: issuer.name,
        workspace: wanted,
        problem,
      });
      continue;
    }
    const earlier = found.get(only.id);
    if (earlier === undefined || roleAllows(role, earlier)) found.set(only.id, role);
  }
  return found;
}
