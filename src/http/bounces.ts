import { listBounces, readBounce, readRawBounce } from "../api/bounces.ts";
import { Refusal } from "../errors.ts";
import * as rows from "../store/notices.ts";
import type { BouncesTable } from "../store/schema/schema.ts";
import type { Scope } from "../store/scope.ts";
import { toBounce } from "../tasks/tests/record-non-test.ts";
import { answerRawMessage } from "./download.ts";
import { answerPage } from "./paging.ts";
import { type Route, route } from "./route.ts";

export const bounceRoutes: readonly Route[] = [
  route(listBounces, (call) =>
    answerPage(call, { rows: rows.listBounces, became: ["bounce", "complaint"] }, toBounce),
  ),

  route(readBounce, async ({ store: { read }, params: { id } }) => toBounce(await requireBounce(read, id))),

  route(readRawBounce, async ({ store, params: { id } }) => {
    const { test_id: testId, kind } = await requireBounce(store.read, id);
    return await answerRawMessage(id, { testId, became: kind }, store);
  }),
];

async function requireBounce(scope: Scope, id: string): Promise<BouncesTable> {
  const row = await rows.readBounce(scope, id);
  if (!row) throw new Refusal("not_found", "Bounce or complaint not found.");
  return row;
}
