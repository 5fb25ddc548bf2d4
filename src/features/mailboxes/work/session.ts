// Watches a mailbox over three connections. Inbox and spam folder use IDLE on one each. The third polls all folders,
// because some servers do not send notifications. If one connection fails, the session ends, and the next starts with a
// fresh list of folders.

import type { StatusObject } from "imapflow";
import type { Limiter } from "../../../analyzer/facts/limiter.ts";
import { type CountingFolder, readFolderRoles } from "../../../analyzer/reports/folder-roles.ts";
import type { MailboxConnection } from "./connection.ts";
import { type MessageReading, readMessages } from "./message-reader.ts";
import type { FolderMark, MailboxNews } from "./messages.ts";
import { MailboxProblem, toFault } from "./problems.ts";
import { beginAt, openFolder, readNew } from "./reader.ts";

type SessionTerms = {
  readonly id: string;
  readonly connect: (idles: boolean) => Promise<MailboxConnection>;
  readonly searchesTabs: boolean;
  /** Whole messages are wanted, as for a seed inbox. */
  readonly reading: MessageReading | null;
  readonly desk: Limiter;
  /** Resolves when the news about that folder's last message is stored, or the signal aborts. */
  readonly untilKept: (path: string, signal: AbortSignal) => Promise<void>;
  /** By path. The session updates its progress here. */
  readonly marks: Map<string, FolderMark>;
  readonly report: (news: MailboxNews) => void;
  readonly now: () => number;
  /** Resolves when the next poll is due. */
  readonly untilRound: (signal: AbortSignal) => Promise<void>;
  /** Called when all connections are open. */
  readonly onConnected: () => void;
  readonly signal: AbortSignal;
};

const commandMs = 30_000;
const listBytes = 2_097_152;
const statusBytes = 65_536;
/** For a seed inbox, where only mail that arrived since it was connected is read. */
const maxAtFirst = 2_000;
/** Folders change rarely. */
const listEveryMs = 60_000;

type Session = SessionTerms & {
  readonly places: readonly CountingFolder[];
  readonly end: AbortController;
  readonly fail: (error: unknown) => void;
};

/** Resolves when the folder list changed or the signal aborted; rejects with the error that ended it. */
export async function runSession(terms: SessionTerms): Promise<void> {
  const connections: MailboxConnection[] = [];
  const end = new AbortController();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const stop = () => end.abort();
  terms.signal.addEventListener("abort", stop, { once: true });
  const add = async (idles: boolean) => {
    const connection = await terms.connect(idles);
    connections.push(connection);
    if (end.signal.aborted) connection.close();
    connection.lost.catch(failed.reject);
    return connection;
  };
  const aborted = new Promise<void>((resolve) => end.signal.addEventListener("abort", () => resolve(), { once: true }));
  try {
    await Promise.race([watch({ ...terms, end, fail: failed.reject }, add), failed.promise, aborted]);
  } finally {
    terms.signal.removeEventListener("abort", stop);
    end.abort();
    for (const connection of connections) connection.close();
  }
}

async function watch(terms: Omit<Session, "places">, add: SessionTerms["connect"]): Promise<void> {
  const first = await add(true);
  const places = await listPlaces(terms, first);
  const [inbox, spam] = ["inbox", "spam"].map((role) => places.find((place) => place.role === role));
  if (!inbox) throw new MailboxProblem("The mailbox has no INBOX.");
  for (const path of [...terms.marks.keys()])
    if (places.every((place) => place.path !== path)) terms.marks.delete(path);
  const [second, third] = await Promise.all([spam ? add(true) : null, add(false)]);
  if (terms.end.signal.aborted) return;
  const session: Session = { ...terms, places };
  terms.onConnected();
  terms.report({ news: "connected", id: terms.id, folders: places.map(({ path, role }) => ({ path, role })) });
  const followers = new Map([[inbox.path, follow(session, first, inbox)]]);
  if (spam && second) followers.set(spam.path, follow(session, second, spam));
  await makeRounds(session, third, followers);
}

async function listPlaces(
  { reading }: Pick<SessionTerms, "reading">,
  connection: MailboxConnection,
): Promise<CountingFolder[]> {
  const listed = await connection.run({ timeoutMs: commandMs, bytes: listBytes }, (client) =>
    client.list({ listOnly: true }),
  );
  const places = readFolderRoles(listed.map(({ path, name, flags }) => ({ path, name, flags: [...flags] })));
  return reading === null ? places : places.filter(({ role }) => role !== "other");
}

