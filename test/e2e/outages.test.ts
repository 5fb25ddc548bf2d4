// The built program while PostgreSQL is down, the backlog is full, the disk is full, or the database file is
// damaged: it defers mail, says why in /readyz and the server check, and continues automatically afterwards.

import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import pg from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { untilAnalysed } from "../../scripts/backlog.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import { findPrograms, startPostgres } from "../postgres.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();
const programs = findPrograms();
const isRoot = process.getuid?.() === 0;
const patienceMs = 60_000;
/** Monitoring gives up on an answer that takes longer. */
const answerWithinMs = 10_000;

let dataDir: string;
let environment: Record<string, string>;
let running: AssayProcess[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "assay-outage-"));
  environment = { ASSAY_MIN_FREE_BYTES: "0", ASSAY_SECRET_KEY: "k".repeat(32) };
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.end("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<AssayProcess> {
  const server = await startAssay({ dataDir, command, environment });
  running.push(server);
  return server;
}

function send({ smtp, seedAddress }: AssayProcess, subject: string, text = "Hello."): Promise<string> {
  const body = `From: a@sender.example\nSubject: ${subject}\n\n${text}\n`;
  return sendMail(smtp, { from: "a@sender.example", to: [seedAddress], body });
}

async function ask({ http }: AssayProcess, path: string) {
  const answer = await fetch(http + path, { signal: AbortSignal.timeout(answerWithinMs) });
  return { status: answer.status, text: await answer.text() };
}

/** Null: ready. */
async function whyNotReady(server: AssayProcess): Promise<readonly string[] | null> {
  const { status, text } = await ask(server, "/readyz");
  if (status === 200) return null;
  expect(status).toBe(503);
  return (JSON.parse(text) as { reasons: { code: string }[] }).reasons.map(({ code }) => code);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await holds()); await sleep(100))
    if (Date.now() > deadline) throw new Error(`This never happened: ${holds}`);
}

const untilReady = (server: AssayProcess) => until(async () => (await whyNotReady(server)) === null);

async function examine(id: string): Promise<string> {
  const { stdout } = await runProgram({ dataDir, command, environment }, ["doctor", "--json"]);
  const { items } = JSON.parse(stdout) as { items: { id: string; state: string; says: string; fix: string }[] };
  const row = items.find((one) => one.id === id);
  return `${row?.state}: ${row?.says} → ${row?.fix}`;
}

/** What works whatever is broken. */
async function expectAlive(server: AssayProcess): Promise<string> {
  expect((await ask(server, "/healthz")).status).toBe(200);
  const { status, text } = await ask(server, "/metrics");
  expect(status).toBe(200);
  return text;
}

test.skipIf(programs === undefined)(
  "a PostgreSQL restart during mail makes senders retry, and nothing is lost",
  async () => {
    const postgres = await startPostgres(programs ?? "");
    onTestFinished(postgres.stop);
    environment.ASSAY_DATABASE_URL = postgres.url;
    const server = await start();
    const accepted: string[] = [];
    const replies: string[] = [];
    let isOver = false;
    const sending = (async () => {
      for (let number = 0; !isOver; number++, await sleep(20)) {
        const reply = await send(server, `${number}`);
        replies.push(reply);
        if (reply.startsWith("250")) accepted.push(`${number}`);
      }
    })();
    await until(async () => accepted.length >= 10);
    await postgres.pause();
    await until(async () => replies.at(-1)?.startsWith("4") === true);
    // A message whose write was under way adds "not_stored".
    expect(await whyNotReady(server)).toContain("database_unavailable");
    expect(await expectAlive(server)).toMatch(/^assay_database_up 0$/m);
    expect(await examine("database")).toMatch(/^red: The database cannot be reached: .* → Check that PostgreSQL/);
    expect(await examine("backlog")).toMatch(/^grey: Unknown without the database/);
    const before = accepted.length;
    await postgres.resume();
    await untilReady(server);
    await until(async () => accepted.length >= before + 10);
    isOver = true;
    await sending;
    expect(replies.filter((reply) => !/^(250|4\d\d) /.test(reply))).toEqual([]);
    await untilAnalysed(server.http, patienceMs);
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ subject: string }>("select subject from tests where status = 'analyzed'");
    await client.end();
    const stored = rows.map(({ subject }) => subject);
    // A message whose acknowledgement was lost with the connection is sent again by its sender, so it may be there too.
    expect(accepted.filter((subject) => !stored.includes(subject))).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
    expect(await examine("database")).toMatch(/^green: PostgreSQL/);
  },
  180_000,
);

