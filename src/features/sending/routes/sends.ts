import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { answerCounted } from "../../../platform/http/paging.ts";
import { byStranger, type Route, route, sendsOnly } from "../../../platform/route.ts";
import * as endpoints from "../contract.ts";
import { countSends, listSends, readSend, readSendResults, type SendResults } from "../rows.ts";
import type { SendsTable } from "../tables.ts";

export const sendRoutes: readonly Route[] = [
  route(endpoints.sendTest, async ({ store, body, label }, { sampleSender }) => {
    const sent = await sampleSender.send(store, body, label);
    return {
      id: sent.id,
      to: sent.recipient,
      from: sent.sender,
      messageId: sent.message_id,
      transport: sent.transport,
      queuedAt: toTimestamp(sent.created_at),
    };
  }).recording(sendsOnly),

  route(endpoints.listSends, async (call) => {
    const page = await answerCounted(call, { rows: listSends, count: countSends }, (row) => row);
    const items = await toSends(call.store.read, page.items);
    return { ...page, items };
  }),

  route(endpoints.readSend, async ({ store: { read }, params: { id }, label }) => {
    const found = await readSend(read, id);
    const row = label === null || found?.label === label ? found : undefined;
    const [send] = row ? await toSends(read, [row]) : [];
    if (!send) throw new Refusal("not_found", "Send not found.");
    return send;
  }),

  route(endpoints.readUnsubscribe, () => answerUnsubscribe()),

  route(endpoints.unsubscribeAtOnce, async ({ body }) => {
    await body.read(longestForm);
    return answerUnsubscribe();
  }).recording(byStranger),
];

/** Enough for List-Unsubscribe=One-Click. */
const longestForm = 1_000;

function answerUnsubscribe(): Response {
  const words =
    "This unsubscribe link comes from a sample that Assay sent to itself. No one is subscribed, and nothing was changed.\n";
  return new Response(words, { headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });
}

async function toSends(scope: Scope, rows: readonly SendsTable[]): Promise<endpoints.Send[]> {
  const results = await readSendResults(
    scope,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => toSend(row, results.get(row.id)));
}

function toSend(row: SendsTable, results: SendResults | undefined): endpoints.Send {
  return {
    id: row.id,
    createdAt: toTimestamp(row.created_at),
    label: row.label,
    subject: row.subject,
    from: row.sender,
    to: row.recipient,
    messageId: row.message_id,
    transport: row.transport,
    status: row.status,
    problem: row.problem,
    finishedAt: toTimestampOrNull(row.finished_at),
    testId: results?.testId ?? null,
    bounceId: results?.bounceId ?? null,
  };
}
