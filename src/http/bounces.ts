import { listBounces, readBounce, readRawBounce } from "../api/bounces.ts";
import { Refusal } from "../errors.ts";
import { countReportedByHooks } from "../store/hooks/feedback.ts";
import * as rows from "../store/notices.ts";
import type { BouncesTable } from "../store/schema/schema.ts";
import type { Scope } from "../store/scope.ts";
import { countKept } from "../store/tests/totals.ts";
import { toBounce } from "../tasks/tests/record-non-test.ts";
import { answerRawMessage } from "./download.ts";
import { answerCounted } from "./paging.ts";
import { type Route, route } from "./route.ts";

export const bounceRoutes: readonly Route[] = [
  route(listBounces, (call) =>
    answerCounted(call, { rows: rows.listBounces, count: countBounces }, toBounce),
  ),

  route(readBounce, async ({ store: { read }, params: { id } }) => toBounce(await requireBounce(read, id))),

  route(readRawBounce, async ({ store, params: { id } }) => {
    const { test_id: testId, kind } = await requireBounce(store.read, id);
    if (testId === null)
      throw new Refusal("not_found", "A provider’s webhook reported this, so there is no message.");
    return await answerRawMessage(id, { testId, became: kind }, store);
  }),
];

/** Messages have a stored counter. */
async function countBounces(scope: Scope): Promise<number> {
  return (await countKept(scope, ["bounce", "complaint"])) + (await countReportedByHooks(scope));
}

async function requireBounce(scope: Scope, id: string): Promise<BouncesTable> {
  const row = await rows.readBounce(scope, id);
  if (!row) throw new Refusal("not_found", "Bounce or complaint not found.");
  return row;
}
