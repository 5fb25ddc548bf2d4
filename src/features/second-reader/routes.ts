// Later than the report, and without effect on it (src/decisions.md, "Second reader").

import { toTimestampOrNull } from "../../platform/contract/primitives.ts";
import { type Route, route } from "../../platform/route.ts";
import { toKeptReading } from "../tests/work/kept-examinations.ts";
import { readSecondReader } from "./contract.ts";

export const secondReaderRoutes: readonly Route[] = [
  route(readSecondReader, async ({ workspaceId, store, params: { id } }, { examiner }) => {
    const examination = await examiner.demand({ workspaceId, testId: id }, "second-reader");
    const { state, result, examinedAt } = examination;
    return {
      state,
      examined_at: toTimestampOrNull(examinedAt),
      failure: state === "failed" ? result : null,
      ...(await toKeptReading(store.readInWorker, id, examination)),
    };
  }),
];
