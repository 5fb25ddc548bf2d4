import type { Selectable } from "kysely";
import type { Db, WorkspacesTable } from "./schema.ts";

/** A workspace with the address of its active seed inbox. */
export type WorkspaceRow = Selectable<WorkspacesTable> & { readonly seed_address: string | null };

export async function insertWorkspace(db: Db, workspace: WorkspacesTable): Promise<void> {
  await db.insertInto("workspaces").values(workspace).execute();
}

/** Oldest first: the first is the server's own. */
export async function listWorkspaces(db: Db): Promise<WorkspaceRow[]> {
  const rows = await selectWorkspaces(db).execute();
  return rows.map(toWorkspaceRow);
}

export async function readWorkspaces(db: Db, ids: readonly string[]): Promise<WorkspaceRow[]> {
  // PostgreSQL takes no empty list.
  if (ids.length === 0) return [];
  const rows = await selectWorkspaces(db).where("workspaces.id", "in", ids).execute();
  return rows.map(toWorkspaceRow);
}

/** The server's own: what nobody else may have goes there. */
export async function readFirstWorkspaceId(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom("workspaces")
    .select("id")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Writes about one workspace that follow this one wait for one another on PostgreSQL too, until they are committed. */
export async function lockWorkspace(db: Db, id: string): Promise<void> {
  await db
    .updateTable("workspaces")
    .set((column) => ({ name: column.ref("name") }))
    .where("id", "=", id)
    .execute();
}

function selectWorkspaces(db: Db) {
  return db
    .selectFrom("workspaces")
    .leftJoin("seed_inboxes", (join) =>
      join.onRef("seed_inboxes.workspace_id", "=", "workspaces.id").on("seed_inboxes.active", "=", 1),
    )
    .selectAll("workspaces")
    .select(["seed_inboxes.local_part", "seed_inboxes.domain"])
    .orderBy("workspaces.created_at")
    .orderBy("workspaces.id");
}

type Joined = WorkspacesTable & { local_part: string | null; domain: string | null };

function toWorkspaceRow({ local_part, domain, ...row }: Joined): WorkspaceRow {
  return { ...row, seed_address: local_part === null ? null : `${local_part}@${domain}` };
}
