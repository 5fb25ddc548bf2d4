// Reads new messages of a folder into sightings. The cost depends only on the number of new messages. The folder is
// opened read-only, and BODY.PEEK leaves all flags unchanged.

import { setTimeout as pause } from "node:timers/promises";
import type { ImapFlow } from "imapflow";
import { gmailCategories } from "../../../analyzer/reports/folder-names-table.ts";
import type { CountingFolder } from "../../../analyzer/reports/folder-roles.ts";
import { readSighting } from "../../../analyzer/reports/read-sighting.ts";
import type { Sighting } from "../../../analyzer/reports/sighting.ts";
import { type MailboxConnection, maxSourceBytes } from "./connection.ts";
import type { FolderMark } from "./messages.ts";
import { MailboxProblem } from "./problems.ts";

// The tab of a message in Gmail's inbox. It is neither a label nor a folder; only Gmail's search knows it.

type Tab = Pick<Sighting, "folder" | "folderName">;

const bounds = { timeoutMs: 30_000, bytes: 65_536 };
/** The search index lags behind the folder a little. */
const indexPauseMs = 1_500;
const maxAsks = 3;

/** Messages without a category are missing from the result. */
async function readTabs(
  connection: MailboxConnection,
  path: string,
  uids: readonly number[],
): Promise<ReadonlyMap<number, Tab>> {
  const tabs = new Map<number, Tab>();
  if (!connection.has("X-GM-EXT-1")) return tabs;
  for (let ask = 1; ask <= maxAsks && tabs.size < uids.length; ask++) {
    if (ask > 1) await pause(indexPauseMs, undefined, { ref: false });
    const open = new Set(uids.filter((uid) => !tabs.has(uid)));
    for (const { query, folder, name } of gmailCategories)
      for (const uid of await search(connection, [...open], query))
        if (open.delete(uid)) tabs.set(uid, { folder, folderName: `${path} (${name})` });
  }
  return tabs;
}

async function search(connection: MailboxConnection, uids: readonly number[], query: string): Promise<number[]> {
  if (uids.length === 0) return [];
  const found = await connection.run(bounds, (client) =>
    client.search({ uid: uids.join(","), gmraw: query }, { uid: true }),
  );
  return found || [];
}

type FolderState = { readonly uidValidity: string; readonly uidNext: number };

export type ReadingTerms = {
  readonly connection: MailboxConnection;
  readonly place: CountingFolder;
  readonly searchesTabs: boolean;
  readonly now: () => number;
  readonly report: (sightings: readonly Sighting[], mark: FolderMark) => void;
};

const hourMs = 3_600_000;
/** How far back a new folder is read. */
const firstReadMs = hourMs;
/** No test waits for older mail. It was moved here. */
const lookBackMs = 25 * hourMs;
/** Only the newest; more at once is a flood or a move. */
const maxMessages = 200;
/** The most UIDs read after a pause. */
const maxUidsBehind = 5_000;
const batchSize = 20;
const commandMs = 30_000;
const batchMs = 120_000;
const overheadBytes = 4_096;
const listBytes = 4_194_304;

/** Opens the folder, which refreshes its UIDNEXT. */
export async function openFolder(connection: MailboxConnection, path: string): Promise<FolderState> {
  const box = await connection.run({ timeoutMs: commandMs, bytes: listBytes }, async (client) => {
    const opened = await client.mailboxOpen(path, { readOnly: true });
    // RFC 9051 §6.3.2: without UIDNEXT, the last message gives it.
    const last = !opened.uidNext && opened.exists > 0 && (await client.fetchOne("*", { uid: true }));
    return { ...opened, uidNext: opened.uidNext || (last ? last.uid + 1 : 1) };
  });
  if (!box.uidValidity) throw new MailboxProblem("The server does not send a folder's UIDVALIDITY.");
  return { uidValidity: String(box.uidValidity), uidNext: box.uidNext };
}

/** The position to read from: the mark, unless the folder is new or was recreated. */
export function beginAt(
  path: string,
  { uidValidity, uidNext }: FolderState,
  mark: FolderMark | undefined,
  mostAtFirst = maxMessages,
): { readonly mark: FolderMark; readonly isFirst: boolean } {
  const isFirst = mark?.uidValidity !== uidValidity;
  const behind = isFirst ? mostAtFirst : maxUidsBehind;
  const earliest = Math.max(1, uidNext - behind);
  const nextUid = isFirst ? earliest : Math.min(Math.max(mark.nextUid, earliest), uidNext);
  return { mark: { path, uidValidity, nextUid }, isFirst };
}

