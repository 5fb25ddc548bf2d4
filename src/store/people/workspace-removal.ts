// A workspace on its way out: first what opens it and what brings mail to it, at once; then its messages, some at a time;
// then its row.

import { sql } from "kysely";
import { listAlerts } from "../alerts/alerts.ts";
import { removeSomeDeliveries } from "../alerts/deliveries.ts";
import { unclaimed } from "../claims.ts";
import { bytesOfReportRows } from "../mail-reports/mail-reports.ts";
import type { Db } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";
import { takeFitting } from "../tests/removal.ts";

/** Nobody gets in, no mail comes, no mailbox is read and nobody is told anything from here on. Tokens and invitations of members end with their memberships. */
export async function closeWorkspace(scope: Scope): Promise<void> {
  for (const table of ["seed_inboxes", "api_tokens", "shares", "invitations", "memberships"] as const)
    await scope.deleteFrom(table).execute();
  await scope.updateTable("alerts").set({ enabled: 0 }).execute();
  // Whoever watches a mailbox lets go of it.
  await scope
    .updateTable("integrations")
    .set({ ...unclaimed, due_at: null })
    .execute();
}

export async function listRemovedWorkspaces(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("workspaces")
    .select("id")
    .where("removed_at", "is not", null)
    .orderBy("removed_at")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Some of its messages, of every kind, with their reports; answers how many went. At most `bytes` of them, or one,
 * because to free 200 messages of 25 MB takes seconds in which no other message could be kept.
 */
export async function removeSomeTests(
  scope: Scope,
  { tests, bytes }: { readonly tests: number; readonly bytes: number },
): Promise<number> {
  // The order of an index, so that each step costs its own rows alone.
  const rows = await scope
    .selectFrom("tests")
    .select(["id", sql<number>`size_bytes + ${bytesOfReportRows}`.as("size_bytes")])
    .orderBy("became")
    .orderBy("id")
    .limit(tests)
    .execute();
  const ids = takeFitting(rows, bytes).map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("tests").where("id", "in", ids).execute();
  return ids.length;
}

/** Some of its domains, with their reports and their history; answers how many went. */
export async function removeSomeDomains(scope: Scope, limit: number): Promise<number> {
  const rows = await scope.selectFrom("domains").select("id").orderBy("id").limit(limit).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("domains").where("id", "in", ids).execute();
  return ids.length;
}

/** Some of what its webhooks were to be told, or, when that is gone, of what it was about; answers how much went. */
export async function removeSomeAlerts(scope: Scope, limit: number): Promise<number> {
  const alertIds = (await listAlerts(scope)).map(({ id }) => id);
  const deliveries = await removeSomeDeliveries(scope, alertIds, limit);
  if (deliveries > 0) return deliveries;
  const rows = await scope.selectFrom("alert_events").select("id").orderBy("id").limit(limit).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("alert_events").where("id", "in", ids).execute();
  return ids.length;
}

export async function removeSomeSends(scope: Scope, limit: number): Promise<number> {
  const rows = await scope.selectFrom("sends").select("id").orderBy("id").limit(limit).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await scope.deleteFrom("sends").where("id", "in", ids).execute();
  return ids.length;
}

/** The row of a workspace whose tests, domains, alerts and sends are gone: what little is left goes with it. */
export async function removeWorkspaceRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("workspaces").where("id", "=", id).where("removed_at", "is not", null).execute();
}
