import { type Bounce, listBounces, readBounce, readRawBounce } from "../api/bounces.ts";
import { toTimestamp } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";
import * as store from "../store/bounces.ts";
import type { BouncesTable, Db } from "../store/schema.ts";
import { inWorkspace } from "../store/scope.ts";
import { answerPage } from "./paging.ts";
import { answerRawMessage } from "./raw-message.ts";
import { type Route, route } from "./route.ts";

export const bounceRoutes: readonly Route[] = [
  route(listBounces, (call, dependencies) =>
    answerPage(call, dependencies, { rows: store.listBounces, became: ["bounce", "complaint"] }, toBounce),
  ),

  route(readBounce, async ({ workspaceId, params: { id } }, { store: { read } }) =>
    toBounce(await requireBounce(read, workspaceId, id)),
  ),

  route(readRawBounce, async ({ workspaceId, params: { id } }, dependencies) => {
    const { test_id: testId, kind } = await requireBounce(dependencies.store.read, workspaceId, id);
    return await answerRawMessage(id, { workspaceId, testId, became: kind }, dependencies);
  }),
];

async function requireBounce(read: Db, workspaceId: string, id: string): Promise<BouncesTable> {
  const row = await store.readBounce(inWorkspace(read, workspaceId), id);
  if (!row) throw new Refusal("not_found", "There is no such bounce or complaint.");
  return row;
}

function toBounce(row: BouncesTable): Bounce {
  return {
    id: row.id,
    kind: row.kind,
    receivedAt: toTimestamp(row.received_at),
    authenticated: row.authenticated === 1,
    reportingMta: row.reporting_mta,
    recipients: JSON.parse(row.recipients) as Bounce["recipients"],
    feedbackType: row.feedback_type,
    sourceIp: row.source_ip,
    originalMessageId: row.original_message_id,
    sendId: row.send_id,
    testId: row.related_test_id,
  };
}
