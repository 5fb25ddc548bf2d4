// The database as the tasks see it. Its methods are hard to misuse: reads can't write, writes are durable when they
// resolve, and long reads never block the main thread.

import type { RawDb } from "./engine/sqlite-database.ts";
import type { Messages } from "./messages.ts";
import type { Notices } from "./notices.ts";
import type { Db } from "./schema.ts";

export type Store = {
  readonly dialect: "sqlite" | "postgres";
  /** Short reads (under 5 ms). On SQLite a separate read-only connection, so that it never sees an open transaction. */
  readonly read: Db;
  /** Reads that may take longer. On SQLite a read-only connection in a separate thread. */
  readonly readInWorker: Db;
  /** Like `readInWorker`, for reads that take several queries. They are sent as one. */
  readonly readBatch: ReadBatch;
  /** Differs after every commit, of other processes too. On SQLite it means nothing to another process. */
  readonly readChangeMark: () => Promise<string>;
  /**
   * One transaction. Resolves once its commit has been flushed to disk. `work` must await only queries on the given
   * `db`, and must let the first query error end it. On SQLite, writes that wait together share one commit, and one
   * that throws is undone alone.
   */
  readonly write: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /**
   * Like `write`, for data that can be recovered if the machine fails within the second. On SQLite it is committed
   * within milliseconds, survives the end of this process, and is flushed with the next flush.
   */
  readonly writeRelaxed: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /**
   * Bytes on disk: of the files (SQLite) or of the tests' tables (PostgreSQL). Deleted data counts until its space is
   * returned. SQLite returns it during tidy; PostgreSQL hardly ever does and keeps the space for new rows.
   */
  readonly readTakenBytes: () => Promise<number>;
  readonly close: () => Promise<void>;
  /** Where raw messages are stored. */
  readonly messages: Messages;
  /** SQLite only. */
  readonly sqlite: SqliteDoors | undefined;
  /** To the other processes, if several share the database. */
  readonly notices: Notices | undefined;
};

export type SqliteDoors = {
  /**
   * Like `write`, with synchronous statements, for the intake of messages, where Kysely would cost more than the
   * insert.
   */
  readonly writeRaw: <T>(work: (raw: RawDb) => T, bytes?: number) => Promise<T>;
  /** The `synchronous` setting of the live writer: evidence that a commit is a flush. */
  readonly readSynchronous: () => Promise<number>;
  /** Bytes of the pages in use. */
  readonly readUsedBytes: () => Promise<number>;
  /** Returns freed pages to the file system, and does nothing else, for a disk that is full. */
  readonly shrink: () => Promise<void>;
  /**
   * Returns freed pages to the file system, refreshes the planner's statistics and merges the search index's segments,
   * in steps that let others write. Throws the reason if it is stopped between two steps.
   */
  readonly tidy: (stopping?: AbortSignal) => Promise<void>;
  /** Empties the page caches of the main thread, up to 16 MB for each connection. They fill again as pages are read. */
  readonly forgetPages: () => void;
};

// Reads with several queries that depend on one another, sent as one. On SQLite the reading thread runs them whole,
// because waking it costs more than most of their queries.

/** A feature adds its own here. Their arguments and results cross threads. */
// biome-ignore lint/suspicious/noEmptyInterface: others add to it
export interface WholeReads {}

export type WholeReadName = keyof WholeReads;
export type WholeQuestion<Name extends WholeReadName> = Parameters<WholeReads[Name]>[1];

export type ReadBatch = <Name extends WholeReadName>(
  name: Name,
  question: WholeQuestion<Name>,
) => Promise<Awaited<ReturnType<WholeReads[Name]>>>;

export function readWholeOn(db: Db, reads: WholeReads): ReadBatch {
  // An index into the table loses that a name's question matches its answer.
  return ((name, question) => reads[name](db, question)) as ReadBatch;
}
