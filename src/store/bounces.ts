import { type Page, pageOf } from "./page.ts";
import type { BouncesTable } from "./schema.ts";
import type { Scope } from "./scope.ts";

export async function listBounces(scope: Scope, page: Page): Promise<BouncesTable[]> {
  return await pageOf(scope.selectFrom("bounces"), page);
}

export async function readBounce(scope: Scope, id: string): Promise<BouncesTable | undefined> {
  return await scope.selectFrom("bounces").selectAll().where("id", "=", id).executeTakeFirst();
}
