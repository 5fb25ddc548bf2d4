import type { Role } from "../../accounts/roles.ts";
import { prepare } from "../engine/prepared.ts";
import type { ApiTokensTable } from "../schema/people.ts";
import type { Db } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";

export async function insertToken(scope: Scope, token: Omit<ApiTokensTable, "workspace_id">): Promise<void> {
  await scope.insertInto("api_tokens", token).execute();
}

export async function listTokens(scope: Scope): Promise<ApiTokensTable[]> {
  return await scope.selectFrom("api_tokens").selectAll().orderBy("created_at").orderBy("id").execute();
}

/** False if this workspace has no such token. */
export async function removeToken(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope
    .deleteFrom("api_tokens")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** With its creator's current role. Null: the server's operator created it. */
export type TokenRow = ApiTokensTable & { readonly creator_role: Role | null };

/** In any workspace: the token determines it. An expired token counts as none. */
export async function findToken(db: Db, hash: string, now: number): Promise<TokenRow | undefined> {
  const { rows } = await selectByHash(db, { hash, now });
  return rows[0];
}

const selectByHash = prepare<{ hash: string; now: number }, TokenRow>((db, { hash, now }) =>
  db
    .selectFrom("api_tokens")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.workspace_id", "=", "api_tokens.workspace_id")
        .onRef("memberships.user_id", "=", "api_tokens.created_by"),
    )
    .selectAll("api_tokens")
    .select("memberships.role as creator_role")
    .where("hash", "=", hash)
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)])),
);

export async function updateTokenLastUsed(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable("api_tokens").set({ last_used_at: now }).where("id", "=", id).execute();
}

/** In any workspace, for the server's operator. */
export async function findTokenById(db: Db, id: string): Promise<ApiTokensTable | undefined> {
  return await db.selectFrom("api_tokens").selectAll().where("id", "=", id).executeTakeFirst();
}
