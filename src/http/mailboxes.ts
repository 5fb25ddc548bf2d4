import type { IntegrationRecord } from "../api/integration-record.ts";
import { changeMailbox, createMailbox } from "../api/mailboxes.ts";
import { toTimestamp } from "../api/primitives.ts";
import { mailboxLabel, mailboxPurpose } from "../integrations/mailbox.ts";
import type { IntegrationsTable } from "../store/integration-schema.ts";
import type { MailboxServer } from "../tasks/mailbox-words.ts";
import { type Route, route } from "./route.ts";

export const mailboxRoutes: readonly Route[] = [
  route(createMailbox, async ({ store, body, caller }, { mailboxes }) =>
    toRecord(await mailboxes.connect(store, { ...body, connectedBy: caller.userId })),
  ),

  route(changeMailbox, async ({ store, params: { id }, body }, { mailboxes }) =>
    toRecord(await mailboxes.changePassword(store, id, body.password)),
  ),
];

/** Of one with a password. */
function toRecord(row: IntegrationsTable): IntegrationRecord {
  const { host, port, tls } = JSON.parse(row.server ?? "") as MailboxServer;
  return {
    ...{ id: row.id, provider: row.provider, label: mailboxLabel, purpose: mailboxPurpose },
    ...{ configured: true, connected: true, account: row.account },
    connectedAt: toTimestamp(row.connected_at),
    ...{ status: row.status, problem: row.problem, statusSince: toTimestamp(row.status_since) },
    scopes: [],
    seedProvider: row.seed_provider,
    server: { host, port, tls: tls === "implicit" },
  };
}
