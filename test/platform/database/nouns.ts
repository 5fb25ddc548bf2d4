// Rows for store tests, with distinct names.

import type { NewMessage } from "../../../src/features/intake/rows/intake.ts";
import type { IntegrationsTable } from "../../../src/features/mailboxes/tables.ts";
import { insertWorkspace } from "../../../src/features/people/rows/workspaces.ts";
import type { Db } from "../../../src/platform/database/schema.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import type { Store } from "../../../src/platform/database/store.ts";

export async function insertWorkspaces(db: Db, ...ids: string[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    await insertWorkspace(db, { id, name: `Workspace ${id}`, plan: "free", created_at: index });
  }
}

export function message(id: string, changes: Partial<NewMessage> & { workspaceId?: string } = {}): NewMessage {
  const { workspaceId = "wsp_a", ...rest } = changes;
  return {
    bytes: Buffer.from(`Subject: ${id}\r\n\r\nHello\r\n`),
    receivedAt: 1_000,
    sender: "ada@sender.example",
    tests: [{ id, workspaceId, seedInboxId: null, label: null, recipients: ["x@seed.example"], session: "{}" }],
    ...rest,
  };
}

/** A monitored domain, neither checked yet nor due. */
export async function insertDomain(
  db: Db,
  row: { readonly id: string; readonly workspaceId: string; readonly domain: string; readonly createdAt?: number },
): Promise<void> {
  const { id, workspaceId, domain, createdAt = 0 } = row;
  const unchecked = { checked_at: null, spf: null, dkim: null, dmarc: null, bimi: null, score: null };
  await db
    .insertInto("domains")
    .values({
      id,
      workspace_id: workspaceId,
      domain,
      dkim_selector: null,
      created_at: createdAt,
      ...unchecked,
      verified_at: null,
      last_drift_at: null,
      unstable: 0,
      due_at: null,
      claimed_by: null,
      claimed_until: null,
      attempts: 0,
    })
    .execute();
}

export const server = { host: "imap.seed.example", port: 993, tls: "implicit" } as const;

/** A seed mailbox with a password by default. */
export async function insertIntegration(
  store: Pick<Store, "write">,
  workspaceId: string,
  id: string,
  changes: Partial<IntegrationsTable> = {},
): Promise<string> {
  const now = Date.UTC(2026, 10, 21, 6);
  const row = {
    id,
    provider: "imap" as const,
    account: `${id}@seed.example`,
    seed_provider: null,
    connected_at: now,
    connected_by: null,
    scopes: "[]",
    server: JSON.stringify(server),
    secret: "",
    expires_at: null,
    alert_id: null,
    status: "connecting" as const,
    problem: null,
    status_since: now,
    due_at: now,
    claimed_by: null,
    claimed_until: null,
    attempts: 0,
    ...changes,
  };
  await store.write((db) => inWorkspace(db, workspaceId).insertInto("integrations", row).execute());
  return id;
}
