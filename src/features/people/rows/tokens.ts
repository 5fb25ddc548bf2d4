import type { SelectQueryBuilder } from "kysely";
import type { Role } from "../../../platform/contract/roles.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db, Schema } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { ApiTokensTable } from "../tables.ts";

export async function insertToken(scope: Scope, token: Omit<ApiTokensTable, "workspace_id">): Promise<void> {
  await scope.insertInto("api_tokens", token).execute();
}

export async function listTokens(scope: Scope): Promise<ApiTokensTable[]> {
  return await scope.selectFrom("api_tokens").selectAll().orderBy("created_at").orderBy("id").execute();
}

export async function readToken(scope: Scope, id: string): Promise<TokenRow | undefined> {
  return await withCreator(scope.selectFrom("api_tokens")).where("api_tokens.id", "=", id).executeTakeFirst();
}

/** False if this workspace has no such token. */
export async function removeToken(scope: Scope, id: string): Promise<boolean> {
  const { numDeletedRows } = await scope.deleteFrom("api_tokens").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

export type TokenRow = ApiTokensTable & {
  /** The creator's current one. Null: the server's operator created it. */
  readonly creator_role: Role | null;
  /** 1: the workspace requires a second factor. */
  readonly requires_second_factor: number;
};

function withCreator(tokens: SelectQueryBuilder<Schema, "api_tokens", object>) {
  return tokens
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.workspace_id", "=", "api_tokens.workspace_id")
        .onRef("memberships.user_id", "=", "api_tokens.created_by"),
    )
    .innerJoin("workspaces", "workspaces.id", "api_tokens.workspace_id")
    .selectAll("api_tokens")
    .select(["memberships.role as creator_role", "workspaces.requires_second_factor"]);
}

/** In any workspace: the token determines it. An expired token counts as none. */
export async function findToken(db: Db, hash: string, now: number): Promise<TokenRow | undefined> {
  const { rows } = await selectByHash(db, { hash, now });
  return rows[0];
}

const selectByHash = prepare<{ hash: string; now: number }, TokenRow>((db, { hash, now }) =>
  withCreator(db.selectFrom("api_tokens"))
    .where("hash", "=", hash)
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)])),
);

/** Those in all workspaces that haven't expired. */
export async function countTokensOf(db: Db, userId: string, now: number): Promise<number> {
  const { count } = await db
    .selectFrom("api_tokens")
    .select((of) => of.fn.countAll().as("count"))
    .where("created_by", "=", userId)
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

type TokenUse = { readonly now: number; readonly address: string };

export async function updateTokenLastUsed(db: Db, id: string, { now, address }: TokenUse): Promise<void> {
  await db
    .updateTable("api_tokens")
    .set({ last_used_at: now, last_used_address: address })
    .where("id", "=", id)
    .execute();
}

/** In any workspace, for the server's operator. */
export async function findTokenById(db: Db, id: string): Promise<ApiTokensTable | undefined> {
  return await db.selectFrom("api_tokens").selectAll().where("id", "=", id).executeTakeFirst();
}

type Days = { readonly now: number; readonly days: number };

/** Tokens of all workspaces that expire within the days, and for which no notice of so few days was given. */
export async function listExpiringTokens(db: Db, { now, days }: Days): Promise<ApiTokensTable[]> {
  return await db
    .selectFrom("api_tokens")
    .selectAll()
    .where("expires_at", ">", now)
    .where("expires_at", "<=", now + days * 86_400_000)
    .where((is) => is.or([is("noticed_days", "is", null), is("noticed_days", ">", days)]))
    .orderBy("expires_at")
    .orderBy("id")
    .limit(1_000)
    .execute();
}

/** False if another process was faster, or if the token is gone. */
export async function noteExpiryNotice(scope: Scope, id: string, days: number): Promise<boolean> {
  const { numUpdatedRows } = await scope
    .updateTable("api_tokens")
    .set({ noticed_days: days })
    .where("id", "=", id)
    .where((is) => is.or([is("noticed_days", "is", null), is("noticed_days", ">", days)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
