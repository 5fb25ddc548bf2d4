// npm run release:database [-- --command <dist/main.cjs> --name <version>] writes test/fixtures/releases/<version>: a small
// database as this version's server leaves it, for SQLite and for PostgreSQL, with its secret key and with what a test
// finds in it. Once for each release, before its tag. Later versions must open it (test/e2e/releases.test.ts).

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { version } from "../src/version.ts";
import { findClient, findPrograms, startPostgres } from "../test/postgres.ts";
import { type AssayProcess, builtProgram, startAssay } from "./assay-process.ts";
import { makeToken } from "./first-message.ts";
import { sendMail } from "./smtp-client.ts";

export type ReleaseFacts = {
  readonly version: string;
  /** The last one. */
  readonly migration: string;
  readonly person: { readonly email: string; readonly password: string };
  readonly workspaceId: string;
  readonly token: string;
  readonly seedAddress: string;
  readonly tests: readonly { readonly id: string; readonly subject: string; readonly score: number }[];
};

const secretKey = "the-key-of-the-databases-of-releases-in-tests";
const person = { name: "Ann", email: "ann@sender.example", password: "horse battery staple" };
const patienceMs = 60_000;

const letters: readonly string[] = [
  "From: Ann <ann@sender.example>\nSubject: Plain\nMessage-ID: <1@sender.example>\n\nHello.\n",
  `From: News <news@sender.example>\nSubject: =?utf-8?q?W=C3=B6chentlich?=\nMessage-ID: <2@sender.example>\nMIME-Version: 1.0\nList-Unsubscribe: <https://sender.example/u>\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n<p>Hello <a href="https://sender.example/">there</a></p>\n--b\nContent-Type: text/csv; name=a.csv\nContent-Disposition: attachment; filename=a.csv\n\na,b\n--b--\n`,
  `From: Shop <shop@sender.example>\nSubject: Your order\nMessage-ID: <3@sender.example>\n\n${"A long line of an order that was made. ".repeat(20)}\n`,
];

type Ways = {
  readonly command: readonly string[];
  readonly dataDir: string;
  readonly environment: Record<string, string>;
};

async function fill(ways: Ways): Promise<ReleaseFacts> {
  const server = await startAssay(ways);
  try {
    return await fillServer(server, ways);
  } finally {
    await server.end("SIGTERM");
  }
}

async function fillServer(server: AssayProcess, ways: Ways): Promise<ReleaseFacts> {
  const link = await soon(() =>
    server.log.map((line) => String(line.link ?? "")).find((text) => text.includes("/setup")),
  );
  const token = new URL(link).hash.slice(1);
  await post(server, "/api/auth/setup", { token, ...person });
  const access = makeToken(ways);
  for (const [index, body] of letters.entries()) {
    const to = [server.seedAddress.replace("@", `+release${index}@`)];
    const reply = await sendMail(server.smtp, { from: "ann@sender.example", to, body });
    if (!reply.startsWith("250")) throw new Error(`The message was rejected: ${reply}`);
  }
  const tests = await soon(async () => {
    const headers = { authorization: `Bearer ${access.token}`, "x-workspace-id": access.workspaceId };
    const answer = await fetch(`${server.http}/api/tests`, { headers });
    const { items } = (await answer.json()) as {
      items: { id: string; subject: string; composite: number; status: string }[];
    };
    const isDone = items.length === letters.length && items.every(({ status }) => status === "analyzed");
    return isDone ? items : undefined;
  });
  return {
    ...{ version: values.name, migration: "", workspaceId: access.workspaceId, token: access.token },
    person: { email: person.email, password: person.password },
    seedAddress: server.seedAddress,
    tests: tests.map(({ id, subject, composite }) => ({ id, subject, score: composite })),
  };
}

async function post({ http }: AssayProcess, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json", origin: http };
  const answer = await fetch(http + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

async function soon<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(50)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error("It took too long.");
}

async function writeSqlite(
  folder: string,
  target: string,
  command: readonly string[],
): Promise<ReleaseFacts> {
  const dataDir = join(folder, "sqlite");
  const ways = { command, dataDir, environment: { ASSAY_SECRET_KEY: secretKey } };
  const facts = await fill(ways);
  const { default: Database } = await import("better-sqlite3");
  const small = join(folder, "small.db");
  const database = new Database(join(dataDir, "assay.db"));
  database.prepare("vacuum into ?").run(small);
  const [last] = database.prepare("select name from migrations order by name desc limit 1").all() as {
    name: string;
  }[];
  database.close();
  writeFileSync(join(target, "sqlite.db.gz"), gzipSync(readFileSync(small), { level: 9 }));
  return { ...facts, migration: last?.name ?? "" };
}

async function writePostgres(
  folder: string,
  target: string,
  command: readonly string[],
): Promise<ReleaseFacts> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is missing (Debian: apt install postgresql).");
  const postgres = await startPostgres(programs);
  try {
    const environment = { ASSAY_DATABASE_URL: postgres.url, ASSAY_SECRET_KEY: secretKey };
    const facts = await fill({ command, dataDir: join(folder, "postgres"), environment });
    const args = ["--no-owner", "--no-privileges", "--dbname", postgres.url];
    const { status, stdout, stderr } = spawnSync(findClient("pg_dump"), args, { maxBuffer: 2 ** 28 });
    if (status !== 0) throw new Error(`pg_dump failed: ${stderr}`);
    writeFileSync(join(target, "postgres.sql.gz"), gzipSync(stdout, { level: 9 }));
    return facts;
  } finally {
    await postgres.stop();
  }
}

const { values } = parseArgs({
  options: { command: { type: "string" }, name: { type: "string", default: version } },
});
const target = join(import.meta.dirname, "..", "test", "fixtures", "releases", values.name);
if (existsSync(target)) {
  console.error(`${target} already exists, and what a release left never changes.`);
  process.exit(1);
}
const command = values.command === undefined ? builtProgram : [process.execPath, values.command];
const folder = mkdtempSync(join(tmpdir(), "assay-release-"));
try {
  mkdirSync(join(folder, "made"));
  const sqlite = await writeSqlite(folder, join(folder, "made"), command);
  const postgres = await writePostgres(folder, join(folder, "made"), command);
  mkdirSync(target, { recursive: true });
  for (const name of ["sqlite.db.gz", "postgres.sql.gz"])
    copyFileSync(join(folder, "made", name), join(target, name));
  const facts = { sqlite, postgres: { ...postgres, migration: sqlite.migration } };
  writeFileSync(join(target, "facts.json"), `${JSON.stringify({ secretKey, ...facts }, null, 2)}\n`);
  console.log(`Wrote ${target}, with the schema ${sqlite.migration}. Commit it.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
