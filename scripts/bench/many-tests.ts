// A database of many tests, made in minutes: letters that the program itself took and analysed, copied over and over with
// other senders, subjects, times and workspaces. What the database keeps beside a test by itself (counts, search, rollups)
// is kept here as everywhere, because each copy is an ordinary row of each table.
// Usage: node scripts/bench/many-tests.ts --data-dir <a new folder> [--tests 1000000] [--workspaces 5]

import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createId } from "../../src/ids.ts";
import { openDatabase, type SqliteDatabase, type SqlValue } from "../../src/store/sqlite-database.ts";
import { startDnsServer } from "../../test/dns-server.ts";
import { assayEnvironment, builtProgram, startAssay } from "../assay-process.ts";
import { createDice, type Dice } from "../dice.ts";
import { print } from "./bench.ts";
import { letters, letterZone, throwSenderDomain, throwSubject } from "./many-letters.ts";

export type Place = { readonly workspaceId: string; readonly token: string };

type Row = Record<string, SqlValue>;

/** Tests lie over this many days up to now. */
const days = 60;
const perTransaction = 5_000;

/** Answers the workspaces, each with a token that opens it. */
export async function makeManyTests(dataDir: string, tests: number, workspaces: number): Promise<Place[]> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const places = await receiveLetters(dataDir, workspaces);
  const database = openDatabase(join(dataDir, "assay.db"), { lockWaitMs: 0, addonFile: undefined });
  try {
    // Nothing is lost when it is lost: it can be made again.
    database.script("pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -1000000");
    copyTests(database, tests, places);
    database.script("analyze");
  } finally {
    database.close();
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
  const [program = "", ...first] = builtProgram;
  const env = assayEnvironment(dataDir);
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args, "--json"], {
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`assay ${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
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

function copyTests(database: SqliteDatabase, tests: number, places: readonly Place[]): void {
  const dice = createDice(20_261_121);
  const copy = createCopier(database, dice);
  const now = Date.now();
  for (let made = letters.length; made < tests; ) {
    database.script("begin");
    for (const until = Math.min(tests, made + perTransaction); made < until; made++) {
      // Nearly in the order of time, as tests come, so that no tree is filled at random.
      const receivedAt = now - Math.round((1 - made / tests) * days * 86_400_000);
      copy(receivedAt, places[dice(places.length)]?.workspaceId ?? "");
    }
    database.script("commit");
    if (made % 100_000 === 0) print(`${made.toLocaleString("en")} tests`);
  }
}

function createCopier(
  database: SqliteDatabase,
  dice: Dice,
): (receivedAt: number, workspaceId: string) => void {
  const originals = database.all<Row>("select * from tests");
  const beside = tablesOfTests(database).map((table) => ({
    insert: inserter(database, table),
    rows: Map.groupBy(database.all<Row>(`select * from ${table}`), ({ test_id }) => test_id),
  }));
  const insertTest = inserter(database, "tests");
  const randomness = () => Uint8Array.from({ length: 16 }, () => dice(256));
  return (received_at, workspace_id) => {
    const original = originals[dice(originals.length)] ?? {};
    const id = createId("test", received_at, randomness());
    const domain = throwSenderDomain(dice);
    const other: Row = {
      ...{ id, workspace_id, received_at, analyzed_at: received_at + 400 },
      ...{ subject: throwSubject(dice), header_from: `Sender <news@${domain}>`, from_domain: domain },
    };
    insertTest({ ...original, ...other });
    for (const { insert, rows } of beside)
      for (const row of rows.get(original.id ?? "") ?? []) insert({ ...row, ...besideOf(row, other) });
  };
}

/** What names its test, and no bounce or report: letters are none. */
function tablesOfTests(database: SqliteDatabase): string[] {
  return database
    .all<{ name: string }>(
      `select name from sqlite_schema as tables where type = 'table' and exists
        (select 1 from pragma_foreign_key_list(tables.name) where "table" = 'tests' and "from" = 'test_id')`,
    )
    .map(({ name }) => name);
}

function besideOf(row: Row, { id, workspace_id, received_at, analyzed_at }: Row): Row {
  const same = { test_id: id, workspace_id, received_at, created_at: analyzed_at } as Row;
  return Object.fromEntries(Object.entries(same).filter(([column]) => column in row)) as Row;
}

function inserter(database: SqliteDatabase, table: string): (row: Row) => void {
  const columns = database
    .all<{ name: string }>(`select name from pragma_table_info('${table}')`)
    .map(({ name }) => name);
  const places = columns.map(() => "?").join(", ");
  const statement = `insert into ${table} (${columns.join(", ")}) values (${places})`;
  return (row) =>
    void database.run(
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
  if (!values["data-dir"]) throw new Error("--data-dir names a new folder.");
  const places = await makeManyTests(values["data-dir"], Number(values.tests), Number(values.workspaces));
  print(JSON.stringify(places, null, 2));
}
