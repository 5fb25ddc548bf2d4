// One connection to PostgreSQL for a copy in either direction, in one transaction and without time limits.

import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { Refusal } from "../../errors.ts";
import type { Db, Schema } from "../schema.ts";

export type CopyClient = pg.Client;

/** `begin`: how the transaction begins. It is committed if `work` resolves, and otherwise rolled back. */
export async function inCopyTransaction<T>(
  url: string,
  begin: string,
  work: (client: CopyClient) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: "assay copy",
    types: { getTypeParser },
  });
  client.on("error", () => {}); // its query fails too, and reports it
  try {
    await client.connect();
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0");
    await client.query(begin);
    const done = await work(client);
    await client.query("commit");
    return done;
  } catch (error) {
    throw toRefusal(error);
  } finally {
    await client.end().catch(() => {}); // which rolls back
  }
}

const disk = new Set(["53100", "ENOSPC"]);
const connection = /^(?:08|28|3D|53|57P|E[A-Z])/;

function toRefusal(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : "";
  if (error instanceof Refusal) return error;
  if (disk.has(code)) return new Refusal("overloaded", "The database server's disk is full. Nothing was changed.");
  if (code === "42501") return new Refusal("forbidden", `PostgreSQL refused it: ${message}. Nothing was changed.`);
  if (connection.test(code))
    return new Refusal("overloaded", `The connection to PostgreSQL failed: ${message}. Nothing was changed.`);
  return error;
}

/** Kysely inside the transaction of a client. */
export function kyselyOn(client: CopyClient): Db {
  const own = {
    query: client.query.bind(client) as unknown as PostgresPoolClient["query"],
    release: () => {},
  } as PostgresPoolClient;
  const pool = { connect: async () => own, end: async () => {}, options: {} } as unknown as PostgresPool;
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** int8 and numeric as numbers. The driver returns them as text. */
const numberTypes = new Set([20, 1700]);

function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  return numberTypes.has(oid) ? Number : pg.types.getTypeParser(oid, format as "text");
}

/** Throws if a server runs on this database. */
export async function requireNoServer(url: string): Promise<void> {
  await inCopyTransaction(url, "begin read only", refuseServers);
}

/** Every server has a connection for events (platform/database/notices.ts). */
export async function refuseServers(client: CopyClient): Promise<void> {
  const { rows } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'assay events'",
  );
  if (rows.length > 0)
    throw new Refusal(
      "conflict",
      `${rows.length === 1 ? "A server is" : `${rows.length} servers are`} running on this database. Stop every Assay server first. Nothing was changed.`,
    );
}
