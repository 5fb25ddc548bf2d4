// Which messages of a mailbox became tests. The bytes of a message never change in IMAP, so their hash recognizes it in
// another folder, after UIDVALIDITY changed, and in another process.

import { countRows } from "../../../platform/database/engine/page.ts";
import type { Scope } from "../../../platform/database/scope.ts";

/** False if it is known. */
export async function noteReadMessage(
  scope: Scope,
  row: { readonly integration_id: string; readonly message_hash: string; readonly seen_at: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await scope
    .insertInto("mailbox_messages", row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function countReadMessages(scope: Scope, integrationId: string, since: number): Promise<number> {
  return await countRows(
    scope.selectFrom("mailbox_messages").where("integration_id", "=", integrationId).where("seen_at", ">=", since),
  );
}

export async function removeReadMessages(scope: Scope, integrationId: string, before: number): Promise<void> {
  await scope
    .deleteFrom("mailbox_messages")
    .where("integration_id", "=", integrationId)
    .where("seen_at", "<", before)
    .execute();
}
