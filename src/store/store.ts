// The database as the tasks see it. Three doors, so that no caller can get it wrong:
// reads cannot write, writes are durable when they resolve, long reads never hold up the main thread.

import type { RawDb } from "./engine/sqlite-database.ts";
import type { Notices } from "./notices.ts";
import type { Db } from "./schema/schema.ts";
import { findCountedTests } from "./tests/lists.ts";

export type Store = {
  readonly dialect: "sqlite" | "postgres";
  /** Short reads (under 5 ms). On SQLite a read-only connection of its own, so that it never sees an open transaction. */
  readonly read: Db;
  /** Reads that may take longer: on SQLite a read-only connection in a thread of its own. */
  readonly readInWorker: Db;
  /** As `readInWorker`, of what takes several queries: they are asked there as one. */
  readonly readBatch: ReadBatch;
  /**
   * One transaction. Resolves when its commit has been flushed to disk. `work` awaits nothing but queries on the
   * `db` that it is given, and lets the first error of a query end it; on SQLite, writes that wait together share
   * one commit, and one that throws is undone alone.
   */
  readonly write: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /**
   * As `write`, for what can be found out again if the machine fails within the second: on SQLite it is committed within
   * milliseconds, outlives the end of this process, and is flushed with whatever is flushed next.
   */
  readonly writeRelaxed: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** A consistent copy beside a running server (SQLite; on PostgreSQL a Refusal that names pg_dump). */
  readonly backup: (file: string) => Promise<void>;
  /**
   * Bytes of disk: of the files (SQLite), of the tests' tables (PostgreSQL). What was deleted counts until it is given
   * back, which SQLite does when it is tidied, and PostgreSQL hardly ever: it keeps the room for new rows.
   */
  readonly readTakenBytes: () => Promise<number>;
  readonly close: () => Promise<void>;
  /** What only SQLite has. */
  readonly sqlite: SqliteDoors | undefined;
  /** To the other processes, where the database is one that several share. */
  readonly notices: Notices | undefined;
};

export type SqliteDoors = {
  /** As `write`, with synchronous statements: for the intake of messages, where Kysely would cost more than the insert. */
  readonly writeRaw: <T>(work: (raw: RawDb) => T, bytes?: number) => Promise<T>;
  /** What the live writer's `synchronous` is: evidence that a commit is a flush. */
  readonly readSynchronous: () => Promise<number>;
  /** Bytes of the pages that hold something. */
  readonly readUsedBytes: () => Promise<number>;
  /** Gives freed pages back to the file system, refreshes the planner's statistics and merges the search index's segments, in steps that let others write. Throws the reason of a stop that comes between two. */
  readonly tidy: (stopping?: AbortSignal) => Promise<void>;
};

// Reads of several queries, each the answer to the one before, that are asked as one: on SQLite the reading thread answers
// them whole, because to wake it costs more than most of their queries.

/** What they are asked and what they answer crosses threads. */
const wholeReads = { findCountedTests };

type WholeReads = typeof wholeReads;
export type WholeReadName = keyof WholeReads;
export type WholeQuestion<Name extends WholeReadName> = Parameters<WholeReads[Name]>[1];

export type ReadBatch = <Name extends WholeReadName>(
  name: Name,
  question: WholeQuestion<Name>,
) => Promise<Awaited<ReturnType<WholeReads[Name]>>>;

export function readWholeOn(db: Db): ReadBatch {
  // That a name's question goes with its answer is lost on an index into the table.
  return ((name, question) => wholeReads[name](db, question)) as ReadBatch;
}
