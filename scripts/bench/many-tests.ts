// Creates a database with many tests in minutes: messages that Assay itself received and analyzed are copied with other
// senders, subjects, times and workspaces. Each copy is an ordinary row in each table, so triggers keep counts, search
// and rollups up to date as usual.
// Usage: npm run script -- scripts/bench/many-tests.ts --data-dir <a new folder> [--tests 1000000] [--workspaces 5]

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { foldChanges } from "../../src/features/dashboard/rows/folding.ts";
import { type CountedTest, countReceivedTests } from "../../src/features/tests/rows/insert-tests.ts";
import type { TestsTable } from "../../src/features/tests/tables.ts";
import type { RawDb, SqlValue } from "../../src/platform/database/engine/sqlite-database.ts";
import { deferToCommit } from "../../src/platform/database/engine/write-context.ts";
import { openStore } from "../../src/platform/database/open.ts";
import { keepTestWords } from "../../src/platform/database/search/search.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { createId } from "../../src/platform/ids.ts";
import { startDnsServer } from "../../test/dns-server.ts";
import { storeSystem } from "../../test/platform/database/store-system.ts";
import { builtProgram, startAssay } from "../assay-process.ts";
import { createDice, type Dice } from "../dice.ts";
import { runAssay } from "../first-message.ts";
import { print } from "./bench.ts";
import { letters, letterZone, throwSenderDomain, throwSubject } from "./many-letters.ts";

export type Place = { readonly workspaceId: string; readonly token: string };

type Row = Record<string, SqlValue>;

/** Tests are spread over this many days up to now. */
const days = 60;
const perTransaction = 5_000;
const changesPerFold = 500;

/** Returns the workspaces, each with an API token. */
export async function makeManyTests(dataDir: string, tests: number, workspaces: number): Promise<Place[]> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const places = await receiveLetters(dataDir, workspaces);
  const store = await openStore({ databaseFile: join(dataDir, "assay.db") }, storeSystem());
  try {
    await copyTests(store, tests, places);
    await store.write((db) => sql`analyze`.execute(db));
    // As hourly housekeeping of a running server leaves it.
    await store.sqlite?.tidy();
  } finally {
    await store.close();
  }
  return places;
}

async function receiveLetters(dataDir: string, workspaces: number): Promise<Place[]> {
  const dns = await startDnsServer({ zone: letterZone });
  const environment = { ASSAY_DNS_SERVERS: `${dns.address}:${dns.port}` };
  const server = await startAssay({ dataDir, environment });
  try {
    const names = Array.from({ length: workspaces - 1 }, (_, index) => `Workspace ${index + 2}`);
    for (const name of names) assay(dataDir, "workspace", "create", name);
    const listed = assay(dataDir, "workspace", "list") as { id: string }[];
    const places = listed.map(({ id }) => {
      const { token } = assay(dataDir, "token", "create", "--workspace", id, "--name", "bench") as Place;
      return { workspaceId: id, token };
    });
    const [first] = places;
    if (!first) throw new Error("There is no workspace.");
    for (const letter of letters) await upload(server.http, first, letter);
    while (!(await isAllAnalysed(server.http, first))) await sleep(100);
    return places;
  } finally {
    await server.end("SIGTERM");
    await dns.close();
  }
}

function assay(dataDir: string, ...args: string[]): unknown {
  return JSON.parse(runAssay({ command: builtProgram, dataDir, environment: {} }, ...args, "--json"));
}

