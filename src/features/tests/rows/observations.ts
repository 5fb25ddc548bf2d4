// What seed mailboxes showed about tests. Rows are removed with their test, but stay if the mailbox is disconnected.

import type { Observation, ObservationEvidence } from "../../../analyzer/reports/observation.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { ObservationsTable } from "../tables.ts";

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
