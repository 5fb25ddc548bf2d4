// Stores a message that is not a test (a bounce, report or auto-reply), linked to the test it refers to.

import { type NoticeSender, unknownSender } from "../../../analyzer/facts/notice-sender.ts";
import type { MailReport, Notice, NoticeRecipient, Recognised } from "../../../analyzer/mail/reports/mail-class.ts";
import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import { recordIf } from "../../../platform/audit/rows/recording.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import { createId } from "../../../platform/ids.ts";
import type { Feature } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import { adviceOf } from "../../alerts/rules/bounce-words-table.ts";
import { noteAlertBounce } from "../../alerts/work/addresses.ts";
import { raiseAlert } from "../../alerts/work/raise.ts";
import type { Bounce } from "../../feedback/contract/bounces.ts";
import { noteFeedback } from "../../feedback/work/note-feedback.ts";
import { hasArrived } from "../../intake/work/receive-message.ts";
import { markSendBounced } from "../../sending/rows.ts";
import { findTestByMessageId } from "../rows/message-ids.ts";
import { insertFurtherReport, markRecognised, type NoTestRow } from "../rows/tests.ts";
import type { BouncesTable, TestsTable } from "../tables.ts";
import { toEarlierKey, toReportColumns, toReportRows } from "./report-rows.ts";

export type NonTest = {
  readonly recognised: Exclude<Recognised, { kind: "test" }>;
  readonly subject: string | null;
  readonly from: string | null;
  readonly messageId: string | null;
  /** The bounce came to a return path with our signed token. */
  readonly authenticated: boolean;
  readonly sendId: string | null;
  readonly sender?: NoticeSender;
  /** It is about an alert that we sent by email: to which address, if it came to that address's return path. */
  readonly alertMail?: { readonly addressId: string | null } | null | undefined;
};

type BounceTerms = { readonly features: readonly Feature[]; readonly system: Pick<System, "now" | "random"> };

/** Limits untrusted text to what lists can show. */
const longestText = 1_000;
const mostRecipients = 100;

/** False, and nothing changes, if another process has taken over the message. */
export async function recordNonTest(db: Db, test: TestsTable, found: NonTest, terms: BounceTerms): Promise<boolean> {
  const { system } = terms;
  const analyzedAt = system.now();
  const message = {
    analyzedAt,
    header_from: cut(found.from),
    subject: cut(found.subject),
    message_id: found.messageId,
  };
  const newId: NewId = (kind) => createId(kind, test.received_at, system.random(16));
  const row = await toRow(db, test, found, newId);
  if (!recordIf(await markRecognised(db, test, { ...message, ...row }))) return false;
  await noteFeedback(db, test, found, row);
  const { more = [] } = found.recognised.kind === "report" ? found.recognised : {};
  for (const report of more) {
    const row = toReportRow(report, test, found, newId);
    await insertFurtherReport(db, test, { ...message, ...row, id: newId("test") });
    await noteFeedback(db, test, found, row);
  }
  if ("bounce" in row && found.authenticated) {
    const { workspace_id, received_at } = test;
    await noteBounce(db, { ...row.bounce, workspace_id, received_at }, terms);
  }
  const { alertMail = null } = found;
  if ("bounce" in row && alertMail?.addressId) await noteBouncedAlert(db, alertMail.addressId, row.bounce);
  // An uploaded bounce may be old, so it raises no alert. One of an alert would cause the next alert.
  if ("bounce" in row && alertMail === null && hasArrived(test)) await raiseBounce(db, test, row.bounce, system);
  return true;
}

/** Only authenticated bounces. Complaints and delays do not count. */
export async function noteBounce(
  db: Db,
  {
    workspace_id,
    received_at,
    kind,
    send_id,
    recipients,
  }: Pick<BouncesTable, "workspace_id" | "received_at" | "kind" | "send_id" | "recipients">,
  { features, system }: BounceTerms,
): Promise<void> {
  if (kind !== "bounce" || send_id === null) return;
  const listed = JSON.parse(recipients) as NoticeRecipient[];
  const failed = listed.find(({ action }) => action === null || action === "failed");
  if (listed.length > 0 && failed === undefined) return;
  const problem = failed ? (failed.diagnostic ?? failed.status ?? failed.class) : null;
  const scope = inWorkspace(db, workspace_id);
  await markSendBounced(scope, send_id, { problem, finished_at: received_at });
  for (const { onSendBounced } of features) await onSendBounced?.(scope, send_id, problem, system);
}

