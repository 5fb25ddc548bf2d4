import { compareTests, toDnsSide } from "../api/comparison.ts";
import { toTimestamp } from "../api/primitives.ts";
import { type Route, route } from "./route.ts";

export const comparisonRoutes: readonly Route[] = [
  route(compareTests, async ({ workspaceId, params: { id, other }, query: { report } }, { comparer }) => {
    const asked = { workspaceId, testId: id, otherId: other, otherAnalyzedAt: report };
    const { analyzedAt, ...comparison } = await comparer.compare(asked);
    return {
      before: { test_id: other, analyzed_at: toTimestamp(analyzedAt.before) },
      after: { test_id: id, analyzed_at: toTimestamp(analyzedAt.after) },
      ...comparison,
      dns: comparison.dns.map((change) => ({
        ...change,
        before: toDnsSide(change.before),
        after: toDnsSide(change.after),
      })),
    };
  }),
];