type Follower = {
  /** Checks again without a notification. */
  readonly check: () => void;
};

/** A folder whose server sends notifications. */
function follow(session: Session, connection: MailboxConnection, place: CountingFolder): Follower {
  let isDue = true;
  let isChecking = true;
  const read = createReader(session, connection, place);
  const checkWhileDue = async () => {
    isChecking = true;
    while (isDue && !session.end.signal.aborted) {
      isDue = false;
      await read();
    }
    isChecking = false;
  };
  const check = () => {
    isDue = true;
    if (!isChecking) checkWhileDue().catch(session.fail);
  };
  connection.onMail(check);
  checkWhileDue().catch(session.fail);
  return { check };
}

/** Returns a function that reads new messages. It opens the folder at first, and again on request. */
function createReader(session: Session, connection: MailboxConnection, place: CountingFolder) {
  const { marks, searchesTabs, now, id, report, reading, desk, end } = session;
  const { path } = place;
  const readAll = (mark: FolderMark, wanted: MessageReading) =>
    readMessages(
      {
        connection,
        place,
        searchesTabs,
        now,
        desk,
        reading: wanted,
        signal: end.signal,
        report: async (message, reached, tooBig) => {
          const kept = session.untilKept(path, end.signal);
          report({ news: "message", id, message, tooBig, marks: [reached] });
          await kept;
          marks.set(path, reached);
        },
      },
      mark,
    );
  const terms = {
    connection,
    place,
    searchesTabs,
    now,
    report: (sightings: Parameters<Parameters<typeof readNew>[0]["report"]>[0], mark: FolderMark) => {
      marks.set(path, mark);
      report({ news: "sightings", id, sightings, marks: [mark] });
    },
  };
  let isOpen = false;
  return async (opensAgain = false) => {
    let isFirst = false;
    if (!isOpen || opensAgain) {
      const mostAtFirst = reading === null ? undefined : maxAtFirst;
      const begun = beginAt(path, await openFolder(connection, path), marks.get(path), mostAtFirst);
      isOpen = true;
      isFirst = begun.isFirst;
      marks.set(path, begun.mark);
    }
    const mark = marks.get(path);
    if (mark) marks.set(path, await (reading === null ? readNew(terms, mark, isFirst) : readAll(mark, reading)));
  };
}

async function makeRounds(
  session: Session,
  connection: MailboxConnection,
  followers: ReadonlyMap<string, Follower>,
): Promise<void> {
  const { places, end, now, untilRound } = session;
  const others = places.filter(({ path }) => !followers.has(path));
  const readers = new Map(others.map((place) => [place.path, createReader(session, connection, place)]));
  let listedAt = now();
  const read = async (path: string) => {
    await readers
      .get(path)?.(true)
      .catch((error: unknown) => {
        // This folder cannot be opened. Continue with the others.
        if (!toFault(error).isRefused) throw error;
        readers.delete(path);
      });
  };
  for (const { path } of others) await read(path);
  while (!end.signal.aborted) {
    await untilRound(end.signal);
    if (now() - listedAt >= listEveryMs) {
      listedAt = now();
      if (!isSame(await listPlaces(session, connection), places)) return;
    }
    for (const place of places)
      if (!end.signal.aborted && (await hasNew(session, connection, place))) {
        followers.get(place.path)?.check();
        await read(place.path);
      }
  }
}

async function hasNew(
  { marks }: Session,
  connection: MailboxConnection,
  { path, role }: CountingFolder,
): Promise<boolean> {
  const bounds = { timeoutMs: commandMs, bytes: statusBytes };
  const status = await connection.run<Partial<StatusObject> | false>(bounds, (client) =>
    // RFC 9051 §6.3.11: STATUS must not be used on the selected folder.
    client.mailbox && client.mailbox.path === path
      ? client.mailboxOpen(path, { readOnly: true })
      : client.status(path, { uidNext: true, uidValidity: true }),
  );
  const mark = marks.get(path);
  // Not opened yet, or refused. The other connections continue.
  if (!status || !mark) return false;
  const isRenewed = String(status.uidValidity ?? mark.uidValidity) !== mark.uidValidity;
  // UIDVALIDITY is fixed while a folder is open, so its connection must start over.
  if (isRenewed && role !== "other") throw new FolderRenewed();
  return isRenewed || (status.uidNext ?? 0) > mark.nextUid;
}

/** Ends a session without being an error. */
export class FolderRenewed extends Error {}

function isSame(one: readonly CountingFolder[], other: readonly CountingFolder[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
