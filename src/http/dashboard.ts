import * as api from "../api/dashboard.ts";
import { type Route, route } from "./route.ts";
import { toSummary } from "./tests.ts";

export const dashboardRoutes: readonly Route[] = [
  route(api.readDashboard, async ({ workspaceId, query: { tz } }, { readDashboard }) => {
    const { recentTests, newestFailed, ...figures } = await readDashboard(workspaceId, tz);
    return {
      ...figures,
      recentTests: recentTests.map(toSummary),
      newestFailed: newestFailed && toSummary(newestFailed),
    };
  }),
];
