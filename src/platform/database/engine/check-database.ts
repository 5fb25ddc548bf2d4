// Whether the database can be reached and is sound, for the server check. It works next to a running server and without
// one. The check of a SQLite file reads all of it in a thread, table by table, and ends when its time is up.

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { messageOf, Refusal } from "../../errors.ts";
import { unpackAddon } from "../../system/assets.ts";
import { createThreadReader } from "../thread-reader.ts";
import { isPostgresDamage } from "./damage.ts";
import { type SchemaVersion, toSchemaVersion } from "./schema-version.ts";
import { readSchemaVersion } from "./sqlite-files.ts";

export type DatabaseReading =
  /** It is created at the first start. */
  | { readonly state: "absent" }
  | { readonly state: "unreachable"; readonly problem: string }
  /** PostgreSQL has no file. */
  | { readonly state: "damaged"; readonly file: string | null; readonly problem: string }
  | {
      readonly state: "reached";
      /** With its version. */
      readonly engine: string;
      readonly bytes: number;
      readonly schema: { readonly applied: SchemaVersion; readonly known: number };
      /** Null if no server has started on it yet. */
      readonly keyFingerprint: string | null;
      /** Null if no server has started on it yet. */
      readonly installationId: string | null;
      readonly soundness: Soundness;
      /** Messages that wait for analysis. Null: unknown, as in a database that an early version made. */
      readonly waiting: number | null;
    };

export type Soundness =
  | { readonly is: "sound" }
  | { readonly is: "unfinished"; readonly tables: number; readonly of: number }
  /** PostgreSQL notices damage when it reads, if its pages have checksums. */
  | { readonly is: "not-checked"; readonly hasChecksums: boolean };

/** Slower than any disk that Assay should run on. A table that may take longer is left out, because a check can't be stopped. */
const bytesPerMs = 100_000;
/** They have almost all of the bytes, so they are checked last. */
const largest = ["reports", "raw_messages"];
const closingMs = 500;

const countWaiting = "select count(*) as count from tests where due_at is not null";
const metaQuery = "select key, value from meta where key in ('secret_key_fingerprint', 'installation_id')";

function toMeta(rows: readonly unknown[]) {
  const readValue = (wanted: string) =>
    (rows as { key: string; value: string }[]).find(({ key }) => key === wanted)?.value ?? null;
  return { keyFingerprint: readValue("secret_key_fingerprint"), installationId: readValue("installation_id") };
}

type Checking = { readonly file: string; readonly end: Promise<void> };
/** A table that takes longer than its check may. Another check of it would only read the same again. */
let running: Checking | null = null;

/** `known`: the number of migrations that this version has. `readLeftMs`: the time that is left, asked before each table. */
export async function checkSqlite(file: string, known: number, readLeftMs: () => number): Promise<DatabaseReading> {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (!bytes) return { state: "absent" };
  const damaged = (problem: string): DatabaseReading => ({ state: "damaged", file, problem });
  const setup = besideServer(file);
  try {
    const applied = readSchemaVersion(file, setup.addonFile);
    const thread = createThreadReader(setup);
    try {
      const [engine] = (await thread.query("select sqlite_version() as version", [])) as { version: string }[];
      // Before the tables, because after the limit the thread may still be busy with one. If these fail, the check says why.
      const [waiting] = (await thread.query(countWaiting, []).catch(() => [])) as { count: number }[];
      const meta = applied === 0 ? [] : await thread.query(metaQuery, []).catch(() => []);
      const checked = await checkTables(file, thread, bytes, readLeftMs);
      if ("problem" in checked) return damaged(checked.problem);
      return {
        state: "reached",
        engine: `SQLite ${engine?.version ?? ""}`,
        bytes: bytes + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0),
        schema: { applied, known },
        ...toMeta(meta),
        soundness: checked,
        waiting: waiting?.count ?? null,
      };
    } finally {
      const end = thread.close();
      running = { file, end };
      void end.finally(() => {
        running = null;
      });
      // Usually at once. A thread that is in the middle of a table goes on alone.
      await Promise.race([end, pause(closingMs, null, { ref: false })]);
    }
  } catch (error) {
    const isDamage = error instanceof Refusal || /malformed|not a database/.test(messageOf(error));
    return isDamage ? damaged(messageOf(error)) : { state: "unreachable", problem: messageOf(error) };
  }
}

