import { encodeRaw } from "../raw-messages.ts";
import type { RawMessagesTable, TestsTable } from "../schema.ts";
import type { NewMessage, NewTest } from "./intake.ts";

export type IntakeRows = { readonly test: TestsTable; readonly raw: RawMessagesTable };

export function toRows(message: NewMessage): IntakeRows[] {
  const encoded = encodeRaw(message.bytes);
  return message.tests.map((test) => ({
    test: toTestRow(message, test),
    raw: { test_id: test.id, session: test.session, ...encoded },
  }));
}

function toTestRow(message: NewMessage, test: NewTest): TestsTable {
  return {
    id: test.id,
    workspace_id: test.workspaceId,
    seed_inbox_id: test.seedInboxId,
    became: "test",
    status: "received",
    received_at: message.receivedAt,
    analyzed_at: null,
    label: test.label,
    sender: message.sender,
    header_from: null,
    from_domain: null,
    subject: message.subject,
    recipients: JSON.stringify(test.recipients),
    message_id: null,
    size_bytes: message.bytes.length,
    spf: null,
    dkim: null,
    dmarc: null,
    composite: null,
    coverage: null,
    judged_composite: null,
    inbox_rate: null,
    spam_rate: null,
    promo_rate: null,
    kind: null,
    kind_override: null,
    body_key: null,
    tries_alone: 0,
    failure: null,
    send_id: test.sendId ?? null,
    sample: test.isSample ? 1 : 0,
    due_at: message.receivedAt,
    claimed_by: null,
    claimed_until: null,
    attempts: 0,
  };
}
