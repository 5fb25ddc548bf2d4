// Writes an event and one delivery for each subscribed webhook to the outbox. The caller's transaction holds both the
// change and its event, so neither exists without the other.

import type { AlertEvent, LowScoreData } from "../../alerts/alert-event.ts";
import { toTimestamp } from "../../api/primitives.ts";
import { createId } from "../../ids.ts";
import {
  hasThresholdAbove,
  insertAlertEvent,
  type ListeningAlert,
  listListening,
} from "../../store/alerts/alerts.ts";
import type { Db, TestsTable } from "../../store/schema/schema.ts";
import { inWorkspace, type Scope } from "../../store/scope.ts";
import { type TestAnalysis, updateJudged } from "../../store/tests/tests.ts";
import type { System } from "../../system/system.ts";
import type { FirstIssue } from "../analysis/analyze-stored.ts";
import { isUpload } from "../intake/receive-message.ts";

/** `concerns`: whether a subscribed webhook should get this event. Returns the number of webhooks that do. */
export async function raiseAlert(
  scope: Scope,
  { type, data }: AlertEvent,
  system: Pick<System, "now" | "random">,
  concerns: (alert: ListeningAlert) => boolean = () => true,
): Promise<number> {
  const listening = (await listListening(scope, type)).filter(concerns);
  if (listening.length === 0) return 0;
  const now = system.now();
  const id = createId("event", now, system.random(16));
  const deliveries = listening.map((alert) => ({
    id: createId("delivery", now, system.random(16)),
    alertId: alert.id,
  }));
  await insertAlertEvent(scope, { id, type, created_at: now, payload: JSON.stringify(data) }, deliveries);
  return listening.length;
}

// Raises test.low_score for each webhook whose threshold a test's score fell below (src/decisions.md, "Alerts").

type JudgedTest = TestAnalysis & { readonly issues: readonly FirstIssue[] };

/** With fewer checks completed, the score says too little. */
const leastCoverage = 0.5;

/**
 * `before`: the row as claimed, with the results of its last analysis. Runs in the transaction that marks the test as
 * analyzed.
 */
export async function raiseLowScore(
  db: Db,
  before: TestsTable,
  analysis: JudgedTest,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const { composite, coverage } = analysis;
  if (before.sample !== 0 || isUpload(before)) return;
  if (!isJudged(composite, coverage)) {
    // Kept so that a later score is compared with the last meaningful one.
    if (isJudged(before.composite, before.coverage)) await updateJudged(db, before.id, before.composite);
    return;
  }
  const { workspace_id: workspaceId } = before;
  if (!(await hasThresholdAbove(db, { workspaceId, composite }))) return;
  const last = isJudged(before.composite, before.coverage)
    ? before.composite
    : (before.judged_composite ?? Number.POSITIVE_INFINITY);
  const test = toShown(before, analysis, { composite, coverage: coverage ?? 0 });
  await raiseAlert(
    inWorkspace(db, workspaceId),
    { type: "test.low_score", data: { test } },
    system,
    ({ threshold_score: threshold }) => threshold !== null && composite < threshold && last >= threshold,
  );
}

function isJudged(composite: number | null, coverage: number | null): composite is number {
  return composite !== null && coverage !== null && coverage >= leastCoverage;
}

function toShown(
  { id, received_at, label }: TestsTable,
  { header_from, subject, spf, dkim, dmarc, issues }: JudgedTest,
  score: Pick<LowScoreData["test"], "composite" | "coverage">,
): LowScoreData["test"] {
  const receivedAt = toTimestamp(received_at);
  return { id, receivedAt, from: header_from, subject, label, ...score, spf, dkim, dmarc, issues };
}
