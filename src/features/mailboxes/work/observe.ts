// Records that a test's message was seen in a seed mailbox, and updates the test's rates and sums in the caller's
// transaction.

import type { Placement } from "../../../analyzer/placement/provider.ts";
import { type Contribution, toRates, withPlaced } from "../../../analyzer/reports/contribution.ts";
import { compareSureness, isAnotherMessage, type Match } from "../../../analyzer/reports/match-sighting.ts";
import {
  type ObservationEvidence,
  type Predicted,
  toObservedProvider,
  toPlaced,
  toPredicted,
} from "../../../analyzer/reports/observation.ts";
import type { Report } from "../../../analyzer/reports/report.ts";
import type { Sighting } from "../../../analyzer/reports/sighting.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import type { WorkspaceEvent } from "../../events/contract.ts";
import { hasArrived } from "../../intake/work/receive-message.ts";
import { listObservationRows, listObservations, parseEvidence } from "../../tests/rows/observations.ts";
import type { ObservationsTable, TestsTable } from "../../tests/tables.ts";
import {
  insertObservation,
  keepPlaced,
  moveObservation,
  type ObservedMailbox,
  readContribution,
  removeObservation,
} from "../rows/observations.ts";

export type ObservedEvent = Extract<WorkspaceEvent, { readonly type: "test.observed" }>;

export type Discovery = { readonly mailbox: ObservedMailbox; readonly sighting: Sighting; readonly match: Match };

/** Within this time a move is the provider's decision. Later it may be the mailbox owner's. */
const followedMs = 3_600_000;
const mostMoves = 5;

/** `test`: locked by this transaction. Returns the events to publish after the commit. */
export async function observe(
  scope: Scope,
  { test, placement }: { readonly test: TestsTable; readonly placement: Placement | null },
  discoveries: readonly Discovery[],
  system: Pick<System, "now" | "random">,
): Promise<ObservedEvent[]> {
  const events: ObservedEvent[] = [];
  const surestFirst = discoveries.toSorted(({ match: one }, { match: other }) =>
    compareSureness(one.matchedBy, other.matchedBy),
  );
  for (const discovery of surestFirst) {
    const { mailbox, sighting, match } = discovery;
    const provider = toObservedProvider(mailbox);
    const rows = await listObservationRows(scope, test.id);
    const known =
      rows.find(({ integration_id }) => integration_id === mailbox.id) ??
      // A reconnected mailbox is the same mailbox.
      rows.find((row) => row.account === mailbox.account && row.provider === provider);
    const isMistaken = known !== undefined && isAnotherMessage(parseEvidence(known), sighting);
    if (isMistaken && compareSureness(match.matchedBy, known.matched_by) >= 0) continue;
    if (isMistaken) await removeObservation(scope, known.id);
    const isNew =
      known && !isMistaken
        ? await follow(scope, known, sighting, system.now())
        : await keepFirst(scope, { test, placement }, discovery, system);
    const { id, label } = test;
    if (isNew) events.push({ type: "test.observed", id, label, provider, folder: sighting.folder });
  }
  if (events.length > 0) await placeObserved(scope, test.id, toPredicted(placement));
  return events;
}

/** Combines predictions and observations into rates and sums, whichever of the two changed last. */
export async function placeObserved(scope: Scope, testId: string, predicted: readonly Predicted[]): Promise<void> {
  const observed = await listObservations(scope, testId);
  if (observed.length === 0) return;
  const placed = toPlaced(predicted, observed);
  const kept = await readContribution(scope, testId);
  const contribution = kept === undefined ? null : (JSON.parse(kept) as Contribution);
  await keepPlaced(scope, testId, {
    rates: toRates(placed),
    contribution: contribution?.kind === "test" ? JSON.stringify(withPlaced(contribution, placed)) : null,
  });
}

/** Null if an earlier version wrote the report in an unreadable format. */
export function placementOf(report: string | undefined): Placement | null {
  const parsed: Report | null = report === undefined ? null : parseReport(report);
  return parsed?.judgment.placement ?? null;
}

async function keepFirst(
  scope: Scope,
  { test, placement }: { readonly test: TestsTable; readonly placement: Placement | null },
  { mailbox, sighting, match }: Discovery,
  { now, random }: Pick<System, "now" | "random">,
): Promise<true> {
  const provider = toObservedProvider(mailbox);
  const prediction = placement?.predictions.find((one) => one.provider === provider);
  const evidence: ObservationEvidence = {
    ...sighting.evidence,
    messageId: sighting.messageId,
    arrivedAt: sighting.arrivedAt,
    candidates: match.candidates,
    moves: [],
  };
  await insertObservation(scope, {
    id: createId("observation", now(), random(16)),
    test_id: test.id,
    integration_id: mailbox.id,
    provider,
    account: mailbox.account,
    folder: sighting.folder,
    folder_name: sighting.folderName,
    seen_at: now(),
    delay_ms: !hasArrived(test) || match.matchedBy === "own-copy" ? null : sighting.arrivedAt - test.received_at,
    matched_by: match.matchedBy,
    evidence: JSON.stringify(evidence),
    predicted_folder: prediction?.folder ?? null,
    predicted_odds: prediction ? JSON.stringify(prediction.odds) : null,
    weights: placement?.version ?? null,
  });
  return true;
}

/** Seeing it again in the same folder changes nothing. Another folder soon after means that the provider moved it. */
async function follow(scope: Scope, row: ObservationsTable, sighting: Sighting, now: number): Promise<boolean> {
  const { moves, ...evidence } = parseEvidence(row);
  const firstSeenAt = moves[0]?.seenAt ?? row.seen_at;
  if (sighting.folder === row.folder || now - firstSeenAt > followedMs || moves.length >= mostMoves) return false;
  const left = { folder: row.folder, folderName: row.folder_name, seenAt: row.seen_at };
  const { authenticationResults, headers } = sighting.evidence;
  const updated = { ...evidence, authenticationResults, headers, moves: [...moves, left] };
  await moveObservation(scope, row.id, {
    folder: sighting.folder,
    folder_name: sighting.folderName,
    seen_at: now,
    evidence: JSON.stringify(updated),
  });
  return true;
}
