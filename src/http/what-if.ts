import { askWhatIf } from "../api/what-if.ts";
import { type Route, route } from "./route.ts";
import { toReport } from "./tests.ts";

export const whatIfRoutes: readonly Route[] = [
  route(askWhatIf, async ({ workspaceId, params: { id }, body: { records } }, { whatIf }) => {
    const { test, session, report } = await whatIf({ workspaceId, testId: id, records });
    return toReport(test, session, report);
  }),
];
