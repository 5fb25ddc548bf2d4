import { chainOf, listInvitingEntries } from "../../../platform/audit/rows/log.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { ownersOnly, type Role, roleAllows } from "../../../platform/contract/roles.ts";
import { createToken, hashSecret } from "../../../platform/contract/secrets.ts";
import type { TokenScope } from "../../../platform/contract/token-scopes.ts";
import type { Scope, WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { type Creator, endWith, listMembers, type MemberRow, requireStillThere } from "../rows/memberships.ts";
import { insertToken, listTokens, readToken, removeToken } from "../rows/tokens.ts";
import { lockWorkspace } from "../rows/workspaces.ts";
import { type Plans, selfHostedPlans } from "../rules/plans.ts";
import type { ApiTokensTable } from "../tables.ts";
import { requireRoom } from "./ceilings.ts";

/** The server's operator's act as owner. */
export type WantedToken = Pick<Creator, "createdBy"> & {
  readonly name: string;
  /** Absent: no token creates it. */
  readonly createdWith?: Creator["createdWith"];
  readonly expiresAt: number | null;
  readonly scope: TokenScope;
  /** Null: tests with any label. */
  readonly label: string | null;
  /** Absent: no limit applies, as for the operator on the command line. */
  readonly plans?: Plans;
};

/** The database deletes a token with all tokens that it created, one level within another. */
const mostLevels = 10;

/** Only this result contains the token; the row keeps its hash. */
export async function issueToken(
  store: Pick<WorkspaceStore, "workspaceId" | "write">,
  system: Pick<System, "now" | "random">,
  wanted: WantedToken,
): Promise<{ readonly row: ApiTokensTable; readonly token: string }> {
  const now = system.now();
  if (wanted.expiresAt !== null && wanted.expiresAt <= now)
    throw new Refusal("invalid_request", '"expiresAt" must be in the future.', { field: "expiresAt" });
  const creator = { createdBy: wanted.createdBy, createdWith: wanted.createdWith ?? null };
  const expiresAt = endWith(creator, wanted.expiresAt);
  if (wanted.expiresAt !== null && expiresAt !== wanted.expiresAt)
    throw new Refusal("invalid_request", '"expiresAt" must not be later than that of your API token.', {
      field: "expiresAt",
    });
  const token = createToken(system.random(40));
  const row = {
    id: createId("token", now, system.random(16)),
    name: wanted.name,
    hash: hashSecret(token),
    created_by: creator.createdBy,
    created_with: creator.createdWith?.id ?? null,
    created_at: now,
    last_used_at: null,
    last_used_address: null,
    expires_at: expiresAt,
    scope: wanted.scope,
    label: wanted.label,
    noticed_days: null,
  };
  const { plans = selfHostedPlans } = wanted;
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    await requireStillThere(scope, creator);
    await requireLevel(scope, row.created_with);
    await requireRoom(scope, { plans, ceiling: "tokens", now });
    await insertToken(scope, row);
    recordChange({ objectId: row.id });
  });
  return { row: { ...row, workspace_id: store.workspaceId }, token };
}

async function requireLevel(scope: Scope, createdWith: string | null): Promise<void> {
  let above = createdWith;
  for (let level = 1; above !== null; level++) {
    if (level === mostLevels)
      throw new Refusal("conflict", `API tokens can create one another only ${mostLevels} levels deep.`);
    above = (await readToken(scope, above))?.created_with ?? null;
  }
}

/** Ends all that it created, too. `by`: the role of the person who revokes it. A member doesn't revoke a token that can do more than a member. */
export async function revokeToken(store: Pick<WorkspaceStore, "write">, id: string, by: Role = "owner"): Promise<void> {
  await store.write(async (scope) => {
    await lockWorkspace(scope);
    const token = await readToken(scope, id);
    if (token === undefined) throw noSuchToken();
    if (!roleAllows(by, token.creator_role ?? "owner")) throw ownersOnly();
    await removeToken(scope, id);
    recordChange();
  });
}

/**
 * By token: the members who joined with its invitation, or with that of a token that it created. They stay when it is
 * revoked. Known as far back as the audit log goes.
 */
export async function listJoinedWith(scope: Scope): Promise<ReadonlyMap<string, readonly MemberRow[]>> {
  const tokens = new Map((await listTokens(scope)).map((token) => [token.id, token]));
  const entries = await listInvitingEntries(chainOf(scope));
  const joined = new Map<string, MemberRow[]>();
  for (const member of await listMembers(scope)) {
    const isTheirs = (entry: (typeof entries)[number]) =>
      entry.object_name === member.email && entry.at <= member.created_at;
    let token = tokens.get(entries.findLast(isTheirs)?.actor_id ?? "");
    for (; token; token = tokens.get(token.created_with ?? ""))
      joined.set(token.id, [...(joined.get(token.id) ?? []), member]);
  }
  return joined;
}

function noSuchToken(): Refusal {
  return new Refusal("not_found", "Token not found.");
}
