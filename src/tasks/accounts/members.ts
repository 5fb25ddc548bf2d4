// Members of a workspace and who is invited to become one. Every change waits for the others of its workspace, so that
// of two owners who leave at the same moment one stays.

import { links, toLink } from "../../accounts/links.ts";
import type { Plans } from "../../accounts/plans.ts";
import { ownersOnly, type Role, roleAllows } from "../../accounts/roles.ts";
import { createSecret, hashSecret, secretBytes } from "../../accounts/secrets.ts";
import { Refusal } from "../../errors.ts";
import { createId, idPrefixes } from "../../ids.ts";
import {
  changeRole,
  countOwners,
  findMemberByEmail,
  hasInvitation,
  type InvitationRow,
  insertInvitation,
  listMembers,
  listOpenInvitations,
  type MemberRow,
  readMember,
  removeExpiredInvitations,
  removeInvitation,
  removeInvitationsOf,
  removeMembership,
  requireStillMember,
} from "../../store/people/memberships.ts";
import { lockWorkspace } from "../../store/people/workspaces.ts";
import type { Scope, WorkspaceStore } from "../../store/scope.ts";
import type { System } from "../../system/system.ts";
import { requireRoom } from "../billing/ceilings.ts";

export type Invited = {
  /** In the form of accounts/emails.ts. */
  readonly email: string;
  readonly role: Role;
  /** Null: the server's operator. */
  readonly createdBy: string | null;
  readonly plans: Plans;
  readonly baseUrl: string;
};

/** For lists that are answered whole. */
const mostMembers = 1_000;

/** The link is in this answer alone. Whoever was invited before gets a new one, and the old one is dead. */
export async function inviteMember(
  store: Pick<WorkspaceStore, "write">,
  system: Pick<System, "now" | "random">,
  { email, role, createdBy, plans, baseUrl }: Invited,
): Promise<InvitationRow & { readonly link: string }> {
  const now = system.now();
  const secret = createSecret(system.random(secretBytes));
  const row = {
    id: createId("invitation", now, system.random(16)),
    email,
    role,
    created_by: createdBy,
    created_at: now,
    expires_at: now + links.invitation.lifeMs,
  };
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireStillMember(scope, createdBy);
    if (await findMemberByEmail(scope, email))
      throw new Refusal("conflict", "Whoever has this e-mail address is a member already.", {
        field: "email",
      });
    await removeExpiredInvitations(scope, now);
    await removeInvitationsOf(scope, email);
    await requireRoom(scope, { plans, ceiling: "members", now });
    await checkBound(scope, now);
    await insertInvitation(scope, { ...row, hash: hashSecret(secret) });
  });
  return { ...row, link: toLink("invitation", baseUrl, secret) };
}

export async function changeMember(
  store: Pick<WorkspaceStore, "write">,
  userId: string,
  role: Role,
): Promise<MemberRow> {
  return await store.write(async (scope) => {
    await lockWorkspace(scope);
    const member = await requireMember(scope, userId);
    if (role !== "owner") await requireAnotherOwner(scope, member);
    await changeRole(scope, userId, role);
    return { ...member, role };
  });
}

export type Remover = { readonly userId: string | null; readonly role: Role };

/** A member, with their tokens, or an open invitation. Who is no owner removes nobody but themselves. */
export async function removeMember(
  store: Pick<WorkspaceStore, "write">,
  id: string,
  by: Remover,
): Promise<void> {
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    const isInvitation = id.startsWith(`${idPrefixes.invitation}_`);
    const member = isInvitation ? null : await requireMember(scope, id);
    if (isInvitation && !(await hasInvitation(scope, id))) throw noSuchMember();
    if (id !== by.userId && !roleAllows(by.role, "owner")) throw ownersOnly();
    if (member === null) return await removeInvitation(scope, id);
    await requireAnotherOwner(scope, member);
    await removeMembership(scope, id);
  });
}

async function requireMember(scope: Scope, userId: string): Promise<MemberRow> {
  const member = await readMember(scope, userId);
  if (!member) throw noSuchMember();
  return member;
}

async function requireAnotherOwner(scope: Scope, { role }: MemberRow): Promise<void> {
  if (role !== "owner" || (await countOwners(scope)) > 1) return;
  throw new Refusal("conflict", "This is the workspace's last owner: make another member an owner first.");
}

async function checkBound(scope: Scope, now: number): Promise<void> {
  const [members, invited] = [await listMembers(scope), await listOpenInvitations(scope, now)];
  if (members.length + invited.length < mostMembers) return;
  throw new Refusal("conflict", `A workspace has at most ${mostMembers} members, invitations included.`);
}

function noSuchMember(): Refusal {
  return new Refusal("not_found", "There is no such member and no such invitation.");
}
