// What was observed of predicted messages, and the shifts that people set from it.

import type { Provider } from "../../placement/provider.ts";
import type { Shifts } from "../../placement/shifts.ts";
import { prepare } from "../engine/prepared.ts";
import type { ObservationsTable, PlacementShiftsTable } from "../schema/integrations.ts";
import type { Db } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";

/** Read by key for each analyzed message, so the latest value applies, whichever process set it. */
export async function readShifts(db: Db, workspaceId: string): Promise<Shifts> {
  const { rows } = await selectShifts(db, { workspaceId });
  return Object.fromEntries(
    rows.map(({ provider, shift, observations }) => [provider, { value: shift, observations }]),
  );
}

const selectShifts = prepare<
  { workspaceId: string },
  Pick<PlacementShiftsTable, "provider" | "shift" | "observations">
>((db, { workspaceId }) =>
  db
    .selectFrom("placement_shifts")
    .select(["provider", "shift", "observations"])
    .where("workspace_id", "=", workspaceId),
);

export async function listShifts(scope: Scope): Promise<PlacementShiftsTable[]> {
  return await scope.selectFrom("placement_shifts").selectAll().orderBy("provider").execute();
}

/** Replaces an existing one. */
export async function upsertShift(
  scope: Scope,
  row: Omit<PlacementShiftsTable, "workspace_id">,
): Promise<void> {
  const { provider: _, ...changed } = row;
  await scope
    .insertInto("placement_shifts", row)
    .onConflict((conflict) => conflict.columns(["workspace_id", "provider"]).doUpdateSet(changed))
    .execute();
}

/** False if there was none. */
export async function removeShift(scope: Scope, provider: Provider): Promise<boolean> {
  const { numDeletedRows } = await scope
    .deleteFrom("placement_shifts")
    .where("provider", "=", provider)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** For messages with a prediction. */
export type PredictedObservation = Pick<ObservationsTable, "folder" | "seen_at"> & {
  readonly [Column in "predicted_folder" | "predicted_odds" | "weights"]: NonNullable<
    ObservationsTable[Column]
  >;
};

/** Newest first. */
export async function listPredictedObservations(
  scope: Scope,
  provider: Provider,
  limit: number,
): Promise<PredictedObservation[]> {
  return await scope
    .selectFrom("observations")
    .select(["folder", "seen_at", "predicted_folder", "predicted_odds", "weights"])
    .where("provider", "=", provider)
    .where("predicted_folder", "is not", null)
    .where("predicted_odds", "is not", null)
    .where("weights", "is not", null)
    .orderBy("seen_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .$narrowType<PredictedObservation>()
    .execute();
}
