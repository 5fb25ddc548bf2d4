// What people say of a domain's senders.

import type { Scope } from "../../../platform/database/scope.ts";
import type { SourceMarksTable } from "../tables.ts";

export type SourceMark = Pick<SourceMarksTable, "key" | "mark" | "note">;

export async function listMarks(scope: Scope, domainId: string): Promise<ReadonlyMap<string, SourceMark>> {
  const rows = await scope
    .selectFrom("source_marks")
    .select(["key", "mark", "note"])
    .where("domain_id", "=", domainId)
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Without a mark and a note, nothing is kept. */
export async function writeMark(scope: Scope, row: Omit<SourceMarksTable, "workspace_id">): Promise<void> {
  const { domain_id, key, mark, note, updated_at } = row;
  if (mark === null && note === "")
    await scope.deleteFrom("source_marks").where("domain_id", "=", domain_id).where("key", "=", key).execute();
  else
    await scope
      .insertInto("source_marks", row)
      .onConflict((conflict) => conflict.columns(["domain_id", "key"]).doUpdateSet({ mark, note, updated_at }))
      .execute();
}
