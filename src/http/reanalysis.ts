import { toTimestamp } from "../api/primitives.ts";
import { listTestReports, reanalyzeTest } from "../api/reanalysis.ts";
import { type Route, route } from "./route.ts";
import { readWholeTest } from "./tests.ts";

export const reanalysisRoutes: readonly Route[] = [
  route(
    reanalyzeTest,
    async ({ workspaceId, store, params: { id }, query: { dns, kind } }, { reanalyze, system }) => {
      await reanalyze({ workspaceId, testId: id, dns, kind });
      return await readWholeTest(store.read, id, system);
    },
  ),

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
