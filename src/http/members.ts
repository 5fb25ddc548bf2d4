import {
  changeMember,
  type Invitation,
  inviteMember,
  listMembers,
  type Member,
  removeMember,
} from "../api/members.ts";
import { toTimestamp } from "../api/primitives.ts";
import { type InvitationRow, listOpenInvitations } from "../store/invitations.ts";
import { listMembers as listMemberRows, type MemberRow } from "../store/memberships.ts";
import { inWorkspace } from "../store/scope.ts";
import * as tasks from "../tasks/members.ts";
import { type Route, route } from "./route.ts";

export const memberRoutes: readonly Route[] = [
  route(listMembers, async ({ workspaceId }, { store: { read }, system }) => {
    const scope = inWorkspace(read, workspaceId);
    const [members, invitations] = await Promise.all([
      listMemberRows(scope),
      listOpenInvitations(scope, system.now()),
    ]);
    return { items: members.map(toMember), invitations: invitations.map(toInvitation) };
  }),

  route(inviteMember, async ({ workspaceId, caller, body }, { store, system, plans, baseUrl }) => {
    const { email, role } = body;
    const wanted = { workspaceId, email, role, createdBy: caller.userId, plans, baseUrl: baseUrl() };
    const { link, ...row } = await tasks.inviteMember(store, system, wanted);
    return { ...toInvitation(row), link };
  }),

  route(changeMember, async ({ workspaceId, params: { id }, body }, { store }) =>
    toMember(await tasks.changeMember(store, workspaceId, id, body.role)),
  ),

  route(removeMember, async ({ workspaceId, caller, params: { id } }, { store }) => {
    const role = caller.memberships.get(workspaceId) ?? "member";
    await tasks.removeMember(store, workspaceId, id, { userId: caller.userId, role });
    return undefined;
  }),
];

function toMember(row: MemberRow): Member {
  return {
    id: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    joinedAt: toTimestamp(row.created_at),
  };
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email ?? "",
    role: row.role,
    createdBy: row.created_by,
    createdAt: toTimestamp(row.created_at),
    expiresAt: toTimestamp(row.expires_at),
  };
}
