// Rows for store tests, with names that tell them apart.

import type { NewMessage } from "../../src/store/intake/intake.ts";
import type { Db } from "../../src/store/schema.ts";
import { insertWorkspace } from "../../src/store/workspaces.ts";

export async function insertWorkspaces(db: Db, ...ids: string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    await insertWorkspace(db, { id, name: `Workspace ${id}`, plan: "free", created_at: index });
  }
}

export function message(
  id: string,
  changes: Partial<NewMessage> & { workspaceId?: string } = {},
): NewMessage {
  const { workspaceId = "wsp_a", ...rest } = changes;
  return {
    bytes: Buffer.from(`Subject: ${id}\r\n\r\nHello\r\n`),
    receivedAt: 1_000,
    sender: "ada@sender.example",
    subject: id,
    tests: [
      { id, workspaceId, seedInboxId: null, label: null, recipients: ["x@seed.example"], session: "{}" },
    ],
    ...rest,
  };
}
