// The tables as the current code sees them. Portable between SQLite and PostgreSQL: times are epoch milliseconds,
// booleans are 0 or 1, structured values are JSON text, and every order by has a tie breaker.

import type { Kysely } from "kysely";

/** The first argument of store functions: the reader, the reader in a thread, or a transaction. */
export type Db = Kysely<Schema>;

/**
 * Each part of the product declares its own tables here (interfaces of the same name are merged), so that nothing of a
 * part is left when it goes.
 */
export interface Schema {
  migrations: MigrationsTable;
  meta: MetaTable;
  chores: ChoresTable;
  raw_messages: RawMessagesTable;
  object_removals: ObjectRemovalsTable;
}

/** The checksum covers the statements as they were applied. */
type MigrationsTable = { name: string; checksum: string; applied_at: number };

/** Facts about the server: its ID, the fingerprint of its secret key, and settings changed in the app. */
type MetaTable = { key: string; value: string };

/** Columns of rows that a process claims for a while, so that work is done once (claims.ts). */
export type ClaimColumns = {
  /** When the work may begin. Null if nothing is left to do. */
  due_at: number | null;
  claimed_by: string | null;
  claimed_until: number | null;
  /** Written before each try, so that a row that kills its process is recognized. */
  attempts: number;
};

/** Separate from tests, so that lists stay fast. */
export type RawMessagesTable = {
  test_id: string;
  /** 0 uncompressed, 1 zstd. */
  encoding: number;
  /** Empty if the message is stored outside the database. */
  bytes: Uint8Array;
  /** The SMTP session, serialized by analyzer/mail/session/session-text.ts. */
  session: string;
  /** Where the message is stored. Null: in `bytes`. */
  stored_in: ObjectPlace | null;
  object_key: string | null;
  /** SHA-256 of the object, in hex. */
  object_hash: string | null;
  object_bytes: number | null;
};

/** The directory only has messages that earlier versions stored. */
export type ObjectPlace = "directory" | "s3";

/** Objects that no row points to any more. */
type ObjectRemovalsTable = { object_key: string; stored_in: ObjectPlace };

/** Recurring work of the server, done by one process at a time. */
export type ChoresTable = ClaimColumns & {
  id: string;
  last_started_at: number | null;
  last_finished_at: number | null;
  last_error: string | null;
};
