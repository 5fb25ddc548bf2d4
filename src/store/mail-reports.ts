import { type Page, pageOf } from "./page.ts";
import type { MailReportsTable } from "./schema.ts";
import type { Scope } from "./scope.ts";

export async function listMailReports(scope: Scope, page: Page): Promise<MailReportsTable[]> {
  return await pageOf(scope.selectFrom("mail_reports"), page);
}

export async function readMailReport(scope: Scope, id: string): Promise<MailReportsTable | undefined> {
  return await scope.selectFrom("mail_reports").selectAll().where("id", "=", id).executeTakeFirst();
}
