import { toTimestamp } from "../api/primitives.ts";
import { type KeptReport, listTestReports, reanalyzeTest } from "../api/reanalysis.ts";
import { noSuchTest } from "../errors.ts";
import { parseReport, type Report, toResultWords } from "../reports/report.ts";
import { listReports } from "../store/reports.ts";
import { inWorkspace } from "../store/scope.ts";
import { readTest } from "../store/tests.ts";
import { type Route, route } from "./route.ts";
import { readWholeTest } from "./tests.ts";

export const reanalysisRoutes: readonly Route[] = [
  route(
    reanalyzeTest,
    async ({ workspaceId, params: { id }, query: { dns, kind } }, { store, reanalyze }) => {
      await reanalyze({ workspaceId, testId: id, dns, kind });
      return await readWholeTest(inWorkspace(store.read, workspaceId), id);
    },
  ),

  route(listTestReports, async ({ workspaceId, params: { id } }, { store: { read } }) => {
    const scope = inWorkspace(read, workspaceId);
    if (!(await readTest(scope, id))) throw noSuchTest();
    const kept = await listReports(scope, id);
    return {
      items: kept.flatMap(({ created_at, report: json }) => {
        const report = parseReport(json);
        return report ? toKept(created_at, report) : [];
      }),
    };
  }),
];

function toKept(createdAt: number, report: Report): KeptReport {
  const { version, isReplay } = report.analysis;
  return {
    analyzed_at: toTimestamp(createdAt),
    version,
    dns: isReplay ? "recorded" : "live",
    ...toResultWords(report),
  };
}
