import type { Db, WorkspacesTable } from "./schema.ts";

export async function insertWorkspace(db: Db, workspace: WorkspacesTable): Promise<void> {
  await db.insertInto("workspaces").values(workspace).execute();
}

/** Oldest first: the first is the server's own. */
export async function listWorkspaces(db: Db): Promise<WorkspacesTable[]> {
  return await db.selectFrom("workspaces").selectAll().orderBy("created_at").orderBy("id").execute();
}

export async function readWorkspace(db: Db, id: string): Promise<WorkspacesTable | undefined> {
  return await db.selectFrom("workspaces").selectAll().where("id", "=", id).executeTakeFirst();
}
