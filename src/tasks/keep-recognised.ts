// A claimed message that is no test → kept as what it is, related to the test whose message it speaks of.

import { createId } from "../ids.ts";
import type { MailReport, Notice, Recognised } from "../mail/recognised.ts";
import { toStorableCut } from "../mail/storable.ts";
import { findTestByMessageId } from "../store/message-ids.ts";
import type { Db, TestsTable } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import { markRecognised, type NoTestRow } from "../store/tests.ts";
import type { System } from "../system/system.ts";

export type NoTest = {
  readonly recognised: Exclude<Recognised, { kind: "test" }>;
  readonly subject: string | null;
  readonly from: string | null;
  readonly messageId: string | null;
  /** The return path's keyed token is ours. */
  readonly authenticated: boolean;
  readonly sendId: string | null;
};

/** Strangers write these: as much as a list bears. */
const longestText = 1_000;
const mostRecipients = 100;

/** False, and nothing is changed, when another process has taken the message over meanwhile. */
export async function keepRecognised(
  db: Db,
  test: TestsTable,
  found: NoTest,
  system: Pick<System, "now" | "random">,
): Promise<boolean> {
  const analyzedAt = system.now();
  const message = {
    analyzedAt,
    header_from: cut(found.from),
    subject: cut(found.subject),
    message_id: found.messageId,
  };
  const row = await toRow(db, test, found, (kind) => createId(kind, test.received_at, system.random(16)));
  return await markRecognised(db, test, { ...message, ...row });
}

async function toRow(
  db: Db,
  { workspace_id }: TestsTable,
  { recognised, authenticated, sendId }: NoTest,
  newId: (kind: "bounce" | "mailReport") => string,
): Promise<NoTestRow> {
  if (recognised.kind === "auto-reply") return { became: "auto-reply" };
  if (recognised.kind === "report")
    return { became: "report", report: { id: newId("mailReport"), ...toReportColumns(recognised.report) } };
  const { kind, notice } = recognised;
  const original = notice.originalMessageId;
  const about =
    original === null ? undefined : await findTestByMessageId(inWorkspace(db, workspace_id), original);
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

function toNoticeColumns(notice: Notice) {
  const recipients = notice.recipients.slice(0, mostRecipients).map((recipient) => ({
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

function toReportColumns(report: MailReport) {
  return {
    type: report.type,
    organization: cut(report.organization),
    report_id: cut(report.reportId),
    domain: cut(report.domain),
    begins_at: toTime(report.beginsAt),
    ends_at: toTime(report.endsAt),
    total: toCount(report.total),
    failed: toCount(report.failed),
    problem: cut(report.problem),
  };
}

function cut(text: string | null): string | null {
  return text === null ? null : toStorableCut(text, longestText);
}

/** Beyond the year 9999 no answer can show it. */
function toTime(epochMs: number | null): number | null {
  const time = toCount(epochMs);
  return time !== null && time < Date.UTC(10_000, 0) ? time : null;
}

/** Strangers' sums can pass every bound, and no database keeps half a message. */
function toCount(count: number | null): number | null {
  return Number.isSafeInteger(count) && (count ?? -1) >= 0 ? count : null;
}
