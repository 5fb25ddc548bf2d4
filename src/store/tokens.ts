import type { Insertable, Selectable } from "kysely";
import type { ApiTokensTable, Db } from "./schema.ts";

export type TokenRow = Selectable<ApiTokensTable>;

export async function insertToken(db: Db, row: Insertable<ApiTokensTable>): Promise<void> {
  await db.insertInto("api_tokens").values(row).execute();
}

export function listTokens(db: Db, workspaceId: string): Promise<TokenRow[]> {
  return db
    .selectFrom("api_tokens")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("id", "desc")
    .execute();
}

/** The one read that no workspace scopes: it finds out which workspace it is. */
export function readTokenByHash(db: Db, hash: string): Promise<TokenRow | undefined> {
  return db.selectFrom("api_tokens").selectAll().where("hash", "=", hash).executeTakeFirst();
}

export async function updateTokenUse(db: Db, id: string, atMs: number): Promise<void> {
  await db.updateTable("api_tokens").set({ last_used_at: atMs }).where("id", "=", id).execute();
}

/** Whether there was one to remove. */
export async function removeToken(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const removed = await db
    .deleteFrom("api_tokens")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return removed !== undefined;
}