export function headersOf({ token, workspaceId }: Place): Record<string, string> {
  return { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
}

async function upload(http: string, place: Place, { raw, ip }: (typeof letters)[number]): Promise<void> {
  const claims = new URLSearchParams({ ip, helo: "mail.shop.example", mail_from: "news@shop.example" });
  const headers = { ...headersOf(place), "content-type": "message/rfc822" };
  const answer = await fetch(`${http}/api/tests/upload?${claims}`, { method: "POST", headers, body: raw });
  if (answer.status !== 201) throw new Error(await answer.text());
}

async function isAllAnalysed(http: string, place: Place): Promise<boolean> {
  const answer = await fetch(`${http}/api/tests?limit=100`, { headers: headersOf(place) });
  const { items } = (await answer.json()) as { items: { status: string }[] };
  return items.length === letters.length && items.every(({ status }) => status === "analyzed");
}

async function copyTests(store: Store, tests: number, places: readonly Place[]): Promise<void> {
  if (!store.sqlite) throw new Error("This script creates SQLite databases only.");
  const dice = createDice(20_261_121);
  const copy = await store.sqlite.writeRaw((raw) => createCopier(raw, dice));
  const now = Date.now();
  for (let made = letters.length; made < tests; ) {
    const from = made;
    made = Math.min(tests, made + perTransaction);
    // Nearly in order of time, like real tests, so that no tree is filled at random.
    const copies = await store.sqlite.writeRaw((raw) =>
      Array.from({ length: made - from }, (_, index) => {
        const receivedAt = now - Math.round((1 - (from + index) / tests) * days * 86_400_000);
        return copy(raw, receivedAt, places[dice(places.length)]?.workspaceId ?? "");
      }),
    );
    await store.write(async (db) => {
      for (const test of copies) await keepTestWords(db, test);
    });
    while ((await store.write((db) => foldChanges(db, { now, limit: changesPerFold }))) > 0);
    if (made % 100_000 === 0) print(`${made.toLocaleString("en")} tests`);
  }
}

type Copy = Pick<TestsTable, "id" | "workspace_id" | "subject" | "header_from">;

/** Copies one of the messages into every table that has rows for it. */
function createCopier(raw: RawDb, dice: Dice): (raw: RawDb, receivedAt: number, workspaceId: string) => Copy {
  const originals = raw.all<Row & CountedTest>("select * from tests");
  const beside = tablesOfTests(raw).map((table) => ({
    insert: inserter(raw, table),
    rows: Map.groupBy(raw.all<Row>(`select * from ${table}`), ({ test_id }) => test_id),
  }));
  const insertTest = inserter(raw, "tests");
  const randomness = () => Uint8Array.from({ length: 16 }, () => dice(256));
  return (raw, received_at, workspace_id) => {
    const original = originals[dice(originals.length)];
    if (!original) throw new Error("There is no message.");
    const id = createId("test", received_at, randomness());
    const from_domain = throwSenderDomain(dice);
    const words = { subject: throwSubject(dice), header_from: `Sender <news@${from_domain}>` };
    const other = { id, workspace_id, received_at, analyzed_at: received_at + 400, from_domain, ...words };
    const test = { ...original, ...other };
    insertTest(raw, test);
    deferToCommit(countReceivedTests, test);
    for (const { insert, rows } of beside)
      for (const row of rows.get(original.id ?? null) ?? []) insert(raw, { ...row, ...besideOf(row, other) });
    return { id, workspace_id, ...words };
  };
}

/**
 * The columns that refer to a test. Words are derived from subject and sender, and none of the messages is a bounce or
 * a report. Examinations are left out, because they may still wait, and a server would do all of the copies first.
 */
function tablesOfTests(raw: RawDb): string[] {
  return raw
    .all<{ name: string }>(
      `select name from sqlite_schema as tables where type = 'table' and name not in ('test_words', 'test_examinations') and exists
        (select 1 from pragma_foreign_key_list(tables.name) where "table" = 'tests' and "from" = 'test_id')`,
    )
    .map(({ name }) => name);
}

function besideOf(row: Row, { id, workspace_id, received_at, analyzed_at }: Row): Row {
  // Some IDs begin with their test's.
  const own = `${id}${String(row.id ?? "").slice(String(row.test_id).length)}`;
  const same = { id: own, test_id: id, workspace_id, received_at, created_at: analyzed_at } as Row;
  return Object.fromEntries(Object.entries(same).filter(([column]) => column in row)) as Row;
}

function inserter(raw: RawDb, table: string): (raw: RawDb, row: Row) => void {
  const columns = raw.all<{ name: string }>(`select name from pragma_table_info('${table}')`).map(({ name }) => name);
  const places = columns.map(() => "?").join(", ");
  const statement = `insert into ${table} (${columns.join(", ")}) values (${places})`;
  return (raw, row) =>
    void raw.run(
      statement,
      columns.map((column) => row[column] ?? null),
    );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      "data-dir": { type: "string" },
      tests: { type: "string", default: "1000000" },
      workspaces: { type: "string", default: "5" },
    },
  });
  if (!values["data-dir"]) throw new Error("--data-dir must be a new folder.");
  const places = await makeManyTests(resolve(values["data-dir"]), Number(values.tests), Number(values.workspaces));
  print(JSON.stringify(places, null, 2));
}
