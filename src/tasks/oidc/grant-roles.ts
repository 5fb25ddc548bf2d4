// Gives a person the roles that the issuer's claims say, and takes away those that they no longer say. A membership that
// an owner of the workspace gave is never touched.

import { type Issuer, rolesOfClaims } from "../../accounts/issuers.ts";
import type { Plans } from "../../accounts/plans.ts";
import { type Role, roleAllows } from "../../accounts/roles.ts";
import type { JsonObject } from "../../json.ts";
import { insertGrant, listGrantedWorkspaces } from "../../store/people/identities.ts";
import {
  changeRole,
  insertMembership,
  listMembers,
  listRolesOf,
  removeMembership,
} from "../../store/people/memberships.ts";
import { listWorkspaces, lockIfThere } from "../../store/people/workspaces.ts";
import type { IdentitiesTable } from "../../store/schema/identities.ts";
import type { Db } from "../../store/schema/schema.ts";
import { inWorkspace, type Scope } from "../../store/scope.ts";
import type { System } from "../../system/system.ts";
import { mostMembers } from "../accounts/members.ts";
import { isFull as isPlanFull } from "../billing/ceilings.ts";

export type GrantTerms = { readonly plans: Plans; readonly system: Pick<System, "now" | "log"> };

/** Whether the person has access to any workspace now, and if not, whether that is only because it is full. */
type Granted = { readonly hasAccess: boolean; readonly isFull: boolean };

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
  for (const workspaceId of granted.filter((one) => !wanted.has(one)))
    await removeMembership(inWorkspace(db, workspaceId), userId);
  const present = await listRolesOf(db, userId);
  for (const [workspaceId, role] of wanted) {
    const scope = inWorkspace(db, workspaceId);
    const isManaged = granted.includes(workspaceId);
    if (present.get(workspaceId) === role || (present.has(workspaceId) && !isManaged)) continue;
    if (!(await lockIfThere(scope))) continue;
    if (present.has(workspaceId)) {
      await changeRole(scope, userId, role);
      continue;
    }
    if (await hasNoRoom(scope, plans, now)) {
      isFull = true;
      system.log.warn("A workspace has no room for a person from an issuer.", {
        issuer: issuer.name,
        workspaceId,
      });
      continue;
    }
    await insertMembership(scope, { user_id: userId, role, created_at: now });
    await insertGrant(scope, userId, id);
  }
  return { hasAccess: (await listRolesOf(db, userId)).size > 0, isFull };
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
      wanted === null
        ? workspaces.slice(0, 1)
        : workspaces.filter(({ id, name }) => id === wanted || name === wanted);
    const [only] = named;
    if (only === undefined || named.length > 1) {
      const problem = only ? "several workspaces have this name, so use an ID" : "no such workspace";
      log.warn("A role in the ASSAY_OIDC file names a workspace that cannot be used.", {
        ...{ issuer: issuer.name, workspace: wanted, problem },
      });
      continue;
    }
    const earlier = found.get(only.id);
    if (earlier === undefined || roleAllows(role, earlier)) found.set(only.id, role);
  }
  return found;
}
