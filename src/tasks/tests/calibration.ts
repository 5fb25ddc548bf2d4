// Compares a workspace's predictions with what its seed mailboxes showed, and manages the shifts that owners derive
// from that.

import { Refusal } from "../../errors.ts";
import { type Figures, needed, type Pair, toFigures } from "../../placement/calibration.ts";
import { type Suggested, suggestShift, toSpamSeen, type WeightedPair } from "../../placement/fit-shift.ts";
import { type Provider, providers } from "../../placement/provider.ts";
import { toHundredths } from "../../placement/shifts.ts";
import { weightsVersion } from "../../placement/weights-table.ts";
import {
  listPredictedObservations,
  listShifts,
  type PredictedObservation,
  removeShift,
  upsertShift,
} from "../../store/mailboxes/calibration.ts";
import type { PlacementShiftsTable } from "../../store/schema/integrations.ts";
import type { Scope, WorkspaceStore } from "../../store/scope.ts";
import type { System } from "../../system/system.ts";

export type Calibration = Figures &
  Suggested & {
    readonly provider: Provider;
    /** Newest first. */
    readonly months: readonly (Figures & { readonly month: string })[];
    readonly shift: ShiftRow | null;
  };

export type ShiftRow = Omit<PlacementShiftsTable, "workspace_id">;

/** Per provider. Older ones say little about its current filter. */
export const mostObservations = 2_000;
const mostMonths = 24;

export async function readCalibration({
  readInWorker,
}: Pick<WorkspaceStore, "readInWorker">): Promise<Calibration[]> {
  const shifts = new Map((await listShifts(readInWorker)).map((row) => [row.provider, row]));
  const calibrations: Calibration[] = [];
  // One by one, so that other queries run in between.
  for (const provider of providers) {
    const rows = await listPredictedObservations(readInWorker, provider, mostObservations);
    calibrations.push(toCalibration(provider, rows, shifts.get(provider) ?? null));
  }
  return calibrations;
}

function toCalibration(
  provider: Provider,
  rows: readonly PredictedObservation[],
  shift: ShiftRow | null,
): Calibration {
  const pairs = rows.map((row) => ({ ...toPair(row), month: toMonth(row.seen_at) }));
  const months = [...Map.groupBy(pairs, ({ month }) => month)].slice(0, mostMonths);
  return {
    provider,
    ...toFigures(pairs),
    months: months.map(([month, own]) => ({ month, ...toFigures(own) })),
    ...suggestShift(toSpamSeen(pairs, weightsVersion), shift?.shift ?? 0),
    shift,
  };
}

function toPair({ predicted_folder, predicted_odds, folder, weights }: PredictedObservation): WeightedPair {
  const odds = JSON.parse(predicted_odds) as Pair["odds"];
  return { folder: predicted_folder, odds, observed: folder, weights };
}

/** `2026-11`, in UTC. */
function toMonth(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}

export async function setShift(
  { readInWorker, write }: Pick<WorkspaceStore, "readInWorker" | "write">,
  system: Pick<System, "now">,
  wanted: { readonly provider: Provider; readonly value: number; readonly userId: string | null },
): Promise<ShiftRow> {
  const { provider, userId } = wanted;
  const shift = toHundredths(wanted.value);
  if (shift === 0)
    throw new Refusal("invalid_request", "A shift of 0 has no effect. Delete the shift instead.", {
      field: "shift",
    });
  const observations = await countUsable(readInWorker, provider);
  if (observations < needed)
    throw new Refusal(
      "conflict",
      `A shift needs ${needed} observations predicted with the current weights. So far there are ${observations}.`,
    );
  const row = { provider, shift, observations, set_at: system.now(), set_by: userId };
  await write((scope) => upsertShift(scope, row));
  return row;
}

async function countUsable(scope: Scope, provider: Provider): Promise<number> {
  const rows = await listPredictedObservations(scope, provider, mostObservations);
  return toSpamSeen(rows.map(toPair), weightsVersion).length;
}

/** Returns to the published weights. */
export async function dropShift({ write }: Pick<WorkspaceStore, "write">, provider: Provider): Promise<void> {
  if (!(await write((scope) => removeShift(scope, provider))))
    throw new Refusal("not_found", "No shift is set for this provider.");
}
