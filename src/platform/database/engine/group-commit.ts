// Writes that wait together share one transaction and one flush to disk. Each has a savepoint, so that one that throws
// is undone alone. The queue isolates them: no other code uses the connection, and no transaction begins inside
// another.

import { setImmediate as nextRound, setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../../errors.ts";
import type { Db } from "../schema.ts";
import { type RawDb, type SqliteDatabase, sqliteCode } from "./sqlite-database.ts";
import { createWriter } from "./sqlite-driver.ts";
import {
  type Deferred,
  guardQueries,
  guardStatements,
  refuseNestedWrite,
  requireSynchronous,
  runDeferred,
  runInWriteContext,
  type WriteContext,
} from "./write-context.ts";
import { createWriteQueue, type Waiting } from "./write-queue.ts";

export type GroupCommit = {
  readonly write: Write;
  /**
   * Like `write`, for writes that no caller waits for: committed within milliseconds, and flushed with the next flush.
   */
  readonly writeRelaxed: Write;
  /**
   * `work` must have no other effects, because it runs again if a neighbor throws. `bytes` is a rough size of what it
   * writes.
   */
  readonly writeRaw: <T>(work: (raw: RawDb) => T, bytes?: number) => Promise<T>;
  /** Moves the log into the file and truncates both, as far as no reader still needs the log. */
  readonly checkpoint: () => Promise<void>;
  /** Accepts no more writes, and resolves once all accepted ones are settled. */
  readonly close: () => Promise<void>;
};

type Write = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

export type GroupCommitOptions = {
  readonly random: (byteCount: number) => Uint8Array;
  /** Attempts to get the lock, each about 100 ms: at most 50 ms blocking, then with a timer. */
  readonly lockTries: number;
  /** Limits how many writes a failed commit takes with it. */
  readonly maxTogether: number;
  /** Runs before the next transaction begins. It never rejects. */
  readonly afterCommit: () => Promise<void>;
};

/** Limits how long one flush blocks the main thread, so that a large message doesn't delay other requests. */
const maxBytesTogether = 4_194_304;

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

type Turned = Waiting & {
  readonly isRaw: boolean;
  readonly work: (turn: WriteContext) => unknown;
  readonly settle: (outcome: Outcome) => void;
};

export function createGroupCommit(database: SqliteDatabase, options: GroupCommitOptions): GroupCommit {
  const { maxTogether } = options;
  const setDurability = createDurability(database);
  const flush = (batch: readonly Turned[], ended: () => void) =>
    commitTogether(database, batch, { ...options, setDurability, ended });
  const queue = createWriteQueue<Turned>({ maxTogether, maxBytesTogether, flush });
  let closed = false;

  async function wait<T>(write: Omit<Turned, "settle">): Promise<T> {
    refuseNestedWrite();
    if (closed) throw new Error("The store is closed.");
    const outcome = await new Promise<Outcome>((settle) => queue.add({ ...write, settle }));
    if (outcome.ok) return outcome.value as T;
    throw outcome.error;
  }

  const writing =
    (isPatient: boolean): Write =>
    (work) => {
      const inTurn = (turn: WriteContext) => work(createWriter(guardQueries(database, turn)));
      return wait({ bytes: 0, isPatient, isRaw: false, work: inTurn });
    };

  return {
    write: writing(false),
    writeRelaxed: writing(true),
    writeRaw: (work, bytes = 0) => {
      const inTurn = (turn: WriteContext) => requireSynchronous(work(guardStatements(database, turn)));
      return wait({ bytes, isPatient: false, isRaw: true, work: inTurn });
    },
    checkpoint: async () => {
      // A transaction ends in the same turn of the event loop that it began in, or in the next.
      do await nextRound();
      while (!closed && database.inTransaction());
      if (!closed) database.pragma("wal_checkpoint(truncate)");
    },
    close: async () => {
      closed = true;
      await queue.drain();
    },
  };
}

/**
 * Whether the next commit waits for the disk. Without waiting, the commit survives the end of this process but not of
 * the machine; the next commit that waits flushes it too. It throws rather than make a commit less durable than
 * requested.
 */
function createDurability(database: SqliteDatabase): (isDurable: boolean) => void {
  let level = "";
  return (isDurable) => {
    const wanted = isDurable ? "full" : "normal";
    if (wanted === level) return;
    level = "";
    database.script(`pragma synchronous = ${wanted}`);
    level = wanted;
  };
}

type CommitTerms = GroupCommitOptions & {
  readonly setDurability: (isDurable: boolean) => void;
  readonly ended: () => void;
  /** They were undone together with others and run again. */
  readonly isAgain?: true;
};

async function commitTogether(database: SqliteDatabase, batch: readonly Turned[], options: CommitTerms): Promise<void> {
  // No savepoint for one write, or if all can be repeated: it copies each page that is written, a tenth of the cost of
  // mail here.
  const hasSavepoints = options.isAgain || (batch.length > 1 && !batch.every(({ isRaw }) => isRaw));
  let isRawRepeated = false;
  try {
    options.setDurability(batch.some(({ isPatient }) => !isPatient));
    await begin(database, options);
    const outcomes: Outcome[] = [];
    const left: Deferred[] = [];
    isRawRepeated = !hasSavepoints;
    const carryOut = hasSavepoints ? inSavepoint : perform;
    for (const company of options.isAgain ? batch.map((one) => [one]) : groupRawWrites(batch))
      outcomes.push(...(await carryOut(database, company, left)));
    // A deferred task failed, not the raw writes themselves; their deferred work has already run.
    isRawRepeated = left.length > 0;
    runDeferred(database, left);
    isRawRepeated = false;
    database.run("commit");
    options.ended();
    for (const [index, outcome] of outcomes.entries()) batch[index]?.settle(outcome);
  } catch (error) {
    rollBack(database);
    const isRepeated = ({ isRaw }: Turned) => isRaw && isRawRepeated;
    const again = batch.filter(isRepeated);
    if (again.length > 0) await commitTogether(database, again, { ...options, isAgain: true });
    else options.ended();
    for (const one of batch) if (!isRepeated(one)) one.settle({ ok: false, error: toRefusal(error) });
    return;
  }
  await options.afterCommit();
}

/** If it throws, the writes still get their original error. The next `begin` finds a transaction left open. */
function rollBack(database: SqliteDatabase): void {
  try {
    if (database.inTransaction()) database.run("rollback");
  } catch {}
}

async function begin(database: SqliteDatabase, { random, lockTries }: GroupCommitOptions): Promise<void> {
  if (database.inTransaction()) throw new Error("The writer is already inside a transaction.");
  for (let triesLeft = lockTries; triesLeft > 0; triesLeft--) {
    try {
      database.run("begin immediate");
      return;
    } catch (error) {
      if (!sqliteCode(error)?.startsWith("SQLITE_BUSY")) throw error;
    }
    await pause(25 + ((random(1)[0] ?? 0) * 50) / 255);
  }
  throw new Refusal("overloaded", "Another process is keeping the database locked. Try again in a moment.", {
    retryAfterSeconds: 5,
  });
}

/** Consecutive raw writes share one savepoint, because a savepoint costs as much as a row. */
function groupRawWrites(batch: readonly Turned[]): Turned[][] {
  const companies: Turned[][] = [];
  for (const one of batch) {
    const company = companies.at(-1);
    if (one.isRaw && company?.[0]?.isRaw) company.push(one);
    else companies.push([one]);
  }
  return companies;
}

/** Throws only if the whole transaction is gone: SQLite ends it on some disk errors. */
async function inSavepoint(database: SqliteDatabase, company: readonly Turned[], left: Deferred[]): Promise<Outcome[]> {
  database.run("savepoint turn");
  const leftBefore = left.length;
  try {
    const outcomes = await perform(database, company, left);
    database.run("release turn");
    return outcomes;
  } catch (error) {
    left.length = leftBefore;
    if (!database.inTransaction()) throw error;
    database.run("rollback to turn");
    database.run("release turn");
    if (company.length === 1) return [{ ok: false, error: toRefusal(error) }];
  }
  const outcomes: Outcome[] = [];
  for (const one of company) outcomes.push(...(await inSavepoint(database, [one], left)));
  return outcomes;
}

/** A write that isn't raw forms its own group. */
async function perform(database: SqliteDatabase, company: readonly Turned[], left: Deferred[]): Promise<Outcome[]> {
  const isRaw = company[0]?.isRaw;
  const { values, own } = await runInWriteContext(async (turn) => ({
    values: isRaw
      ? company.map(({ work }) => work(turn))
      : await Promise.all(company.map(({ work }) => withoutWaiting(work, turn))),
    own: turn.left,
  }));
  if (isRaw) runDeferred(database, own);
  else left.push(...own);
  return values.map((value) => ({ ok: true, value }));
}

/**
 * Queries are answered within microtasks. Work that isn't done when the event loop turns is waiting for something else,
 * which is refused.
 */
async function withoutWaiting(work: Turned["work"], turn: WriteContext): Promise<unknown> {
  let alarm: NodeJS.Immediate | undefined;
  const broken = new Promise<never>((_, reject) => {
    alarm = setImmediate(() => {
      reject(new Error("A write awaited something other than its own queries and was rolled back."));
    });
  });
  try {
    return await Promise.race([work(turn), broken]);
  } finally {
    clearImmediate(alarm);
  }
}

function toRefusal(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === "SQLITE_FULL") {
    const message = "The disk is full. Nothing was written. Free some space and try again.";
    return new Refusal("overloaded", message, { diskFull: true });
  }
  if (code?.startsWith("SQLITE_IOERR")) {
    return new Refusal("overloaded", `The disk refuses writes (${code}). Nothing was written.`);
  }
  return error;
}
