import type { Insertable } from "kysely";
import type { RawMessagesTable, TestsTable } from "../schema/schema.ts";
import { encodeRaw } from "../tests/raw-messages.ts";
import type { NewMessage, NewTest } from "./intake.ts";

export type IntakeRows = { readonly test: Insertable<TestsTable>; readonly raw: RawMessagesTable };

export function toRows(message: NewMessage): IntakeRows[] {
  const encoded = encodeRaw(message.bytes);
  return message.tests.map((test) => ({
    test: toTestRow(message, test),
    raw: { test_id: test.id, session: test.session, ...encoded },
  }));
}

/** Of each message that nobody has looked at yet. */
export const alike = { became: "test", status: "received", tries_alone: 0, attempts: 0 } as const;

/** Without what is null of each message that nobody has looked at yet: a value that is bound costs, at two dozen of them. */
function toTestRow(message: NewMessage, test: NewTest): Insertable<TestsTable> {
  return {
    ...alike,
    id: test.id,
    workspace_id: test.workspaceId,
    seed_inbox_id: test.seedInboxId,
    received_at: message.receivedAt,
    label: test.label,
    sender: message.sender,
    subject: message.subject,
    recipients: JSON.stringify(test.recipients),
    size_bytes: message.bytes.length,
    send_id: test.sendId ?? null,
    sample: test.isSample ? 1 : 0,
    due_at: message.receivedAt,
  };
}
