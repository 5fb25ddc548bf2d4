// What the analysis of a canary means for its monitor. It is in no list of tests, no sum, and no stream, because canaries
// are many and alike. The analysis itself is that of any test.

import type { TestContribution } from "../../../analyzer/reports/contribution.ts";
import { toComparableScore } from "../../../analyzer/reports/grade-words.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { OnAnalyzed } from "../../tests/work/path.ts";
import { noteReturn } from "./canary-run.ts";

export const recordCanary: OnAnalyzed = async ({ db, test, outcome, system }) => {
  const { id: testId, workspace_id, became, analyzed_at, send_id: sendId, received_at: receivedAt } = test;
  // It came back once. A later analysis says nothing about the path.
  if (became !== "canary" || analyzed_at !== null || sendId === null) return [];
  const arrival = { sendId, testId, receivedAt, ...toReport(outcome) };
  const id = await noteReturn(inWorkspace(db, workspace_id), arrival, system);
  return id === null ? [] : [{ type: "monitor.changed", id }];
};

/** A canary that can't be read came back too. An open prediction says nothing about where it goes. */
function toReport(outcome: Parameters<OnAnalyzed>[0]["outcome"]) {
  if (outcome.kind !== "test") return { report: null, stamps: [] };
  const { analysis, stamps } = outcome;
  const { folders: places } = JSON.parse(analysis.contribution) as TestContribution;
  const folders = Object.fromEntries(
    Object.entries(places).flatMap(([provider, place]) => (place === "open" ? [] : [[provider, place] as const])),
  );
  const { spf, dkim, dmarc } = analysis;
  return { report: { score: toComparableScore(analysis), verdicts: { spf, dkim, dmarc }, folders }, stamps };
}
