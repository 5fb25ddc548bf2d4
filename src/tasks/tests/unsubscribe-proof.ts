// Finds what shows whether a request to unsubscribe worked: later mail of the list, and for later mail the earlier request.

import { parseReport } from "../../reports/stored-report.ts";
import { readListIdentifier } from "../../reports/unsubscribe.ts";
import {
  allowedMs,
  isSameList,
  judgeProof,
  type LaterMail,
  type ListKey,
  type Proof,
} from "../../reports/unsubscribe-proof.ts";
import type { TestsTable } from "../../store/schema/schema.ts";
import type { UnsubscribesTable } from "../../store/schema/sends.ts";
import type { Scope } from "../../store/scope.ts";
import {
  type ArrivedTest,
  listArrivedAfter,
  listEarlierUnsubscribes,
} from "../../store/sending/unsubscribes.ts";
import { readReport } from "../../store/tests/reports.ts";

/** Enough to show. Each costs reading a report. */
const mostCompared = 25;

export async function findProof(
  scope: Scope,
  asked: UnsubscribesTable,
  label: string | null,
  now: number,
): Promise<Proof> {
  const key = { recipient: asked.recipient, listId: asked.list_id, fromDomain: asked.from_domain };
  const find = (after: number) => findLater(scope, key, { label, after });
  const [soon, late] = await Promise.all([find(asked.created_at), find(asked.created_at + allowedMs)]);
  const all = new Map([...soon, ...late].map((mail) => [mail.id, mail]));
  return judgeProof(asked.created_at, [...all.values()], now);
}

async function findLater(
  scope: Scope,
  key: ListKey,
  { label, after }: { readonly label: string | null; readonly after: number },
): Promise<LaterMail[]> {
  const { fromDomain, listId } = key;
  const sources = [
    ...(fromDomain === null ? [] : [{ fromDomain }]),
    // The same list may be sent from another domain, which only its List-Id shows.
    ...(listId === null || label === null ? [] : [{ label }]),
  ];
  const rows = (
    await Promise.all(sources.map((by) => listArrivedAfter(scope, by, after, mostCompared)))
  ).flat();
  const arrived = new Map(rows.filter((row) => isFor(row, key)).map((row) => [row.id, row]));
  const found: LaterMail[] = [];
  for (const row of arrived.values()) {
    const other = await toKey(scope, row, key.recipient);
    if (isSameList(key, other)) found.push({ id: row.id, receivedAt: row.received_at });
  }
  return found.sort((one, other) => one.receivedAt - other.receivedAt);
}

function isFor({ recipients }: ArrivedTest, { recipient }: ListKey): boolean {
  return toRecipients(recipients).includes(recipient);
}

function toRecipients(json: string): string[] {
  return (JSON.parse(json) as string[]).map((address) => address.toLowerCase());
}

async function toKey(
  scope: Scope,
  { id, from_domain }: Pick<ArrivedTest, "id" | "from_domain">,
  recipient: string,
): Promise<ListKey> {
  const kept = await readReport(scope, id);
  const report = kept === undefined ? null : parseReport(kept);
  return { recipient, fromDomain: from_domain, listId: report && readListIdentifier(report) };
}

/** The newest earlier request for the list of this test, from another test. */
export async function findEarlierRequest(
  scope: Scope,
  test: Pick<TestsTable, "id" | "received_at" | "recipients" | "from_domain">,
): Promise<UnsubscribesTable | undefined> {
  const earlier = await listEarlierUnsubscribes(scope, toRecipients(test.recipients), test.received_at);
  if (earlier.length === 0) return undefined;
  for (const row of earlier) {
    if (row.test_id === test.id) continue;
    const own = await toKey(scope, test, row.recipient);
    if (isSameList({ recipient: row.recipient, listId: row.list_id, fromDomain: row.from_domain }, own))
      return row;
  }
  return undefined;
}
