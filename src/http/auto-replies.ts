import { type AutoReply, listAutoReplies, readRawAutoReply } from "../api/auto-replies.ts";
import { toTimestamp } from "../api/primitives.ts";
import type { TestsTable } from "../store/schema.ts";
import { listAutoReplies as listAutoReplyRows } from "../store/tests.ts";
import { answerPage } from "./paging.ts";
import { answerRawMessage } from "./raw-message.ts";
import { type Route, route } from "./route.ts";

export const autoReplyRoutes: readonly Route[] = [
  route(listAutoReplies, (call) =>
    answerPage(call, { rows: listAutoReplyRows, became: ["auto-reply"] }, toAutoReply),
  ),

  route(readRawAutoReply, ({ store, params: { id } }) =>
    answerRawMessage(id, { testId: id, became: "auto-reply" }, store),
  ),
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
