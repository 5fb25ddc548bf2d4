// Tests by the Message-ID of their message.

import { toMessageIdKey } from "../mail/message-id-key.ts";
import { prepare } from "./prepared.ts";
import type { Db, TestsTable } from "./schema.ts";
import type { Scope } from "./scope.ts";

/** The newest, where a sender used one Message-ID more than once. */
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

/** Earlier tests with this Message-ID and another body. */
export async function countReuses(
  db: Db,
  { id, workspace_id }: Pick<TestsTable, "id" | "workspace_id">,
  { message_id, body_key }: Pick<TestsTable, "message_id" | "body_key">,
): Promise<number> {
  if (message_id === null || body_key === null) return 0;
  const key = toMessageIdKey(message_id);
  const { rows } = await selectReuses(db, { id, workspace_id, key, body_key });
  return rows[0]?.total ?? 0;
}

const selectReuses = prepare<
  { id: string; workspace_id: string; key: string; body_key: string },
  { total: number }
>((db, { id, workspace_id, key, body_key }) =>
  db
    .selectFrom("tests")
    .select((count) => count.fn.countAll<number>().as("total"))
    .where("workspace_id", "=", workspace_id)
    .where("message_id", "=", key)
    .where("became", "=", "test")
    .where("id", "<", id)
    .where("body_key", "<>", body_key),
);
