import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { answerCounted } from "../../../platform/http/paging.ts";
import { type Route, route } from "../../../platform/route.ts";
import { answerRawMessage } from "../../tests/routes/download.ts";
import { countKept } from "../../tests/rows/totals.ts";
import type { BouncesTable } from "../../tests/tables.ts";
import { toBounce } from "../../tests/work/record-non-test.ts";
import { type Bounce, listBounces, readBounce, readRawBounce } from "../contract/bounces.ts";
import * as rows from "../rows/bounces.ts";
import { feedbackProviders } from "../rules/providers.ts";

export const bounceRoutes: readonly Route[] = [
  route(listBounces, (call) => answerCounted(call, { rows: rows.listBounces, count: countBounces }, toNamed)),

  route(readBounce, async ({ store: { read }, params: { id } }) => toNamed(await requireBounce(read, id))),

  route(readRawBounce, async ({ store, params: { id } }) => {
    const { test_id: testId, kind } = await requireBounce(store.read, id);
    if (testId === null) throw new Refusal("not_found", "A provider’s webhook reported this, so there is no message.");
    return await answerRawMessage(id, { testId, became: kind }, store);
  }).recording({ action: "export.message", effect: "none" }),
];

function toNamed(row: BouncesTable): Bounce {
  return toBounce(row, row.provider === null ? null : feedbackProviders[row.provider]);
}

/** Messages have a stored counter. */
async function countBounces(scope: Scope): Promise<number> {
  return (await countKept(scope, ["bounce", "complaint"])) + (await rows.countReportedByHooks(scope));
}

async function requireBounce(scope: Scope, id: string): Promise<BouncesTable> {
  const row = await rows.readBounce(scope, id);
  if (!row) throw new Refusal("not_found", "Bounce or complaint not found.");
  return row;
}
