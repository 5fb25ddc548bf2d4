import { ownersOnly, type Role, roleAllows } from "../../../platform/contract/roles.ts";
import { countRows } from "../../../platform/database/engine/page.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { ApiTokensTable, InvitationsTable, MembershipsTable, UsersTable } from "../tables.ts";
import { readToken } from "./tokens.ts";

export type MemberRow = Pick<MembershipsTable, "user_id" | "role" | "created_at"> & Pick<UsersTable, "name" | "email">;

/** False if the user is already a member, in any role. */
export async function insertMembership(
  scope: Scope,
  membership: Omit<MembershipsTable, "workspace_id">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await scope
    .insertInto("memberships", membership)
    .onConflict((conflict) => conflict.columns(["workspace_id", "user_id"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** The workspaces of a user, with the role in each. */
export async function listRolesOf(db: Db, userId: string): Promise<ReadonlyMap<string, Role>> {
  const rows = await db
    .selectFrom("memberships")
    .select(["workspace_id", "role"])
    .where("user_id", "=", userId)
    .execute();
  return new Map(rows.map(({ workspace_id, role }) => [workspace_id, role]));
}

type Standing = { readonly workspaceId: string; readonly role: Role; readonly requiresFactor: boolean };

/** The same, and whether the workspace requires a second factor. */
export async function listStandings(db: Db, userId: string): Promise<readonly Standing[]> {
  const rows = await db
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["workspaces.id", "memberships.role", "workspaces.requires_second_factor as required"])
    .where("memberships.user_id", "=", userId)
    .execute();
  return rows.map(({ id, role, required }) => ({ workspaceId: id, role, requiresFactor: required === 1 }));
}

export async function hasOwner(scope: Scope): Promise<boolean> {
  const row = await scope
    .selectFrom("memberships")
    .select("user_id")
    .where("role", "=", "owner")
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Oldest membership first. */
export async function listMembers(scope: Scope): Promise<MemberRow[]> {
  return await selectMembers(scope).orderBy("memberships.created_at").orderBy("memberships.user_id").execute();
}

export async function readMember(scope: Scope, userId: string): Promise<MemberRow | undefined> {
  return await selectMembers(scope).where("memberships.user_id", "=", userId).executeTakeFirst();
}

/** Who creates something that opens the workspace. */
export type Creator = {
  /** Null: the server's operator. */
  readonly createdBy: string | null;
  /** The token that it ends with. Null: none. */
  readonly createdWith: Pick<ApiTokensTable, "id" | "expires_at"> | null;
};

/**
 * A person who was removed during a request, or lost the role that it needs, creates nothing more, and neither does a
 * token that was revoked. Call it in a write that has locked the workspace.
 */
export async function requireStillThere(
  scope: Scope,
  { createdBy, createdWith }: Creator,
  needed: Role = "member",
): Promise<void> {
  if (createdWith !== null && (await readToken(scope, createdWith.id)) === undefined)
    throw new Refusal("forbidden", "The API token is invalid, expired, or revoked.");
  if (createdBy === null) return;
  const member = await readMember(scope, createdBy);
  if (member === undefined) throw new Refusal("forbidden", "You are no longer a member of this workspace.");
  if (!roleAllows(member.role, needed)) throw ownersOnly();
}

export async function findMemberByEmail(scope: Scope, email: string): Promise<MemberRow | undefined> {
  return await selectMembers(scope).where("users.email", "=", email).executeTakeFirst();
}

export async function countOwners(scope: Scope): Promise<number> {
  return await countRows(scope.selectFrom("memberships").where("role", "=", "owner"));
}

/** The end of what a token creates: its own at the latest. */
export function endWith<T extends number | null>({ createdWith }: Pick<Creator, "createdWith">, end: T): T | number {
  const last = createdWith?.expires_at ?? null;
  return last === null || (end !== null && end <= last) ? end : last;
}

/** Only owners invite, so the open invitations of a person who is no longer one end. */
export async function changeRole(scope: Scope, userId: string, role: Role): Promise<void> {
  await scope.updateTable("memberships").set({ role }).where("user_id", "=", userId).execute();
  if (role !== "owner") await scope.deleteFrom("invitations").where("created_by", "=", userId).execute();
}

/** Also ends their tokens and invitations in this workspace. */
export async function removeMembership(scope: Scope, userId: string): Promise<void> {
  await scope.deleteFrom("memberships").where("user_id", "=", userId).execute();
}

export async function insertGrant(scope: Scope, userId: string, identityId: string): Promise<void> {
  await scope.insertInto("granted_memberships", { user_id: userId, identity_id: identityId }).execute();
}

export async function listGrantedWorkspaces(db: Db, identityId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("granted_memberships")
    .select("workspace_id")
    .where("identity_id", "=", identityId)
    .orderBy("workspace_id")
    .execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

/** The ID of the identity that gave the membership. Undefined if a person did. */
export async function findGrant(scope: Scope, userId: string): Promise<string | undefined> {
  const row = await scope
    .selectFrom("granted_memberships")
    .select("identity_id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.identity_id;
}

/** The membership stays, whatever the issuer says. */
export async function removeGrant(scope: Scope, userId: string): Promise<void> {
  await scope.deleteFrom("granted_memberships").where("user_id", "=", userId).execute();
}

function selectMembers(scope: Scope) {
  return scope
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["memberships.user_id", "memberships.role", "memberships.created_at"])
    .select(["users.name", "users.email"]);
}

type NewInvitation = Omit<InvitationsTable, "workspace_id" | "email"> & { readonly email: string };
type MailColumns = "mail_state" | "mail_problem" | "mailed_at";

/** An invitation to a workspace. A setup link isn't one. */
export type InvitationRow = Readonly<Pick<InvitationsTable, MailColumns>> & {
  readonly id: string;
  readonly email: string | null;
  readonly role: Role;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly expires_at: number;
};

export async function insertInvitation(scope: Scope, invitation: NewInvitation): Promise<void> {
  await scope.insertInto("invitations", invitation).execute();
}

export async function listOpenInvitations(scope: Scope, now: number): Promise<InvitationRow[]> {
  return await scope
    .selectFrom("invitations")
    .select(["id", "email", "role", "created_by", "created_at", "expires_at"])
    .select(["mail_state", "mail_problem", "mailed_at"])
    .where("expires_at", ">", now)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Does nothing if it was accepted, replaced, or revoked meanwhile. */
export async function updateInvitationMail(
  scope: Scope,
  id: string,
  mail: Partial<Pick<InvitationsTable, MailColumns>>,
): Promise<void> {
  await scope.updateTable("invitations").set(mail).where("id", "=", id).execute();
}

/** Earlier links to this address stop working. */
export async function removeInvitationsOf(scope: Scope, email: string): Promise<void> {
  await scope.deleteFrom("invitations").where("email", "=", email).execute();
}

export async function removeExpiredInvitations(scope: Scope, now: number): Promise<void> {
  await scope.deleteFrom("invitations").where("expires_at", "<=", now).execute();
}

export async function hasInvitation(scope: Scope, id: string): Promise<boolean> {
  const row = await scope.selectFrom("invitations").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

export async function removeInvitation(scope: Scope, id: string): Promise<void> {
  await scope.deleteFrom("invitations").where("id", "=", id).execute();
}
