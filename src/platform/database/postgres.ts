// The store on PostgreSQL: one pool that writes, and one whose sessions are read-only, so that a write through a reader
// fails as it does on SQLite.

import { setTimeout as pause } from "node:timers/promises";
import { Kysely, type KyselyPlugin, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from "kysely";
import pg from "pg";
import { Refusal } from "../errors.ts";
import type { System } from "../system/system.ts";
import { damagedPostgres, isPostgresDamage } from "./engine/damage.ts";
import { requireUpgradable, type SchemaVersion, toSchemaVersion } from "./engine/schema-version.ts";
import {
  refuseNestedWrite,
  requireNothingDeferred,
  requireOpen,
  runInWriteContext,
  type WriteContext,
} from "./engine/write-context.ts";
import { inDatabase } from "./messages.ts";
import { adoptUnreleased, announceUpgrade, migrate, requireKnown } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import { planUpgrade, type UpgradeWatch, unwatched } from "./migrations/upgrade.ts";
import { createListen, noticeChannel } from "./notices.ts";
import type { Db, Schema } from "./schema.ts";
import { readWholeOn, type Store, type WholeReads } from "./store.ts";

const connections = 10;

/** int8 and numeric (counts, sums, times in milliseconds) as numbers. The driver returns them as text. */
const numberTypes = new Set([20, 1700]);

type PostgresOptions = {
  readonly reads: WholeReads | undefined;
  readonly system: Pick<System, "now" | "log">;
  readonly migrations: readonly Migration[];
  readonly watch: UpgradeWatch | undefined;
  readonly patientMs: number;
};

const tryEveryMs = 500;

export async function openPostgres(url: string, options: PostgresOptions): Promise<Store> {
  const { system } = options;
  const writing = createPool(url, "set synchronous_commit = on", 30_000, system);
  const reading = createPool(url, "set default_transaction_read_only = on", 120_000, system);
  const write: Store["write"] = async (work) => {
    refuseNestedWrite();
    return writing.db.transaction().execute((db) =>
      runInWriteContext(async (turn) => {
        const done = await work(db.withPlugin(guard(turn)));
        requireNothingDeferred(turn);
        return done;
      }),
    );
  };
  const store: Store = {
    dialect: "postgres",
    read: reading.db,
    readInWorker: reading.db,
    readBatch: readWholeOn(reading.db, options.reads ?? ({} as WholeReads)),
    readChangeMark: async () => {
      const { rows } = await sql<{ mark: string }>`select pg_current_snapshot()::text as mark`.execute(reading.db);
      return rows[0]?.mark ?? "";
    },
    readTakenBytes: () => readTakenBytes(reading.db),
    messages: inDatabase,
    write,
    writeRelaxed: write,
    close: async () => {
      await Promise.all([writing.db.destroy(), reading.db.destroy()]);
    },
    sqlite: undefined,
    notices: {
      send: async (texts) => {
        const notify = sql`select pg_notify(${noticeChannel}, text) from unnest(${texts}::text[]) as text`;
        await notify.execute(writing.db);
      },
      listen: createListen(url, system),
    },
  };
  try {
    await prepareSchema(store, writing.db, options);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** If several processes start at once, one does everything while the others wait. */
async function prepareSchema(
  store: Store,
  db: Db,
  { system, migrations, watch = unwatched, patientMs }: PostgresOptions,
): Promise<void> {
  const found = await whenReachable(() => readSchemaVersion(db), system, patientMs);
  const applied = requireUpgradable(found);
  if (found === "unreleased") await store.write((own) => adoptUnreleased(own, "postgres", migrations));
  const run = () => migrate(store, { migrations, system, watch });
  // Also if there are more: then it refuses.
  if (applied >= migrations.length) return run();
  let isDone = false;
  try {
    if (applied > 0) {
      await requireKnown(store.read, "postgres", migrations);
      const plan = await planUpgrade(store.read, "postgres", migrations.slice(applied), null);
      const names = { from: migrations[applied - 1]?.name, to: migrations.at(-1)?.name };
      await announceUpgrade(plan, names, system.log, watch);
    }
    await alone(db, system.log, run);
    isDone = true;
  } finally {
    await watch.end(isDone);
  }
}

/** After a power cut, the database server may start later than we do. */
async function whenReachable<T>(read: () => Promise<T>, { now, log }: PostgresOptions["system"], patientMs: number) {
  const startedAt = now();
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await read();
    } catch (error) {
      const isAway = error instanceof Refusal && error.details.retryAfterSeconds !== undefined;
      if (!isAway || now() - startedAt >= patientMs) throw error;
      if (isFirst) log.warn("PostgreSQL cannot be reached; waiting for it", { seconds: patientMs / 1_000 });
      await pause(tryEveryMs);
    }
  }
}

/** Any number that other software on the same PostgreSQL is unlikely to lock. Held by a session, unlike that of migrate.ts. */
const upgradeLock = 0x61_73_73_61_7a;

async function alone(db: Db, log: System["log"], work: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (holder) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_lock(${upgradeLock}) as free`.execute(holder);
    if (!rows[0]?.free) {
      log.info("another process is preparing the database; waiting for it");
      await sql`set statement_timeout = 0`.execute(holder);
      await sql`select pg_advisory_lock(${upgradeLock})`.execute(holder);
      await sql`reset statement_timeout`.execute(holder);
    }
    try {
      await work();
    } finally {
      await sql`select pg_advisory_unlock(${upgradeLock})`.execute(holder);
    }
  });
}

/** 0: the database is new. */
async function readSchemaVersion(db: Db): Promise<SchemaVersion> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('migrations') is not null as there`.execute(db);
  if (!rows[0]?.there) return 0;
  const applied = await db.selectFrom("migrations").select("name").orderBy("name").execute();
  return toSchemaVersion(applied.map(({ name }) => name));
}

/** Only the tests and their dependents, because other software may share the database. */
async function readTakenBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(id)) as bytes from (
      select 'tests'::regclass::oid as id
      union select conrelid from pg_constraint where contype = 'f' and confrelid = 'tests'::regclass
    ) as tables`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** A late query would run on a connection that already belongs to another caller. */
function guard(turn: WriteContext): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      requireOpen(turn);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

function createPool(
  url: string,
  session: string,
  statementTimeoutMs: number,
  { log }: Pick<System, "log">,
): { db: Db } {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    application_name: "assay",
    types: { getTypeParser },
  });
  // Without listeners the end of a connection would end the process, because the pool listens only to idle clients.
  pool.on("error", (error) => log.warn("PostgreSQL closed an idle connection", { reason: error.message }));
  pool.on("connect", (client) => client.on("error", () => {})); // its query fails too, and reports it
  const dialect = new PostgresDialect({
    pool: refusingPool(pool),
    onCreateConnection: async (connection) => {
      await connection.executeQuery(sql.raw(session).compile(db));
    },
  });
  const db: Db = new Kysely<Schema>({ dialect });
  return { db };
}

/** The pool, with the loss of the server reported as a refusal: the caller did nothing wrong and may try again. */
function refusingPool(pool: pg.Pool): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch((error) => {
        throw toRefusal(error);
      });
      const known = wrapped.get(client) ?? refusingClient(client);
      wrapped.set(client, known);
      return known;
    },
  } as PostgresPool;
}

/**
 * Removes a client whose server is gone from the pool. The pool may not have noticed, and the next caller would fail
 * too.
 */
function refusingClient(client: pg.PoolClient): PostgresPoolClient {
  let lost = false;
  const query = async (text: string, values: unknown[]) => {
    try {
      return await client.query(text, values);
    } catch (error) {
      const refusal = toRefusal(error);
      lost ||= refusal !== error;
      throw refusal;
    }
  };
  return {
    query: query as unknown as PostgresPoolClient["query"], // its other form takes a cursor, which we never open
    release: (broken?: boolean) => client.release(broken || lost),
  };
}

function toRefusal(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : "";
  // 28 authorization, 3D no such database, 08 connection, 53 resources, 57P operator intervention: classes of SQLSTATE
  // (PostgreSQL, appendix A).
  if (/^(28|3D)/.test(code)) {
    return new Refusal("overloaded", `PostgreSQL refused the connection: ${message}.`);
  }
  if (code === "53100") {
    const message = "The database server's disk is full. Nothing was written. Free some space and try again.";
    return new Refusal("overloaded", message, { diskFull: true });
  }
  if (isPostgresDamage(error)) return damagedPostgres(error);
  if (/^(08|53|57P)|^E[A-Z]+$/.test(code) || /terminated|timeout exceeded/.test(message)) {
    return new Refusal("overloaded", "The database cannot be reached. Try again in a moment.", {
      retryAfterSeconds: 5,
    });
  }
  return error;
}

function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  return numberTypes.has(oid) ? Number : pg.types.getTypeParser(oid, format as "text");
}
