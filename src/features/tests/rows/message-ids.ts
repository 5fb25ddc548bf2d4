// Tests by the Message-ID of their message.

import { toMessageIdKey } from "../../../analyzer/mail/text/bounds.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { TestsTable } from "../tables.ts";

/** The newest, if a sender used a Message-ID several times. */
export async function findTestByMessageId(scope: Scope, messageId: string): Promise<TestsTable | undefined> {
  return await scope
    .selectFrom("tests")
    .where("became", "=", "test")
    .selectAll()
    .where("message_id", "=", toMessageIdKey(messageId))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** So that each message of a flood of equal messages costs no more than the first. */
const mostLookedAt = 5;

/** Among the latest earlier tests: those with this Message-ID and another body. */
export async function countReuses(
  db: Db,
  { id, workspace_id }: Pick<TestsTable, "id" | "workspace_id">,
  { message_id, body_key }: Pick<TestsTable, "message_id" | "body_key">,
): Promise<number> {
  if (message_id === null || body_key === null) return 0;
  const { rows } = await selectEarlier(db, { id, workspace_id, key: toMessageIdKey(message_id) });
  return rows.filter((earlier) => earlier.body_key !== null && earlier.body_key !== body_key).length;
}

/** Excludes samples of the gallery, which repeat theirs on purpose. */
const selectEarlier = prepare<{ id: string; workspace_id: string; key: string }, Pick<TestsTable, "body_key">>(
  (db, { id, workspace_id, key }) =>
    db
      .selectFrom("tests")
      .select("body_key")
      .where("workspace_id", "=", workspace_id)
      .where("message_id", "=", key)
      .where("became", "=", "test")
      .where("sample", "=", 0)
      .where("id", "<", id)
      .orderBy("id", "desc")
      .limit(mostLookedAt),
);
