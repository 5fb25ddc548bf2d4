import { type Plans, selfHostedPlans } from "../../accounts/plans.ts";
import { ownersOnly, type Role, roleAllows } from "../../accounts/roles.ts";
import { createToken, hashSecret } from "../../accounts/secrets.ts";
import type { TokenScope } from "../../accounts/token-scopes.ts";
import { Refusal } from "../../errors.ts";
import { createId } from "../../ids.ts";
import { requireStillMember } from "../../store/people/memberships.ts";
import { insertToken, readToken, removeToken } from "../../store/people/tokens.ts";
import { lockWorkspace } from "../../store/people/workspaces.ts";
import type { ApiTokensTable } from "../../store/schema/people.ts";
import type { WorkspaceStore } from "../../store/scope.ts";
import type { System } from "../../system/system.ts";
import { requireRoom } from "../billing/ceilings.ts";

/** `createdBy` null: the server's operator, whose tokens act as owner. */
export type WantedToken = {
  readonly name: string;
  readonly createdBy: string | null;
  readonly expiresAt: number | null;
  readonly scope: TokenScope;
  /** Null: tests with any label. */
  readonly label: string | null;
  /** Absent: no limit applies, as for the operator on the command line. */
  readonly plans?: Plans;
};

/** Only this result contains the token; the row keeps its hash. */
export async function issueToken(
  store: Pick<WorkspaceStore, "workspaceId" | "write">,
  system: Pick<System, "now" | "random">,
  wanted: WantedToken,
): Promise<{ readonly row: ApiTokensTable; readonly token: string }> {
  const now = system.now();
  if (wanted.expiresAt !== null && wanted.expiresAt <= now)
    throw new Refusal("invalid_request", '"expiresAt" must be in the future.', { field: "expiresAt" });
  const token = createToken(system.random(40));
  const row = {
    id: createId("token", now, system.random(16)),
    name: wanted.name,
    hash: hashSecret(token),
    created_by: wanted.createdBy,
    created_at: now,
    last_used_at: null,
    last_used_address: null,
    expires_at: wanted.expiresAt,
    scope: wanted.scope,
    label: wanted.label,
    noticed_days: null,
  };
  const { plans = selfHostedPlans } = wanted;
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireStillMember(scope, wanted.createdBy);
    await requireRoom(scope, { plans, ceiling: "tokens", now });
    await insertToken(scope, row);
  });
  return { row: { ...row, workspace_id: store.workspaceId }, token };
}

/** `by`: the role of the person who revokes it. A member doesn't revoke a token that can do more than a member. */
export async function revokeToken(
  store: Pick<WorkspaceStore, "write">,
  id: string,
  by: Role = "owner",
): Promise<void> {
  await store.write(async (scope) => {
    const token = await readToken(scope, id);
    if (token === undefined) throw noSuchToken();
    if (!roleAllows(by, token.creator_role ?? "owner")) throw ownersOnly();
    if (!(await removeToken(scope, id))) throw noSuchToken();
  });
}

function noSuchToken(): Refusal {
  return new Refusal("not_found", "Token not found.");
}
