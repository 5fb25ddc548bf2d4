import { toTimestampOrNull } from "../../platform/contract/primitives.ts";
import { type Route, route } from "../../platform/route.ts";
import { toKeptPrediction } from "../tests/work/kept-examinations.ts";
import { readForwarding } from "./contract.ts";

export const forwardingRoutes: readonly Route[] = [
  route(readForwarding, async ({ workspaceId, store, params: { id } }, { examiner }) => {
    const examination = await examiner.demand({ workspaceId, testId: id }, "forwarding");
    const { state, result, examinedAt } = examination;
    return {
      state,
      examined_at: toTimestampOrNull(examinedAt),
      failure: state === "failed" ? result : null,
      result: await toKeptPrediction(store.readInWorker, id, examination),
    };
  }),
];
