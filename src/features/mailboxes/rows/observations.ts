// What seed mailboxes showed about tests. Rows are removed with their test, but stay if the mailbox is disconnected.

import type { Rates } from "../../../analyzer/reports/contribution.ts";
import type { Observation, ObservationEvidence } from "../../../analyzer/reports/observation.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { TestsTable } from "../../tests/tables.ts";
import type { IntegrationsTable, ObservationsTable } from "../tables.ts";

/** In the order of their first sighting. */
export async function listObservationRows(scope: Scope, testId: string): Promise<ObservationsTable[]> {
  return await scope.selectFrom("observations").selectAll().where("test_id", "=", testId).orderBy("id").execute();
}

export async function listObservations(scope: Scope, testId: string): Promise<Observation[]> {
  return (await listObservationRows(scope, testId)).map(toObservation);
}

export function toObservation(row: ObservationsTable): Observation {
  return {
    provider: row.provider,
    account: row.account,
    folder: row.folder,
    folderName: row.folder_name,
    seenAt: row.seen_at,
    delayMs: row.delay_ms,
    matchedBy: row.matched_by,
    evidence: parseEvidence(row),
  };
}

export function parseEvidence({ evidence }: Pick<ObservationsTable, "evidence">): ObservationEvidence {
  return JSON.parse(evidence) as ObservationEvidence;
}

export async function insertObservation(scope: Scope, row: Omit<ObservationsTable, "workspace_id">): Promise<void> {
  await scope.insertInto("observations", row).execute();
}

/** The mailbox has moved it. */
export async function moveObservation(
  scope: Scope,
  id: string,
  place: Pick<ObservationsTable, "folder" | "folder_name" | "seen_at" | "evidence">,
): Promise<void> {
  await scope.updateTable("observations").set(place).where("id", "=", id).execute();
}

export async function removeObservation(scope: Scope, id: string): Promise<void> {
  await scope.deleteFrom("observations").where("id", "=", id).execute();
}

/** Locks a test's row until the transaction ends. On SQLite the transaction itself does. */
export async function lockTest(scope: Scope, id: string): Promise<TestsTable | undefined> {
  return await scope
    .updateTable("tests")
    .set((column) => ({ attempts: column.ref("attempts") }))
    .where("id", "=", id)
    .where("became", "=", "test")
    .returningAll()
    .executeTakeFirst();
}

export async function readContribution(scope: Scope, testId: string): Promise<string | undefined> {
  const row = await scope
    .selectFrom("contributions")
    .select("contribution")
    .where("test_id", "=", testId)
    .executeTakeFirst();
  return row?.contribution;
}

/** `contribution` is null if the test adds nothing to its workspace's sums. */
export async function keepPlaced(
  scope: Scope,
  testId: string,
  { rates, contribution }: { readonly rates: Rates; readonly contribution: string | null },
): Promise<void> {
  await scope.updateTable("tests").set(rates).where("id", "=", testId).execute();
  if (contribution === null) return;
  await scope.updateTable("contributions").set({ contribution }).where("test_id", "=", testId).execute();
}

export type SeedMailbox = Pick<
  IntegrationsTable,
  "id" | "account" | "seed_provider" | "connected_at" | "status" | "status_since" | "server"
>;

/** In the order of their connection. */
export async function listSeedMailboxes(scope: Scope): Promise<SeedMailbox[]> {
  return await scope
    .selectFrom("integrations")
    .select(["id", "account", "seed_provider", "connected_at", "status", "status_since", "server"])
    .where("server", "is not", null)
    .orderBy("id")
    .execute();
}

export async function findWorkspaceOfMailbox(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom("integrations").select("workspace_id").where("id", "=", id).executeTakeFirst();
  return row?.workspace_id;
}

/** Keeps it connected until the transaction ends. */
export async function holdMailbox(
  scope: Scope,
  id: string,
): Promise<Pick<IntegrationsTable, "id" | "account" | "seed_provider"> | undefined> {
  return await scope
    .updateTable("integrations")
    .set((column) => ({ attempts: column.ref("attempts") }))
    .where("id", "=", id)
    .returning(["id", "account", "seed_provider"])
    .executeTakeFirst();
}
