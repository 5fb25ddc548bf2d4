import type { Forwarding } from "../../analyzer/reports/forwarding.ts";
import { toTimestampOrNull } from "../../platform/contract/primitives.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { type Route, route } from "../../platform/route.ts";
import { type ForwardingPrediction, readForwarding, toForwardingPrediction } from "../tests/contract/forwarding.ts";
import { readExamination } from "../tests/rows/examinations.ts";

export const forwardingRoutes: readonly Route[] = [
  route(readForwarding, async ({ workspaceId, params: { id } }, { examiner }) => {
    const { state, result, examinedAt } = await examiner.demand({ workspaceId, testId: id }, "forwarding");
    return {
      state,
      examined_at: toTimestampOrNull(examinedAt),
      failure: state === "failed" ? result : null,
      result: toResult(state, result),
    };
  }),
];

/** What is known by now, for a saved report. */
export async function readForwardingPrediction(
  scope: Scope,
  testId: string,
): Promise<ForwardingPrediction | undefined> {
  const row = await readExamination(scope, testId, "forwarding");
  return toResult(row?.state ?? "waiting", row?.result ?? null) ?? undefined;
}

function toResult(state: string, result: string | null): ForwardingPrediction | null {
  return state === "done" && result !== null ? toForwardingPrediction(JSON.parse(result) as Forwarding) : null;
}
