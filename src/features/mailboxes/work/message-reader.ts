// Reads whole messages of a mailbox that is a seed inbox: each becomes a test. The folder is opened read-only, and
// BODY.PEEK leaves all flags unchanged. One message is read at a time, and the next one only when it is stored, so that
// neither this thread nor the database has to hold a flood.

import type { ImapFlow } from "imapflow";
import type { Limiter } from "../../../analyzer/facts/limiter.ts";
import type { Sighting } from "../../../analyzer/reports/sighting.ts";
import type { FolderMark, ReadMessage } from "./messages.ts";
import { type ReadingTerms, readSightingAt, toTime } from "./reader.ts";

export type MessageReading = {
  /** Only mail that arrived since then. */
  readonly since: number;
  readonly maxBytes: number;
};

type MessageTerms = Pick<ReadingTerms, "connection" | "place" | "searchesTabs" | "now"> & {
  readonly reading: MessageReading;
  /** Limits the memory for messages of all mailboxes. */
  readonly desk: Limiter;
  readonly signal: AbortSignal;
  /** Resolves when it is stored. */
  readonly report: (message: ReadMessage | null, mark: FolderMark, tooBig: number) => Promise<void>;
};

/** As long as senders try to deliver. Older mail was moved here. */
const lookBackMs = 6 * 86_400_000;
const commandMs = 30_000;
const messageMs = 120_000;
const listBytes = 4_194_304;
const overheadBytes = 16_384;
const longestAtDeskMs = 600_000;

/** The folder must be open. Returns the new mark. */
export async function readMessages(terms: MessageTerms, mark: FolderMark): Promise<FolderMark> {
  const { connection, now, reading, report, signal } = terms;
  const since = Math.max(reading.since, now() - lookBackMs);
  const found = await connection.run({ timeoutMs: commandMs, bytes: listBytes }, (client) =>
    listFrom(client, mark.nextUid, now()),
  );
  const end = found.reduce((next, { uid }) => Math.max(next, uid + 1), mark.nextUid);
  const wanted = found.filter(({ arrivedAt }) => arrivedAt >= since).sort((a, b) => a.uid - b.uid);
  const tooBig = wanted.filter(({ size }) => size > reading.maxBytes).length;
  for (const arrival of wanted.filter(({ size }) => size <= reading.maxBytes)) {
    if (signal.aborted) return mark;
    await atDesk(terms, async () => {
      const message = await readMessage(terms, arrival);
      await report(message, { ...mark, nextUid: arrival.uid + 1 }, 0);
    });
  }
  const reached = { ...mark, nextUid: end };
  if (end > mark.nextUid || tooBig > 0) await report(null, reached, tooBig);
  return reached;
}

async function atDesk({ desk, signal }: MessageTerms, work: () => Promise<void>): Promise<void> {
  while (!(await desk.enter(longestAtDeskMs))) if (signal.aborted) return;
  try {
    if (!signal.aborted) await work();
  } finally {
    desk.leave();
  }
}

type Arrival = { readonly uid: number; readonly arrivedAt: number; readonly size: number };

async function listFrom(client: ImapFlow, nextUid: number, nowMs: number): Promise<Arrival[]> {
  const arrivals: Arrival[] = [];
  if (client.mailbox && client.mailbox.exists === 0) return arrivals;
  // A range that ends with * always includes the last message, even an old one.
  const query = { uid: true, internalDate: true, size: true };
  for await (const { uid, internalDate, size = 0 } of client.fetch(`${nextUid}:*`, query, { uid: true }))
    if (uid >= nextUid) arrivals.push({ uid, arrivedAt: toTime(internalDate, nowMs), size });
  return arrivals;
}

/** Null if it was deleted meanwhile, or is larger than the server said. */
async function readMessage(terms: MessageTerms, { uid, arrivedAt }: Arrival): Promise<ReadMessage | null> {
  const { connection, reading } = terms;
  const bytes = reading.maxBytes + overheadBytes;
  const source = await connection.run({ timeoutMs: messageMs, bytes }, async (client) => {
    const fetched = await client.fetchOne(`${uid}`, { uid: true, source: true }, { uid: true });
    return fetched && fetched.uid === uid ? fetched.source : undefined;
  });
  if (source === undefined || source.length === 0 || source.length > reading.maxBytes) return null;
  const sighting: Sighting = await readSightingAt(terms, source, { uid, arrivedAt });
  return { raw: Uint8Array.from(source), sighting };
}