async function noteBouncedAlert(
  db: Db,
  addressId: string,
  { kind, recipients }: Pick<BouncesTable, "kind" | "recipients">,
): Promise<void> {
  const listed = JSON.parse(recipients) as NoticeRecipient[];
  const failed = listed.find(({ hard, action }) => hard && (action === null || action === "failed"));
  const problem = failed ? (failed.diagnostic ?? failed.status ?? failed.class) : null;
  await noteAlertBounce(db, addressId, { kind, problem });
}

async function raiseBounce(
  db: Db,
  { id, workspace_id, received_at }: TestsTable,
  row: Omit<BouncesTable, "workspace_id" | "test_id" | "received_at" | "hook_id" | "provider">,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const message = { workspace_id, test_id: id, received_at };
  const bounce = toBounce({ ...row, ...message, hook_id: null, provider: null }, null);
  const scope = inWorkspace(db, workspace_id);
  await raiseAlert(scope, { type: "email.bounce_complaint", data: { bounce } }, system);
}

type NewId = (kind: "bounce" | "mailReport" | "test") => string;
type ReportRow = Extract<NoTestRow, { became: "report" }>;

async function toRow(db: Db, test: TestsTable, found: NonTest, newId: NewId): Promise<NoTestRow> {
  const { recognised, authenticated, sendId } = found;
  if (recognised.kind === "auto-reply") return { became: "auto-reply" };
  if (recognised.kind === "report") return toReportRow(recognised.report, test, found, newId);
  const { workspace_id } = test;
  const { kind, notice } = recognised;
  const original = notice.originalMessageId;
  const about = original === null ? undefined : await findTestByMessageId(inWorkspace(db, workspace_id), original);
  return {
    became: kind,
    bounce: {
      id: newId("bounce"),
      kind,
      authenticated: authenticated ? 1 : 0,
      send_id: sendId,
      related_test_id: about?.id ?? null,
      ...toNoticeColumns(notice),
    },
  };
}

function toReportRow(
  report: MailReport,
  { received_at }: TestsTable,
  { sender = unknownSender }: NonTest,
  newId: NewId,
): ReportRow {
  const columns = toReportColumns(report, sender, received_at);
  return {
    became: "report",
    report: { id: newId("mailReport"), ...columns },
    counted: { ...toReportRows(report), earlierKey: toEarlierKey(columns) },
  };
}

export function toNoticeColumns(notice: Notice) {
  const recipients = notice.recipients
    .slice(0, mostRecipients)
    .map((recipient) => ({
      ...recipient,
      address: cut(recipient.address),
      status: cut(recipient.status),
      action: cut(recipient.action),
      diagnostic: cut(recipient.diagnostic),
    }));
  return {
    reporting_mta: cut(notice.reportingMta),
    recipients: JSON.stringify(recipients),
    feedback_type: cut(notice.feedbackType),
    source_ip: cut(notice.sourceIp),
    original_message_id: cut(notice.originalMessageId),
  };
}

function cut(text: string | null): string | null {
  return text === null ? null : toStorableCut(text, longestText);
}

/** The form used in the web app and in webhooks. */
/** `providerName`: of the provider whose webhook reported it. */
export function toBounce(row: BouncesTable, providerName: string | null): Bounce {
  return {
    id: row.id,
    kind: row.kind,
    receivedAt: toTimestamp(row.received_at),
    provider: row.provider,
    providerName,
    authenticated: row.authenticated === 1,
    reportingMta: row.reporting_mta,
    recipients: (JSON.parse(row.recipients) as NoticeRecipient[]).map((recipient) => {
      const listed = { kind: row.kind, feedbackType: row.feedback_type, recipient };
      const { do: action, advice } = adviceOf(listed);
      return { ...recipient, do: action, advice };
    }),
    feedbackType: row.feedback_type,
    sourceIp: row.source_ip,
    originalMessageId: row.original_message_id,
    sendId: row.send_id,
    testId: row.related_test_id,
  };
}
