import { exportTests } from "../api/export.ts";
import { toDisposition } from "./download.ts";
import { type Route, route } from "./route.ts";

export const exportRoutes: readonly Route[] = [
  route(exportTests, async ({ workspaceId, query: { limit } }, { exportTests, system }) => {
    const day = new Date(system.now()).toISOString().slice(0, 10);
    return new Response(await exportTests({ workspaceId, limit }), {
      headers: {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": toDisposition(`assay-tests-${day}.csv`),
        "content-security-policy": "sandbox",
      },
    });
  }),
];
