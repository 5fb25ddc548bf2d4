import * as api from "../api/dashboard.ts";
import { readDashboard } from "../tasks/dashboard.ts";
import { type Route, route } from "./route.ts";
import { toSummary } from "./tests.ts";

export const dashboardRoutes: readonly Route[] = [
  route(api.readDashboard, async ({ workspaceId, query: { tz } }, dependencies) => {
    const { recentTests, ...figures } = await readDashboard(dependencies, workspaceId, tz);
    return { ...figures, recentTests: recentTests.map(toSummary) };
  }),
];
