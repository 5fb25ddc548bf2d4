import { toTimestamp } from "../../../platform/contract/primitives.ts";
import { type Route, route } from "../../../platform/route.ts";
import { compareTests, splitScoreChange, toComparisonFields } from "../../compare/contract.ts";
import { auditedTest } from "../audited.ts";
import { listTestReports, reanalyzeTest } from "../contract/reanalysis.ts";
import { readWholeTest } from "./tests.ts";

export const reanalysisRoutes: readonly Route[] = [
  route(reanalyzeTest, async ({ workspaceId, store, params: { id }, query: { dns, kind } }, dependencies) => {
    await dependencies.reanalyze({ workspaceId, testId: id, dns, kind });
    return await readWholeTest(store.read, id, dependencies);
  }).recording({ action: "test.reanalyze", object: auditedTest, keep: ["dns", "kind"] }),

  route(listTestReports, async ({ workspaceId, params: { id } }, { comparer }) => {
    const reports = await comparer.history({ workspaceId, testId: id });
    return {
      items: reports.map(({ createdAt, isReplay, ...report }) => ({
        analyzed_at: toTimestamp(createdAt),
        dns: isReplay ? ("recorded" as const) : ("live" as const),
        ...report,
      })),
    };
  }),
];

export const comparisonRoutes: readonly Route[] = [
  route(compareTests, async ({ workspaceId, params: { id, other }, query: { report } }, { comparer }) => {
    const asked = { workspaceId, testId: id, otherId: other, otherAnalyzedAt: report };
    const { analyzedAt, ...comparison } = await comparer.compare(asked);
    return {
      before: { test_id: other, analyzed_at: toTimestamp(analyzedAt.before) },
      after: { test_id: id, analyzed_at: toTimestamp(analyzedAt.after) },
      ...toComparisonFields(comparison),
    };
  }),

  route(splitScoreChange, async ({ workspaceId, params: { id, other }, query: { report } }, { comparer }) => {
    return await comparer.split({ workspaceId, testId: id, otherId: other, otherAnalyzedAt: report });
  }),
];
