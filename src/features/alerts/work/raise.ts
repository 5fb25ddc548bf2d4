// Writes an event and one delivery for each subscribed webhook to the outbox. The caller's transaction holds both the
// change and its event, so neither exists without the other.

import { isJudged, toGrade } from "../../../analyzer/reports/grade-words.ts";
import type { FoundMalware } from "../../../analyzer/reports/malware.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { hasArrived } from "../../intake/work/receive-message.ts";
import { readFirstWorkspaceId } from "../../people/rows/workspaces.ts";
import type { FirstIssue } from "../../tests/analysis/analyze-stored.ts";
import { type TestAnalysis, updateJudged } from "../../tests/rows/tests.ts";
import type { TestsTable } from "../../tests/tables.ts";
import type { ClaimedTest } from "../../tests/work/path.ts";
import { insertAlertEvent, isOfInterest, type ListeningAlert, listListening } from "../rows/alerts.ts";
import type { AlertEvent, BackupData, LowScoreData, VerdictCounts } from "../rules/alert-event.ts";
import { type AlertMailKeys, isAlertMessageId } from "../rules/mail-token.ts";

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
    dueAt: now,
  }));
  await insertAlertEvent(scope, { id, type, created_at: now, payload: JSON.stringify(data) }, deliveries);
  return listening.length;
}

/** To the owners of the first workspace, who run the server. */
export async function raiseServerAlert(
  db: Db,
  data: BackupData,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const first = await readFirstWorkspaceId(db);
  if (first !== undefined) await raiseAlert(inWorkspace(db, first), { type: "server.backup", data }, system);
}

// Raises test.analyzed once for each test, and test.low_score for each webhook whose threshold a test's score fell below (src/decisions.md, "Alerts").

type JudgedTest = TestAnalysis & {
  readonly issues: readonly FirstIssue[];
  readonly foundMalware: readonly FoundMalware[];
  readonly verdicts: VerdictCounts;
};

type RaiseTerms = {
  /** As it was before this test. Null if the test was analyzed before, or has none. */
  readonly stream: { readonly describe: () => Promise<LowScoreData["stream"]> } | null;
  readonly system: Pick<System, "now" | "random">;
  readonly alertMailKeys: AlertMailKeys;
  /** No one asked for this analysis. Its alerts would come late, and all at once after an outage. */
  readonly isAutomatic?: boolean;
};

/**
 * `before`: the row as claimed, with the results of its last analysis. Runs in the transaction that marks the test as
 * analyzed.
 */
export async function raiseOfTest(
  db: Db,
  before: ClaimedTest,
  analysis: JudgedTest,
  { stream, system, alertMailKeys, isAutomatic }: RaiseTerms,
): Promise<void> {
  const { composite, coverage } = analysis;
  if (before.sample !== 0 || !hasArrived(before)) return;
  const { workspace_id: workspaceId, settings } = before;
  // An alert that came back as a test. Another alert about it would too.
  if (analysis.message_id !== null && isAlertMessageId(analysis.message_id, alertMailKeys)) return;
  const hasInterest = isOfInterest(settings.alertInterest, composite);
  if (hasInterest && before.analyzed_at === null) await raiseAnalyzed(db, before, analysis, system);
  if (!isJudged(composite, coverage)) {
    // Kept so that a later score is compared with the last meaningful one.
    if (isJudged(before.composite, before.coverage)) await updateJudged(db, before.id, before.composite);
    return;
  }
  if (!hasInterest || isAutomatic) return;
  const last = isJudged(before.composite, before.coverage)
    ? before.composite
    : (before.judged_composite ?? Number.POSITIVE_INFINITY);
  const test = toShown(before, analysis, { composite, coverage: coverage ?? 0 });
  const scope = inWorkspace(db, workspaceId);
  await raiseAlert(
    scope,
    { type: "test.low_score", data: { test, stream: (await stream?.describe()) ?? null } },
    system,
    ({ threshold_score: threshold }) => threshold !== null && composite < threshold && last >= threshold,
  );
}

async function raiseAnalyzed(
  db: Db,
  { id, workspace_id, received_at, label }: TestsTable,
  { composite, coverage, verdicts, spf, dkim, dmarc }: JudgedTest,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const checked = coverage ?? 0;
  const grade = toGrade({ composite, coverage: checked }, { spf, dkim, dmarc });
  const receivedAt = toTimestamp(received_at);
  const test = { id, receivedAt, label, composite, coverage: checked, grade, verdicts };
  await raiseAlert(inWorkspace(db, workspace_id), { type: "test.analyzed", data: { test } }, system);
}

function toShown(
  { id, received_at, label }: TestsTable,
  { header_from, subject, spf, dkim, dmarc, issues, foundMalware }: JudgedTest,
  score: Pick<LowScoreData["test"], "composite" | "coverage">,
): LowScoreData["test"] {
  const receivedAt = toTimestamp(received_at);
  const results = { ...score, spf, dkim, dmarc, issues };
  const malware = foundMalware.length > 0 ? { malware: foundMalware } : {};
  return { id, receivedAt, from: header_from, subject, label, ...results, ...malware };
}