/** Reports messages since the mark in batches and returns the new mark. The folder must be open. */
export async function readNew(terms: ReadingTerms, mark: FolderMark, isFirst: boolean): Promise<FolderMark> {
  const { connection, now, report } = terms;
  const since = now() - (isFirst ? firstReadMs : lookBackMs);
  const found = await connection.run({ timeoutMs: commandMs, bytes: listBytes }, (client) =>
    listFrom(client, mark.nextUid, now()),
  );
  const end = found.reduce((next, { uid }) => Math.max(next, uid + 1), mark.nextUid);
  const wanted = found
    .filter(({ arrivedAt }) => arrivedAt >= since)
    .sort((one, other) => one.uid - other.uid)
    .slice(-maxMessages);
  for (let at = 0; at < wanted.length; at += batchSize) {
    const batch = wanted.slice(at, at + batchSize);
    const sightings = await readBatch(terms, batch);
    const isLast = at + batchSize >= wanted.length;
    const nextUid = isLast ? end : (batch.at(-1)?.uid ?? 0) + 1;
    report(sightings, { ...mark, nextUid });
  }
  const reached = { ...mark, nextUid: end };
  if (wanted.length === 0 && (isFirst || end > mark.nextUid)) report([], reached);
  return reached;
}

type Arrival = { readonly uid: number; readonly arrivedAt: number };

async function listFrom(client: ImapFlow, nextUid: number, nowMs: number): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  if (client.mailbox && client.mailbox.exists === 0) return arrivals;
  // A range that ends with * always includes the last message, even an old one.
  const rows = client.fetch(`${nextUid}:*`, { uid: true, internalDate: true }, { uid: true });
  for await (const { uid, internalDate } of rows)
    if (uid >= nextUid) arrivals.push({ uid, arrivedAt: toTime(internalDate, nowMs) });
  return arrivals;
}

export function toTime(date: Date | string | undefined, nowMs: number): number {
  const time = date === undefined ? Number.NaN : new Date(date).getTime();
  return Number.isNaN(time) || time < 0 ? nowMs : Math.min(time, nowMs);
}

const noTabs: ReadonlyMap<number, Tab> = new Map();

async function readBatch(terms: ReadingTerms, batch: readonly Arrival[]): Promise<Sighting[]> {
  const { connection, place, searchesTabs } = terms;
  const bytes = batch.length * (maxSourceBytes + overheadBytes) + overheadBytes;
  const sources = await connection.run({ timeoutMs: batchMs, bytes }, (client) => fetchSources(client, batch));
  const isSorted = searchesTabs && place.role === "inbox";
  const tabs = isSorted ? await readTabs(connection, place.path, [...sources.keys()]) : noTabs;
  return batch.flatMap(({ uid, arrivedAt }) => {
    const source = sources.get(uid);
    const tab = tabs.get(uid) ?? { folder: place.folder, folderName: place.path };
    return source ? [readSighting(source, { ...tab, arrivedAt })] : [];
  });
}

/** A whole message, of which only the beginning is evidence. */
export async function readSightingAt(
  { connection, place, searchesTabs }: Pick<ReadingTerms, "connection" | "place" | "searchesTabs">,
  source: Uint8Array,
  { uid, arrivedAt }: Arrival,
): Promise<Sighting> {
  const isSorted = searchesTabs && place.role === "inbox";
  const tabs = isSorted ? await readTabs(connection, place.path, [uid]) : noTabs;
  const tab = tabs.get(uid) ?? { folder: place.folder, folderName: place.path };
  return readSighting(source.subarray(0, maxSourceBytes), { ...tab, arrivedAt });
}

/** Messages deleted meanwhile are missing from the result. */
async function fetchSources(client: ImapFlow, batch: readonly Arrival[]): Promise<Map<number, Buffer>> {
  const asked = new Set(batch.map(({ uid }) => uid));
  const sources = new Map<number, Buffer>();
  const query = { uid: true, source: { start: 0, maxLength: maxSourceBytes } };
  for await (const { uid, source } of client.fetch([...asked].join(","), query, { uid: true }))
    if (source && asked.has(uid)) sources.set(uid, source);
  return sources;
}
