// Stores the report of a canary and tells its monitor. It is in no list of tests, no sum, and no stream, because canaries
// are many and alike. The analysis itself is that of any test.

import type { TestContribution } from "../../../analyzer/reports/contribution.ts";
import { toComparableScore } from "../../../analyzer/reports/grade-words.ts";
import type { Stamp } from "../../../analyzer/reports/stamps.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import type { WorkspaceEvent } from "../../events/contract.ts";
import type { Publish } from "../../events/work/hub.ts";
import { markAnalyzed, type TestAnalysis } from "../../tests/rows/tests.ts";
import type { TestsTable } from "../../tests/tables.ts";
import { noteReturn } from "./canary-run.ts";

type CanaryEvent = Extract<WorkspaceEvent, { readonly type: "monitor.changed" | "test.observed" }>;

/** Null if another process has taken it over. */
export async function recordCanary(
  db: Db,
  test: TestsTable,
  { analysis, stamps }: { readonly analysis: TestAnalysis; readonly stamps: readonly Stamp[] },
  system: UnreadTerms["system"],
): Promise<CanaryEvent[] | null> {
  if (!(await markAnalyzed(db, test, analysis))) return null;
  // It came back once. A later analysis says nothing about the path.
  if (test.analyzed_at !== null || test.send_id === null) return [];
  const { folders } = JSON.parse(analysis.contribution) as TestContribution;
  const { spf, dkim, dmarc } = analysis;
  const report = { score: toComparableScore(analysis), verdicts: { spf, dkim, dmarc }, folders };
  const arrival = { sendId: test.send_id, testId: test.id, receivedAt: test.received_at, report, stamps };
  const monitorId = await noteReturn(inWorkspace(db, test.workspace_id), arrival, system);
  return monitorId === null ? [] : [{ type: "monitor.changed", id: monitorId }];
}

type UnreadTerms = {
  readonly store: Pick<Store, "write">;
  readonly system: Pick<System, "now" | "random">;
  readonly publish: Publish;
};

/** A canary that can't be read came back too. */
export async function noteUnread(test: TestsTable, { store, system, publish }: UnreadTerms): Promise<void> {
  const { id: testId, workspace_id, became, analyzed_at, send_id: sendId, received_at: receivedAt } = test;
  if (became !== "canary" || analyzed_at !== null || sendId === null) return;
  const arrival = { sendId, testId, receivedAt, report: null, stamps: [] };
  const id = await store.write((db) => noteReturn(inWorkspace(db, workspace_id), arrival, system));
  if (id !== null) publish(workspace_id, { type: "monitor.changed", id });
}
