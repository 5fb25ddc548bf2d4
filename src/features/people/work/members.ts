// Members of a workspace and open invitations. Every change locks the workspace, so if two owners leave at the same
// moment, one stays.

import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { ownersOnly, type Role, roleAllows } from "../../../platform/contract/roles.ts";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId, idPrefixes } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { countInvitation, countMail } from "../../alerts/work/mail-limits.ts";
import {
  type Creator,
  changeRole,
  countOwners,
  endWith,
  findGrant,
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
  requireStillThere,
} from "../rows/memberships.ts";
import { lockWorkspace } from "../rows/workspaces.ts";
import { links, toLink } from "../rules/links.ts";
import type { Plans } from "../rules/plans.ts";
import type { AccountMail } from "./account-mail.ts";
import { requireRoom } from "./ceilings.ts";

export type Invited = Creator & {
  /** Normalized (platform/contract/emails.ts). */
  readonly email: string;
  readonly role: Role;
  readonly plans: Plans;
  readonly baseUrl: string;
  /** Null: only the link is created. */
  readonly mail: Pick<AccountMail, "require" | "sendInvitation"> | null;
};

/** Limits lists that are returned without pages. */
export const mostMembers = 1_000;

/**
 * Only this result contains the link. A second invitation to the same address replaces the first. With mail, it resolves
 * once the relay has accepted or rejected it.
 */
export async function inviteMember(
  store: Pick<WorkspaceStore, "workspaceId" | "read" | "write">,
  system: Pick<System, "now" | "random">,
  { email, role, plans, baseUrl, mail, ...creator }: Invited,
): Promise<InvitationRow & { readonly link: string }> {
  mail?.require();
  const now = system.now();
  const secret = createSecret(system.random(secretBytes));
  const { createdBy, createdWith } = creator;
  const row = {
    id: createId("invitation", now, system.random(16)),
    email,
    role,
    created_by: createdBy,
    created_with: createdWith?.id ?? null,
    created_at: now,
    expires_at: endWith(creator, now + links.invitation.lifeMs),
    mail_state: mail && ("sending" as const),
    mail_problem: null,
    mailed_at: mail && now,
  };
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireStillThere(scope, creator, "owner");
    if (await findMemberByEmail(scope, email))
      throw new Refusal("conflict", "This email address already belongs to a member.", { field: "email" });
    await removeExpiredInvitations(scope, now);
    await removeInvitationsOf(scope, email);
    await requireRoom(scope, { plans, ceiling: "members", now });
    await checkBound(scope, now);
    if (mail !== null) {
      await countMail(scope, "invitation", email, system);
      await countInvitation(scope, store.workspaceId, system);
    }
    await insertInvitation(scope, { ...row, hash: hashSecret(secret) });
    recordChange({ objectId: row.id });
  });
  const link = toLink("invitation", baseUrl, secret);
  if (mail === null) return { ...row, link };
  const inviter = createdBy === null ? null : ((await readMember(store.read, createdBy))?.name ?? null);
  const became = await mail.sendInvitation(store, { id: row.id, email, role, inviter, secret });
  return { ...row, ...became, link };
}

export async function changeMember(
  store: Pick<WorkspaceStore, "write">,
  userId: string,
  role: Role,
): Promise<MemberRow> {
  return await store.write(async (scope) => {
    await lockWorkspace(scope);
    const member = await requireMember(scope, userId);
    if ((await findGrant(scope, userId)) !== undefined)
      throw new Refusal(
        "conflict",
        "This person’s role comes from their organization and is set at each login. Change their groups there.",
      );
    if (role !== "owner") await requireAnotherOwner(scope, member);
    await changeRole(scope, userId, role);
    recordChange();
    return { ...member, role };
  });
}

export type Remover = { readonly userId: string | null; readonly role: Role };

/** Removes a member with their tokens, or an open invitation. Members who are not owners can remove only themselves. */
export async function removeMember(store: Pick<WorkspaceStore, "write">, id: string, by: Remover): Promise<void> {
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    const isInvitation = id.startsWith(`${idPrefixes.invitation}_`);
    const member = isInvitation ? null : await requireMember(scope, id);
    if (isInvitation && !(await hasInvitation(scope, id))) throw noSuchMember();
    if (id !== by.userId && !roleAllows(by.role, "owner")) throw ownersOnly();
    recordChange();
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
  throw new Refusal("conflict", "This is the workspace's last owner. Make another member an owner first.");
}

async function checkBound(scope: Scope, now: number): Promise<void> {
  const [members, invited] = [await listMembers(scope), await listOpenInvitations(scope, now)];
  if (members.length + invited.length < mostMembers) return;
  throw new Refusal("conflict", `A workspace can have at most ${mostMembers} members, including invitations.`);
}

function noSuchMember(): Refusal {
  return new Refusal("not_found", "Member or invitation not found.");
}
