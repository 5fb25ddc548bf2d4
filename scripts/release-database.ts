// Writes test/fixtures/releases/<version>: a small database as this version's server leaves it, for SQLite and for
// PostgreSQL, with its secret key and with what a test finds in it. Once for each release, before its tag. Later versions
// must open it (test/e2e/releases.test.ts).
// Usage: npm run script -- scripts/release-database.ts [--command <dist/main.cjs> --name <version>]

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Zone } from "../src/analyzer/dns/zone.ts";
import { version } from "../src/analyzer/version.ts";
import { startDnsServer } from "../test/dns-server.ts";
import { findClient, findPrograms, startPostgres } from "../test/postgres.ts";
import { type AssayProcess, builtProgram, startAssay } from "./assay-process.ts";
import { toBounceMail } from "./bounce-mail.ts";
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
  /** IDs of the rest, by the path that lists them. */
  readonly others: Readonly<Record<string, readonly string[]>>;
};

const secretKey = "the-key-of-the-databases-of-releases-in-tests";
const person = { name: "Ann", email: "ann@sender.example", password: "horse battery staple" };
const patienceMs = 60_000;

const letters: readonly string[] = [
  "From: Ann <ann@sender.example>\nSubject: Plain\nMessage-ID: <1@sender.example>\n\nHello.\n",
  `From: News <news@sender.example>\nSubject: =?utf-8?q?W=C3=B6chentlich?=\nMessage-ID: <2@sender.example>\nMIME-Version: 1.0\nList-Unsubscribe: <https://sender.example/u>\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8\n\n<p>Hello <a href="https://sender.example/">there</a></p>\n--b\nContent-Type: text/csv; name=a.csv\nContent-Disposition: attachment; filename=a.csv\n\na,b\n--b--\n`,
  `From: Shop <shop@sender.example>\nSubject: Your order\nMessage-ID: <3@sender.example>\n\n${"A long line of an order that was made. ".repeat(20)}\n`,
];

/** What people add besides mail: where it is listed, where it is added, and what. */
const additions: readonly (readonly [listed: string, added: string, body: object])[] = [
  ["/api/domains", "/api/domains", { domain: "sender.example" }],
  [
    "/api/alerts",
    "/api/alerts",
    {
      label: "On call",
      url: "https://hooks.sender.example/assay",
      kind: "json",
      events: ["domain.drift", "test.low_score", "email.bounce_complaint"],
      thresholdScore: 70,
    },
  ],
  ["/api/stream-rules", "/api/stream-rules", { name: "Newsletters", sender: "news@*" }],
  ["/api/kind-rules", "/api/kind-rules", { match: "from", value: "shop@sender.example", kind: "transactional" }],
  ["/api/seed-inboxes", "/api/seed-inboxes", { localPart: "welcome-flow", label: "Welcome mail" }],
  [
    "/api/incoming-hooks",
    "/api/incoming-hooks",
    { provider: "postmark", purpose: "feedback", label: "Transactional mail" },
  ],
  [
    "/api/relays",
    "/api/relays",
    { name: "Newsletter", url: "smtp://relay.sender.example:587", mailFrom: "Ann <ann@sender.example>" },
  ],
  [
    "/api/monitors",
    "/api/monitors/expected",
    { name: "Order receipts", schedule: { type: "interval", everyMinutes: 44_640 }, match: { label: "receipts" } },
  ],
];

type Ways = {
  readonly command: readonly string[];
  readonly dataDir: string;
  readonly environment: Record<string, string>;
};

/** Without answers, no test would have a score. */
const zone: Zone = {
  "sender.example": {
    A: ["192.0.2.1"],
    MX: [{ preference: 10, exchange: "sender.example" }],
    TXT: ["v=spf1 ip4:192.0.2.1 -all"],
  },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=none"] },
};

async function fill({ environment, ...more }: Ways): Promise<ReleaseFacts> {
  const dns = await startDnsServer({ zone });
  const ways = { ...more, environment: { ...environment, ASSAY_DNS_SERVERS: `${dns.address}:${dns.port}` } };
  const server = await startAssay(ways);
  try {
    return await fillServer(server, ways);
  } finally {
    await server.end("SIGTERM");
    await dns.close();
  }
}