/** For a reader next to a running server. */
export function besideServer(file: string): { file: string; addonFile: string | undefined; isWritable: boolean } {
  // A connection that only reads would leave files behind that a closed database doesn't have.
  return { file, addonFile: unpackAddon(dirname(file)), isWritable: !existsSync(`${file}-wal`) };
}

/** For a command that a person waits for. Not connected yet. */
export function createBriefClient(url: string, withinMs: number, name: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
    application_name: name,
  });
  client.on("error", () => {});
  return client;
}

type Reader = ReturnType<typeof createThreadReader>;

async function checkTables(
  file: string,
  { query, quickCheck }: Reader,
  bytes: number,
  readLeftMs: () => number,
): Promise<Soundness | { readonly problem: string }> {
  const rows = (await query(
    "select name from sqlite_schema where type = 'table' and rootpage > 0 order by name",
    [],
  )) as { name: string }[];
  const names = rows.map(({ name }) => name);
  const ordered = [
    ...names.filter((name) => !largest.includes(name)),
    ...largest.filter((name) => names.includes(name)),
  ];
  const unfinished = (tables: number) => ({ is: "unfinished", tables, of: ordered.length }) as const;
  if (running?.file === file) return unfinished(0);
  for (const [index, name] of ordered.entries()) {
    const leftMs = readLeftMs();
    if (leftMs <= 0 || (largest.includes(name) && bytes > leftMs * bytesPerMs)) return unfinished(index);
    const late = Number.isFinite(leftMs) ? [pause(leftMs, null, { ref: false })] : [];
    const found = await Promise.race([quickCheck(name), ...late]);
    if (found === null) return unfinished(index);
    if (found !== "ok") return { problem: `${name}: ${found}` };
  }
  return { is: "sound" };
}

export async function checkPostgres(url: string, known: number, withinMs: number): Promise<DatabaseReading> {
  const client = createBriefClient(url, withinMs, "assay doctor");
  try {
    await client.connect();
    const { rows } = await client.query<PostgresFacts>(
      `select current_setting('server_version') as version, current_setting('data_checksums') as checksums,
         pg_database_size(current_database()) as bytes, to_regclass('migrations') is not null as has_schema`,
    );
    const [facts] = rows;
    if (!facts?.has_schema) return { state: "absent" };
    const { rows: applied } = await client.query<{ name: string }>("select name from migrations order by name");
    const { rows: meta } = await client.query(metaQuery);
    return {
      state: "reached",
      engine: `PostgreSQL ${facts.version.split(" ", 1)[0]}`,
      bytes: Number(facts.bytes),
      schema: { applied: toSchemaVersion(applied.map(({ name }) => name)), known },
      ...toMeta(meta),
      soundness: { is: "not-checked", hasChecksums: facts.checksums === "on" },
      waiting: await client.query<{ count: string }>(countWaiting).then(
        ({ rows: [waiting] }) => Number(waiting?.count),
        (error: unknown) => {
          if (isPostgresDamage(error)) throw error;
          return null;
        },
      ),
    };
  } catch (error) {
    if (isPostgresDamage(error)) return { state: "damaged", file: null, problem: error.message };
    return { state: "unreachable", problem: messageOf(error) };
  } finally {
    await client.end().catch(() => {});
  }
}

type PostgresFacts = {
  readonly version: string;
  readonly checksums: string;
  readonly bytes: string;
  readonly has_schema: boolean;
};
