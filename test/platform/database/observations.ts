// Observations of seed mailboxes as rows: all for one message, each in a different mailbox.

import type { Prediction, Provider } from "../../../src/analyzer/placement/provider.ts";
import { weightsVersion } from "../../../src/analyzer/placement/weights-table.ts";
import type { ObservedFolder } from "../../../src/analyzer/reports/sighting.ts";
import type { Db } from "../../../src/platform/database/schema.ts";

export type Observed = {
  readonly workspaceId: string;
  readonly testId: string;
  readonly provider?: Provider;
  readonly folder?: ObservedFolder;
  readonly seenAt?: number;
  /** Null: no prediction. */
  readonly predicted?: Pick<Prediction, "folder" | "odds"> | null;
  readonly weights?: string;
};

export const predictedInbox = { folder: "inbox", odds: { inbox: 0.9, promotions: 0, spam: 0.1, rejected: 0 } } as const;

const evidence = JSON.stringify({
  authenticationResults: [],
  headers: [],
  messageId: null,
  arrivedAt: 1_000,
  candidates: 1,
  moves: [],
});

/** The same ones, `times` times. */
export async function insertObservations(db: Db, observed: Observed, times = 1): Promise<void> {
  const { workspaceId, testId, provider = "gmail", folder = "inbox", seenAt = 1_000 } = observed;
  const { predicted = predictedInbox, weights = weightsVersion } = observed;
  const { total } = await db
    .selectFrom("observations")
    .select((count) => count.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: times }, (_, at) => ({
    id: `obs_${Number(total) + at}`,
    workspace_id: workspaceId,
    test_id: testId,
    integration_id: `int_${Number(total) + at}`,
    provider,
    account: "ann@seed.example",
    folder,
    ...({ folder_name: folder, seen_at: seenAt, delay_ms: null, matched_by: "assay-id", evidence } as const),
    predicted_folder: predicted?.folder ?? null,
    predicted_odds: predicted && JSON.stringify(predicted.odds),
    weights: predicted && weights,
  }));
  await db.insertInto("observations").values(rows).execute();
}