async function fillServer(server: AssayProcess, ways: Ways): Promise<ReleaseFacts> {
  const link = await soon(() =>
    server.log.map((line) => String(line.link ?? "")).find((text) => text.includes("/setup")),
  );
  const token = new URL(link).hash.slice(1);
  await post(server, "/api/auth/setup", { token, ...person });
  const access = makeToken(ways);
  const headers = { authorization: `Bearer ${access.token}`, "x-workspace-id": access.workspaceId };
  for (const [, path, body] of additions) await post(server, path, body, headers);
  for (const [index, body] of letters.entries()) {
    const to = [server.seedAddress.replace("@", `+release${index}@`)];
    const reply = await sendMail(server.smtp, { from: "ann@sender.example", to, body });
    if (!reply.startsWith("250")) throw new Error(`The message was rejected: ${reply}`);
  }
  const list = async <Item>(path: string) => {
    const answer = await fetch(server.http + path, { headers });
    return ((await answer.json()) as { items: Item[] }).items;
  };
  const tests = await soon(async () => {
    const items = await list<{ id: string; subject: string; composite: number; status: string }>("/api/tests");
    const isDone = items.length === letters.length && items.every(({ status }) => status === "analyzed");
    return isDone ? items : undefined;
  });
  for (const { id } of tests.slice(1)) await post(server, `/api/tests/${id}/reanalyze`, {}, headers);
  await post(server, `/api/tests/${tests[0]?.id}/shares`, {}, headers);
  await sendMail(server.smtp, toBounceMail("1@sender.example", server.seedAddress));
  const bounces = await soon(async () => {
    const items = await list<{ id: string }>("/api/bounces");
    return items.length > 0 ? items : undefined;
  });
  const listed: Record<string, readonly string[]> = { "/api/bounces": bounces.map(({ id }) => id) };
  for (const [path] of additions) listed[path] = (await list<{ id: string }>(path)).map(({ id }) => id);
  return {
    version: values.name,
    migration: "",
    workspaceId: access.workspaceId,
    token: access.token,
    person: { email: person.email, password: person.password },
    seedAddress: server.seedAddress,
    tests: tests.map(({ id, subject, composite }) => ({ id, subject, score: composite })),
    others: listed,
  };
}

async function post(
  { http }: AssayProcess,
  path: string,
  body: object,
  access: Readonly<Record<string, string>> = {},
): Promise<void> {
  const headers = { "content-type": "application/json", origin: http, ...access };
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

async function writeSqlite(folder: string, target: string, command: readonly string[]): Promise<ReleaseFacts> {
  const dataDir = join(folder, "sqlite");
  const ways = { command, dataDir, environment: { ASSAY_SECRET_KEY: secretKey } };
  const facts = await fill(ways);
  const { default: Database } = await import("better-sqlite3");
  const small = join(folder, "small.db");
  const database = new Database(join(dataDir, "assay.db"));
  database.prepare("vacuum into ?").run(small);
  const [last] = database.prepare("select name from migrations order by name desc limit 1").all() as { name: string }[];
  database.close();
  writeFileSync(join(target, "sqlite.db.gz"), gzipSync(readFileSync(small), { level: 9 }));
  return { ...facts, migration: last?.name ?? "" };
}

async function writePostgres(folder: string, target: string, command: readonly string[]): Promise<ReleaseFacts> {
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

const { values } = parseArgs({ options: { command: { type: "string" }, name: { type: "string", default: version } } });
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
  for (const name of ["sqlite.db.gz", "postgres.sql.gz"]) copyFileSync(join(folder, "made", name), join(target, name));
  const facts = { sqlite, postgres: { ...postgres, migration: sqlite.migration } };
  writeFileSync(join(target, "facts.json"), `${JSON.stringify({ secretKey, ...facts }, null, 2)}\n`);
  console.log(`Wrote ${target}, with the schema ${sqlite.migration}. Commit it.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
