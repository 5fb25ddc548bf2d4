import type { OverrideReason, ReportedSignature, ReportedSpf } from "../../../analyzer/mail/reports/mail-class.ts";
import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { answerCounted } from "../../../platform/http/paging.ts";
import { type Route, route } from "../../../platform/route.ts";
import { answerRawMessage } from "../../tests/routes/download.ts";
import { listAutoReplies as listAutoReplyRows } from "../../tests/rows/tests.ts";
import { countKept } from "../../tests/rows/totals.ts";
import type { TestsTable } from "../../tests/tables.ts";
import {
  type AutoReply,
  listAutoReplies,
  listMailReports,
  listReportedDomains,
  type MailReport,
  readMailReport,
  readRawAutoReply,
  readRawMailReport,
  type WholeMailReport,
} from "../contract/mail-reports.ts";
import * as rows from "../rows/mail-reports.ts";
import type { MailReportsTable, ReportSourcesTable, TlsFailuresTable, TlsPoliciesTable } from "../tables.ts";

export const mailReportRoutes: readonly Route[] = [
  route(listMailReports, (call) =>
    answerCounted(call, { rows: rows.listMailReports, count: (scope) => countKept(scope, ["report"]) }, toMailReport),
  ),

  route(listReportedDomains, async ({ store: { readInWorker }, query: { days } }, { system }) => ({
    items: await rows.sumReportsByDomain(readInWorker, system.now() - days * dayMs, mostDomains),
  })),

  route(readMailReport, async ({ store: { read, readInWorker }, params: { id } }) => {
    const row = await requireMailReport(read, id);
    const [sources, policies, failures] = await Promise.all([
      rows.listReportSources(readInWorker, id),
      rows.listTlsPolicies(readInWorker, id),
      rows.listTlsFailures(readInWorker, id),
    ]);
    return {
      ...toMailReport(row),
      policy: row.policy === null ? null : (JSON.parse(row.policy) as WholeMailReport["policy"]),
      sources: sources.map(toSource),
      tlsPolicies: policies.map((policy) => toTlsPolicy(policy, failures)),
    };
  }),

  route(readRawMailReport, async ({ store, params: { id } }) => {
    const { test_id, message_of } = await requireMailReport(store.read, id);
    return await answerRawMessage(id, { testId: message_of ?? test_id, became: "report" }, store);
  }).recording({ action: "export.message", effect: "none" }),
];

const dayMs = 86_400_000;
const mostDomains = 100;

async function requireMailReport(scope: Scope, id: string): Promise<MailReportsTable> {
  const row = await rows.readMailReport(scope, id);
  if (!row) throw new Refusal("not_found", "Report not found.");
  return row;
}

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
    counted: row.counted_as !== null,
    senderDomain: row.sender_domain,
    authenticated: row.sender_authenticated === null ? null : row.sender_authenticated === 1,
  };
}

function toSource(row: ReportSourcesTable): WholeMailReport["sources"][number] {
  return {
    sourceIp: row.source_ip,
    messages: row.messages,
    disposition: row.disposition,
    dkimAligned: row.dkim_aligned === 1,
    spfAligned: row.spf_aligned === 1,
    headerFrom: row.header_from,
    dkim: JSON.parse(row.dkim) as ReportedSignature[],
    spf: JSON.parse(row.spf) as ReportedSpf[],
    reasons: JSON.parse(row.reasons) as OverrideReason[],
  };
}

function toTlsPolicy(
  { number, type, domain, successful, failed }: TlsPoliciesTable,
  failures: readonly TlsFailuresTable[],
): WholeMailReport["tlsPolicies"][number] {
  const own = failures.filter(({ policy }) => policy === number);
  return { type, domain, successful, failed, failures: own.map(toTlsFailure) };
}

function toTlsFailure(row: TlsFailuresTable): WholeMailReport["tlsPolicies"][number]["failures"][number] {
  return {
    resultType: row.result_type,
    sendingIp: row.sending_ip,
    mxHost: row.mx_host,
    receivingIp: row.receiving_ip,
    reasonCode: row.reason_code,
    sessions: row.sessions,
  };
}

export const autoReplyRoutes: readonly Route[] = [
  route(listAutoReplies, (call) =>
    answerCounted(call, { rows: listAutoReplyRows, count: (scope) => countKept(scope, ["auto-reply"]) }, toAutoReply),
  ),

  route(readRawAutoReply, ({ store, params: { id } }) =>
    answerRawMessage(id, { testId: id, became: "auto-reply" }, store),
  ).recording({ action: "export.message", effect: "none" }),
];

function toAutoReply(row: TestsTable): AutoReply {
  return {
    id: row.id,
    receivedAt: toTimestamp(row.received_at),
    from: row.header_from,
    subject: row.subject,
    to: JSON.parse(row.recipients) as string[],
  };
}