test("a full backlog defers mail with its reason until messages are analyzed", async () => {
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  environment.ASSAY_DNS_SERVERS = `127.0.0.1:${silent.address().port}`;
  environment.ASSAY_DNS_TIMEOUT_MS = "30000";
  environment.ASSAY_ANALYSIS_BUDGET_MS = "15000";
  environment.ASSAY_MAX_BACKLOG = "3";
  const server = await start();
  let reply = "";
  // The backlog is counted once a second, so a burst may exceed it for a moment.
  await until(async () => {
    reply = await send(server, "one");
    return !reply.startsWith("250");
  });
  expect(reply).toMatch(/^45\d /);
  expect(await whyNotReady(server)).toEqual(["backlog_full"]);
  expect(await expectAlive(server)).toMatch(/^assay_mail_deferred_total\{reason="backlog_full"\} [1-9]/m);
  expect(await examine("backlog")).toMatch(/^red: .* for analysis\. New mail is deferred once 3 wait/);
  await untilReady(server);
  await until(async () => (await send(server, "after")).startsWith("250"));
}, 180_000);

test.skipIf(!isRoot)(
  "a full disk defers mail with its reason until there is space",
  async () => {
    const disk = join(dataDir, "disk");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=96m,mode=0700", "assay", disk]);
    const ballast = join(disk, "ballast");
    const folder = dataDir;
    try {
      dataDir = join(disk, "data");
      const server = await start();
      expect(await send(server, "first")).toMatch(/^250 /);
      await until(async () => (await ask(server, "/readyz")).status === 200);
      const fill = () => {
        try {
          for (;;) appendFileSync(ballast, Buffer.alloc(100_000, 1));
        } catch {
          // It is as large as the disk allows.
        }
      };
      fill();
      const large = "x".repeat(70).concat("\n").repeat(10_000);
      await until(async () => !(await send(server, "large", large)).startsWith("250"));
      expect(await whyNotReady(server)).toEqual(["disk_full"]);
      await expectAlive(server);
      // The database may have given back space since.
      await until(async () => {
        fill();
        return /^red: 0 MB free\. .* → Free up space/.test(await examine("disk"));
      });
      rmSync(ballast);
      await untilReady(server);
      expect(await send(server, "last")).toMatch(/^250 /);
      await untilAnalysed(server.http, patienceMs);
      await server.end("SIGTERM");
    } finally {
      for (const server of running) await server.end("SIGKILL");
      execFileSync("umount", [disk]);
      dataDir = folder;
    }
  },
  180_000,
);

test("a damaged database rejects mail with its reason, and is replaced by a backup", async () => {
  const file = join(dataDir, "assay.db");
  const first = await start();
  expect(await send(first, "first")).toMatch(/^250 /);
  await untilAnalysed(first.http, patienceMs);
  await first.end("SIGTERM");
  copyFileSync(file, `${file}.copy`);
  const database = new Database(file);
  const root = database
    .prepare("select rootpage from sqlite_schema where name = 'raw_messages'")
    .pluck()
    .get() as number;
  const pageSize = Number(database.pragma("page_size", { simple: true }));
  database.close();
  writeSync(openSync(file, "r+"), Buffer.alloc(64, 0xa5), 0, 64, (root - 1) * pageSize);

  const server = await start();
  expect(await send(server, "lost?")).toMatch(/^4/);
  expect(await whyNotReady(server)).toEqual(["database_damaged"]);
  await expectAlive(server);
  expect(await examine("database")).toMatch(/^red: .*assay\.db is damaged: .* → .*assay restore/);
  await server.end("SIGTERM");
  copyFileSync(`${file}.copy`, file);
  const restored = await start();
  await untilReady(restored);
  expect(await send(restored, "last")).toMatch(/^250 /);
}, 180_000);
