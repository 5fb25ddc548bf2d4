// Two running processes on one PostgreSQL: each job is done once, and the jobs of a killed process are done again.

import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { type AssayProcess, startAssay } from "../../scripts/assay-process.ts";
import { openSession } from "../../scripts/smtp-client.ts";
import { createToken, hashSecret } from "../../src/platform/contract/secrets.ts";
import { follow } from "../http/event-client.ts";
import { testProgram } from "../program.ts";

const program = await testProgram();
const serverUrl = inject("postgresUrl");

describe.skipIf(serverUrl === null)("two processes on one PostgreSQL", () => {
  let folder: string;
  let databaseUrl: string;
  let client: pg.Client;
  let running: AssayProcess[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-two-"));
    const name = `two_${process.pid}_${Date.now()}`;
    const url = new URL(serverUrl ?? "");
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    url.pathname = `/${name}`;
    databaseUrl = url.href;
    client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((server) => server.end("SIGKILL")));
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(name: string, more: Record<string, string> = {}) {
    const environment = {
      ASSAY_DATABASE_URL: databaseUrl,
      ASSAY_SECRET_KEY: "k".repeat(32),
      ASSAY_LOG_LEVEL: "debug",
      ...more,
    };
    const server = await startAssay({ dataDir: join(folder, name), command: program, environment });
    running.push(server);
    return server;
  }

  async function sendNumbered(server: AssayProcess, name: string, count: number) {
    const session = await openSession(server.smtp);
    for (let number = 0; number < count; number++) {
      const body = `From: a@sender.example\nSubject: ${name} ${number}\n\nHi.\n`;
      expect(await session.send({ from: "a@sender.example", to: [server.seedAddress], body })).toMatch(/^250/);
    }
    session.close();
  }

  async function count(condition: string): Promise<number> {
    const { rows } = await client.query(`select count(*)::int as count from tests where ${condition}`);
    return rows[0].count;
  }

  async function untilNone(condition: string) {
    for (let tries = 0; tries < 600 && (await count(condition)) > 0; tries++) await sleep(100);
    expect(await count(condition)).toBe(0);
  }

  test("two processes on one PostgreSQL create one workspace at a simultaneous first start, and both receive its mail", async () => {
    const [first, second] = await Promise.all([start("first"), start("second")]);
    expect(first.seedAddress).toBe(second.seedAddress);
    await Promise.all([sendNumbered(first, "first", 20), sendNumbered(second, "second", 20)]);
    await untilNone("status <> 'analyzed'");
    expect(await count("true")).toBe(40);
  });

  test("two processes on one PostgreSQL analyze every message once and run every chore once", async () => {
    const [first, second] = await Promise.all([start("first"), start("second")]);
    await Promise.all([sendNumbered(first, "first", 100), sendNumbered(second, "second", 100)]);
    await untilNone("status <> 'analyzed'");
    // A machine so slow that a lease runs out makes some repetitions right. Without claims, nearly all would be repeated.
    expect(await count("attempts > 1")).toBeLessThan(100);
    const { rows } = await client.query("select test_id from reports group by test_id having count(*) <> 1");
    expect(rows).toEqual([]);
    const lines = [...first.log, ...second.log].filter(({ message }) => message === "chore done");
    const done = lines.map(({ chore }) => chore);
    expect(done).toContain("housekeeping");
    expect(done.sort()).toEqual([...new Set(done)].sort());
  });

  test("two processes on one PostgreSQL send events of one process to listeners of the other", async () => {
    const [first, second] = await Promise.all([start("first"), start("second")]);
    const { rows } = await client.query("select id from workspaces");
    const token = createToken(randomBytes(40));
    await client.query(
      "insert into api_tokens (id, workspace_id, name, hash, created_at) values ('tok_1', $1, '', $2, 0)",
      [rows[0].id, hashSecret(token)],
    );
    const stream = await follow(second.http, { token, workspace: rows[0].id });
    await sendNumbered(first, "first", 20);
    const count = (type: string) => stream.events.filter((event) => event.type === type).length;
    await stream.until(() => count("test.received") === 20 && count("test.analyzed") === 20);
    await first.end("SIGTERM");
    // One that starts may have died with something untold.
    await start("third");
    await stream.until(() => count("reset") > 0);
  });

  test("two processes on one PostgreSQL take over a killed process's messages when its claims expire, with the same IDs", async () => {
    // DNS that never answers keeps the messages in hand for the whole of their time.
    const silence = createSocket("udp4").bind(0, "127.0.0.1");
    onTestFinished(() => void silence.close());
    await once(silence, "listening");
    const environment = { ASSAY_DNS_SERVERS: `127.0.0.1:${silence.address().port}`, ASSAY_ANALYSIS_BUDGET_MS: "1000" };
    const first = await start("first", environment);
    await sendNumbered(first, "first", 30);
    for (let tries = 0; tries < 200 && (await count("status = 'analyzing'")) === 0; tries++) await sleep(20);
    await first.end("SIGKILL");
    const inFlight = await count("status = 'analyzing'");
    expect(inFlight).toBeGreaterThan(0);
    const ids = (await client.query("select id from tests order by id")).rows;
    await start("second", environment);
    await untilNone("status <> 'analyzed'");
    expect((await client.query("select id from tests order by id")).rows).toEqual(ids);
    expect(await count("attempts = 2")).toBe(inFlight);
    expect(await count("attempts > 2")).toBe(0);
  });
});
