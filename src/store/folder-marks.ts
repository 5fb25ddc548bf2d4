// Up to where the folders of seed mailboxes were read.

import type { MailboxFoldersTable } from "./integration-schema.ts";
import type { Scope } from "./scope.ts";

export async function keepFolderMark(
  scope: Scope,
  { integration_id, path, uid_validity, next_uid }: Omit<MailboxFoldersTable, "workspace_id">,
): Promise<void> {
  await scope
    .insertInto("mailbox_folders", { integration_id, path, uid_validity, next_uid })
    .onConflict((conflict) =>
      conflict.columns(["integration_id", "path"]).doUpdateSet({ uid_validity, next_uid }),
    )
    .execute();
}
