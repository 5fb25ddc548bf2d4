import type { OauthStatesTable } from "./integration-schema.ts";
import type { Db } from "./schema.ts";
import type { Scope } from "./scope.ts";

/** The newest of a user's in the workspace stay: whoever begins again and again fills nothing. */
const maxStates = 20;

export async function insertOauthState(
  scope: Scope,
  row: Omit<OauthStatesTable, "workspace_id">,
): Promise<void> {
  await scope.insertInto("oauth_states", row).execute();
  const older = await scope
    .selectFrom("oauth_states")
    .select("hash")
    .where("user_id", "=", row.user_id)
    .orderBy("created_at", "desc")
    .orderBy("hash")
    .limit(100)
    .offset(maxStates)
    .execute();
  if (older.length === 0) return;
  const hashes = older.map(({ hash }) => hash).filter((hash) => hash !== row.hash);
  await scope.deleteFrom("oauth_states").where("hash", "in", hashes).execute();
}

/** Gone with this, whatever comes of it. */
export async function takeOauthState(db: Db, hash: string): Promise<OauthStatesTable | undefined> {
  return await db.deleteFrom("oauth_states").where("hash", "=", hash).returningAll().executeTakeFirst();
}
