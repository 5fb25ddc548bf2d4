import { adviceOf } from "../alerts/bounce-words-table.ts";
import type { Bounce } from "../api/bounces.ts";
import { toTimestamp } from "../api/primitives.ts";
import type { NoticeRecipient } from "../mail/recognised.ts";
import type { BouncesTable } from "../store/schema.ts";

/** As the interface shows it, and webhooks are told. */
export function toBounce(row: BouncesTable): Bounce {
  return {
    id: row.id,
    kind: row.kind,
    receivedAt: toTimestamp(row.received_at),
    authenticated: row.authenticated === 1,
    reportingMta: row.reporting_mta,
    recipients: (JSON.parse(row.recipients) as NoticeRecipient[]).map((recipient) => {
      const told = { kind: row.kind, feedbackType: row.feedback_type, recipient };
      const { do: action, advice } = adviceOf(told);
      return { ...recipient, do: action, advice };
    }),
    feedbackType: row.feedback_type,
    sourceIp: row.source_ip,
    originalMessageId: row.original_message_id,
    sendId: row.send_id,
    testId: row.related_test_id,
  };
}
