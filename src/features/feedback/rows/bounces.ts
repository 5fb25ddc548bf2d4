// Bounces and complaints.

import { countRows, type Page, pageOf } from "../../../platform/database/engine/page.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { BouncesTable } from "../../tests/tables.ts";

export async function listBounces(scope: Scope, page: Page): Promise<BouncesTable[]> {
  return await pageOf(scope.selectFrom("bounces"), page);
}

export async function readBounce(scope: Scope, id: string): Promise<BouncesTable | undefined> {
  return await scope.selectFrom("bounces").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function countReportedByHooks(scope: Scope): Promise<number> {
  return await countRows(scope.selectFrom("bounces").where("test_id", "is", null));
}
