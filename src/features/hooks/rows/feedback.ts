// What providers report by webhook: bounces and complaints, and how much they delivered.

import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { FeedbackVolumesTable } from "../../feedback/tables.ts";
import type { BouncesTable } from "../../tests/tables.ts";

export async function insertReported(scope: Scope, row: Omit<BouncesTable, "workspace_id">): Promise<void> {
  await scope.insertInto("bounces", row).execute();
}

/** In all workspaces, the oldest: at most `limit`. Those with a message go with it. Returns how many. */
export async function removeReportedBefore(db: Db, before: string, limit: number): Promise<number> {
  const old = await db
    .selectFrom("bounces")
    .select("id")
    .where("test_id", "is", null)
    .where("id", "<", before)
    .limit(limit)
    .execute();
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  await db.deleteFrom("bounces").where("id", "in", ids).execute();
  return old.length;
}

type Volume = Omit<FeedbackVolumesTable, "workspace_id">;

export async function addVolume(scope: Scope, volume: Volume): Promise<void> {
  await scope
    .insertInto("feedback_volumes", volume)
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "provider", "domain", "day"])
        .doUpdateSet((column) => ({
          delivered: column("feedback_volumes.delivered", "+", volume.delivered),
          bounced: column("feedback_volumes.bounced", "+", volume.bounced),
          complained: column("feedback_volumes.complained", "+", volume.complained),
        })),
    )
    .execute();
}

export async function removeVolumesBefore(db: Db, day: number): Promise<void> {
  await db.deleteFrom("feedback_volumes").where("day", "<", day).execute();
}

/** What Assay sent with this Message-ID. */
export async function findSendByMessageId(scope: Scope, messageId: string): Promise<string | null> {
  const row = await scope
    .selectFrom("sends")
    .select("id")
    .where("message_id", "=", messageId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
