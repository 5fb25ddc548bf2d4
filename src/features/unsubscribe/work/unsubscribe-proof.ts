// Finds what shows whether a request to unsubscribe worked: later mail of the list, and for later mail the earlier request.

import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import { isListMail, readListIdentifier, unsubscribeMethods } from "../../../analyzer/reports/unsubscribe.ts";
import type { UnsubscribeOutcome } from "../../../analyzer/reports/unsubscribe-outcome.ts";
import {
  allowedMs,
  isSameList,
  judgeProof,
  type LaterMail,
  type ListKey,
  type Proof,
} from "../../../analyzer/reports/unsubscribe-proof.ts";
import type { VisitOutcome } from "../../../analyzer/reports/unsubscribe-visit.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { UnsubscribesTable } from "../../sending/tables.ts";
import { readReport } from "../../tests/rows/reports.ts";
import type { TestsTable } from "../../tests/tables.ts";
import {
  type ArrivedTest,
  listArrivedAfter,
  listEarlierUnsubscribes,
  type NewUnsubscribe,
  visitMethods,
} from "../rows.ts";

/** Enough to show. Each costs reading a report. */
const mostCompared = 25;

type ListTraits = { readonly listId: string | null; readonly isListMail: boolean };

/** The tests that were already read, because several requests usually concern one list. */
type KnownLists = Map<string, Promise<ListTraits>>;

type Asking = { readonly label: string | null; readonly now: number; readonly known: KnownLists };

export function createKnownLists(): KnownLists {
  return new Map();
}

export async function findProof(scope: Scope, asked: UnsubscribesTable, asking: Asking): Promise<Proof> {
  const key = toListKey(asked);
  const find = (after: number) => findLater(scope, key, { ...asking, after });
  const soon = await find(asked.created_at);
  const late = await find(asked.created_at + allowedMs);
  const later = { ofList: merge(soon.ofList, late.ofList), ofOthers: merge(soon.ofOthers, late.ofOthers) };
  return judgeProof(asked.created_at, later, asking.now);
}

function merge(some: readonly LaterMail[], more: readonly LaterMail[]): LaterMail[] {
  const all = new Map([...some, ...more].map((mail) => [mail.id, mail]));
  return [...all.values()].sort((one, other) => one.receivedAt - other.receivedAt);
}

async function findLater(
  scope: Scope,
  key: ListKey,
  { label, after, known }: Omit<Asking, "now"> & { readonly after: number },
): Promise<{ readonly ofList: LaterMail[]; readonly ofOthers: LaterMail[] }> {
  const { fromDomain, listId } = key;
  const sources = [
    ...(fromDomain === null ? [] : [{ fromDomain }]),
    // The same list may be sent from another domain, which only its List-Id shows.
    ...(listId === null || label === null ? [] : [{ label }]),
  ];
  const rows = await Promise.all(sources.map((by) => listArrivedAfter(scope, by, after, mostCompared)));
  const found = { ofList: [] as LaterMail[], ofOthers: [] as LaterMail[] };
  for (const row of rows.flat().filter((row) => isFor(row, key))) {
    const other = await toKey(scope, row, { recipient: key.recipient, known });
    const mail = { id: row.id, receivedAt: row.received_at };
    if (isSameList(key, other)) found.ofList.push(mail);
    else if (key.fromDomain === other.fromDomain) found.ofOthers.push(mail);
  }
  return found;
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
  { recipient, known }: { readonly recipient: string; readonly known: KnownLists },
): Promise<ListKey & ListTraits> {
  const traits = known.get(id) ?? readTraits(scope, id);
  known.set(id, traits);
  return { recipient, fromDomain: from_domain, ...(await traits) };
}

async function readTraits(scope: Scope, id: string): Promise<ListTraits> {
  const kept = await readReport(scope, id);
  const report = kept === undefined ? null : parseReport(kept);
  if (report === null) return { listId: null, isListMail: false };
  return { listId: readListIdentifier(report), isListMail: isListMail(report) };
}

/** The newest earlier request for the list of this test, from another test. */
export async function findEarlierRequest(
  scope: Scope,
  test: Pick<TestsTable, "id" | "received_at" | "recipients" | "from_domain">,
  known: KnownLists,
): Promise<UnsubscribesTable | undefined> {
  const earlier = await listEarlierUnsubscribes(
    scope,
    toRecipients(test.recipients),
    beginningAt("unsubscribe", test.received_at),
  );
  for (const row of earlier) {
    if (row.test_id === test.id) continue;
    const own = await toKey(scope, test, { recipient: row.recipient, known });
    if (isSameList(toListKey(row), own)) return row;
  }
  return undefined;
}

/** When the address of this row may have been unsubscribed from its list before. Null: not by Assay. */
export async function findUnsubscribedAt(scope: Scope, row: NewUnsubscribe): Promise<number | null> {
  const methods = [...unsubscribeMethods, ...visitMethods];
  const earlier = await listEarlierUnsubscribes(scope, [row.recipient], row.id, methods);
  const own = { ...toListKey(row), isListMail: true };
  const found = earlier.find((other) => mayHaveUnsubscribed(other) && isSameList(toListKey(other), own));
  return found?.created_at ?? null;
}

function toListKey({ recipient, list_id, from_domain }: NewUnsubscribe): ListKey {
  return { recipient, listId: list_id, fromDomain: from_domain };
}

/** A visit without an outcome, or with another one, may have too. But then the link is wrong anyway. */
function mayHaveUnsubscribed({ method, outcome }: UnsubscribesTable): boolean {
  const result = outcome === null ? null : (JSON.parse(outcome) as UnsubscribeOutcome | VisitOutcome).result;
  if (visitMethods.some((one) => one === method)) return result === "unsubscribed";
  return result !== "rejected" && result !== "refused";
}
