import type { Role } from "../accounts/roles.ts";
import type { InvitationsTable } from "./people-schema.ts";
import type { Scope } from "./scope.ts";

export type NewInvitation = Omit<InvitationsTable, "workspace_id" | "email"> & { readonly email: string };

/** An invitation into a workspace; a set-up link is none. */
export type InvitationRow = {
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
    .where("expires_at", ">", now)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Whatever links somebody was sent before are dead. */
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
