import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type Route, route } from "../../../platform/route.ts";
import { auditedInvitation, auditedMember } from "../audited.ts";
import {
  changeMember,
  type Invitation,
  inviteMember,
  listMembers,
  type Member,
  removeMember,
} from "../contract/workspaces.ts";
import {
  type InvitationRow,
  listMembers as listMemberRows,
  listOpenInvitations,
  type MemberRow,
} from "../rows/memberships.ts";
import { creatorOf } from "../work/callers.ts";
import * as tasks from "../work/members.ts";

export const memberRoutes: readonly Route[] = [
  route(listMembers, async ({ store: { read } }, { system }) => {
    const now = system.now();
    const [members, invitations] = await Promise.all([listMemberRows(read), listOpenInvitations(read, now)]);
    return { items: members.map(toMember), invitations: invitations.map((row) => toInvitation(row, now)) };
  }),

  route(inviteMember, async ({ store, caller, body }, { system, plans, baseUrl, config, accountMail }) => {
    if (config.login === "oidc")
      throw new Refusal(
        "conflict",
        "People join this server by logging in with their organization, which gives them their roles.",
      );
    const { email, role, sendEmail } = body;
    const mail = sendEmail ? accountMail : null;
    const wanted = { email, role, ...creatorOf(caller), plans, baseUrl: baseUrl(), mail };
    const { link, ...row } = await tasks.inviteMember(store, system, wanted);
    return { ...toInvitation(row, system.now()), link };
  }).recording({ action: "invitation.create", object: auditedInvitation, keep: ["sendEmail"] }),

  route(changeMember, async ({ store, params: { id }, body }, { events }) => {
    const changed = await tasks.changeMember(store, id, body.role);
    events.recheck([id]);
    return toMember(changed);
  }).recording({ action: "member.change", object: auditedMember }),

  route(removeMember, async ({ workspaceId, store, caller, params: { id } }, { events }) => {
    const role = caller.memberships.get(workspaceId) ?? "member";
    await tasks.removeMember(store, id, { userId: caller.userId, role });
    events.recheck([id]);
    return undefined;
  }).recording({
    action: "member.remove",
    object: auditedMember,
    others: { prefix: "inv_", action: "invitation.revoke", object: auditedInvitation },
  }),
];

function toMember(row: MemberRow): Member {
  return { id: row.user_id, name: row.name, email: row.email, role: row.role, joinedAt: toTimestamp(row.created_at) };
}

function toInvitation(row: InvitationRow, now: number): Invitation {
  return {
    id: row.id,
    email: row.email ?? "",
    role: row.role,
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    expiresAt: toTimestamp(row.expires_at),
    mail: toMail(row, now),
  };
}

/** More than a relay is waited for. */
const longestSendingMs = 60_000;

function toMail(
  { mail_state: state, mail_problem: problem, mailed_at: at }: InvitationRow,
  now: number,
): Invitation["mail"] {
  if (state === null || at === null) return null;
  if (state === "sending" && now - at > longestSendingMs)
    return { state: "failed", problem: "The server stopped while sending it.", at: toTimestamp(at) };
  return { state, problem, at: toTimestamp(at) };
}
