// What the audit log shows of people, and of what they use.

import { auditedObject } from "../../platform/audit/rows/objects.ts";

export const auditedUser = auditedObject({
  kind: "user",
  table: "users",
  isScoped: false,
  isPerson: true,
  columns: ["name", "email"],
  secrets: ["password_hash"],
  toName: ({ name }) => name,
});

export const auditedSession = auditedObject({
  kind: "session",
  table: "sessions",
  isScoped: false,
  columns: ["user_id", "address", "agent", "created_at"],
});

export const auditedFactor = auditedObject({
  kind: "factor",
  table: "second_factors",
  isScoped: false,
  columns: ["name", "kind", "user_id"],
  secrets: ["secret"],
  toName: ({ name }) => name,
});

export const auditedMember = auditedObject({
  kind: "member",
  table: "memberships",
  key: "user_id",
  columns: ["role"],
  toName: async ({ user_id }, db) =>
    (await db.selectFrom("users").select("name").where("id", "=", user_id).executeTakeFirst())?.name,
});

export const auditedInvitation = auditedObject({
  kind: "invitation",
  table: "invitations",
  columns: ["email", "role", "expires_at"],
  toName: ({ email }) => email,
});

export const auditedWorkspace = auditedObject({
  kind: "workspace",
  table: "workspaces",
  isScoped: false,
  columns: ["name", "plan", "sending_volume", "rehearsal", "requires_second_factor", "outgoing", "learned"],
  toName: ({ name }) => name,
});

export const auditedToken = auditedObject({
  kind: "token",
  table: "api_tokens",
  columns: ["name", "created_by", "created_with", "scope", "label", "expires_at"],
  toName: ({ name }) => name,
});
