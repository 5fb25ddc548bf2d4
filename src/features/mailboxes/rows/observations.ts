// Writes what seed mailboxes showed about tests.

import type { Rates } from "../../../analyzer/reports/contribution.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { ObservationsTable } from "../../tests/tables.ts";
import type { IntegrationsTable } from "../tables.ts";

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

export type ObservedMailbox = Pick<IntegrationsTable, "id" | "account" | "seed_provider">;

/** Keeps it connected until the transaction ends. */
export async function holdMailbox(scope: Scope, id: string): Promise<ObservedMailbox | undefined> {
  return await scope
    .updateTable("integrations")
    .set((column) => ({ attempts: column.ref("attempts") }))
    .where("id", "=", id)
    .returning(["id", "account", "seed_provider"])
    .executeTakeFirst();
}
