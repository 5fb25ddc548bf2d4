// How many messages of each workspace wait for analysis.

import type { Db } from "../../../platform/database/schema.ts";

type BacklogShares = {
  readonly waiting: ReadonlyMap<string, number>;
  /** The server has one workspace. */
  readonly isSole: boolean;
};

/** Reads the index of what is due. */
export async function readBacklogShares(db: Db): Promise<BacklogShares> {
  const [rows, workspaces] = await Promise.all([
    db
      .selectFrom("tests")
      .select(["workspace_id", (count) => count.fn.countAll<number>().as("total")])
      .where("due_at", "is not", null)
      .groupBy("workspace_id")
      .execute(),
    db.selectFrom("workspaces").select("id").limit(2).execute(),
  ]);
  return {
    waiting: new Map(rows.map(({ workspace_id, total }) => [workspace_id, total])),
    isSole: workspaces.length < 2,
  };
}
