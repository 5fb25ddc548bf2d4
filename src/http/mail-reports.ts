import { listMailReports, type MailReport, readRawMailReport } from "../api/mail-reports.ts";
import { toTimestamp, toTimestampOrNull } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";
import * as rows from "../store/mail-reports.ts";
import type { MailReportsTable } from "../store/schema.ts";
import { answerPage } from "./paging.ts";
import { answerRawMessage } from "./raw-message.ts";
import { type Route, route } from "./route.ts";

export const mailReportRoutes: readonly Route[] = [
  route(listMailReports, (call) =>
    answerPage(call, { rows: rows.listMailReports, became: ["report"] }, toMailReport),
  ),

  route(readRawMailReport, async ({ store, params: { id } }) => {
    const row = await rows.readMailReport(store.read, id);
    if (!row) throw new Refusal("not_found", "There is no such report.");
    return await answerRawMessage(id, { testId: row.test_id, became: "report" }, store);
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
