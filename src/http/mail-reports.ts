import { listMailReports, type MailReport, readRawMailReport } from "../api/mail-reports.ts";
import { toTimestamp, toTimestampOrNull } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";
import * as store from "../store/mail-reports.ts";
import type { MailReportsTable } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import { answerPage } from "./paging.ts";
import { answerRawMessage } from "./raw-message.ts";
import { type Route, route } from "./route.ts";

export const mailReportRoutes: readonly Route[] = [
  route(listMailReports, (call, dependencies) =>
    answerPage(call, dependencies, { rows: store.listMailReports, became: ["report"] }, toMailReport),
  ),

  route(readRawMailReport, async ({ workspaceId, params: { id } }, dependencies) => {
    const row = await store.readMailReport(inWorkspace(dependencies.store.read, workspaceId), id);
    if (!row) throw new Refusal("not_found", "There is no such report.");
    return await answerRawMessage(id, { workspaceId, testId: row.test_id, became: "report" }, dependencies);
  }),
];

function toMailReport(row: MailReportsTable): MailReport {
  return {
    id: row.id,
    type: row.type,
    receivedAt: toTimestamp(row.received_at),
    organization: row.organization,
    reportId: row.report_id,
    domain: row.domain,
    beginsAt: toTimestampOrNull(row.begins_at),
    endsAt: toTimestampOrNull(row.ends_at),
    total: row.total,
    failed: row.failed,
    problem: row.problem,
  };
}
