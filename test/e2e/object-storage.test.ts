// The built program with its messages in an S3-compatible store that fails, and killed between an object and its
// row.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AssayProcess, assayEnvironment, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { untilAnalysed } from "../../scripts/backlog.ts";
import { makeToken } from "../../scripts/first-message.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import { testProgram } from "../program.ts";
import { type S3Server, s3Bucket, startS3Server, toS3Url } from "../s3-server.ts";

const command = await testProgram();
const patienceMs = 60_000;
/** Without the token that says which database may delete. */
const messages = () => [...s3.objects.keys()].filter((key) => !key.endsWith("sweep-token"));

let s3: S3Server;
let dataDir: string;
let environment: Record<string, string>;
let running: AssayProcess[];

beforeEach(async () => {
  s3 = await startS3Server();
  dataDir = mkdtempSync(join(tmpdir(), "assay-s3-"));
  running = [];
  environment = {
    ASSAY_MESSAGES: "s3",
    ASSAY_S3_URL: toS3Url(s3.endpoint),
    ASSAY_MIN_FREE_BYTES: "0",
    ASSAY_HTTP_PORT: "0",
  };
});
afterEach(async () => {
  for (const server of running) await server.end("SIGKILL");
  await s3.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<AssayProcess> {
  const server = await startAssay({ dataDir, command, environment });
  running.push(server);
  return server;
}

function send({ smtp, seedAddress }: AssayProcess, subject: string): Promise<string> {
  const body = `From: a@sender.example\nSubject: ${subject}\n\nHello.\n`;
  return sendMail(smtp, { from: "a@sender.example", to: [seedAddress], body });
}

async function openApi(server: AssayProcess) {
  const { token, workspaceId } = makeToken({ command, dataDir, environment });
  const ask = async (path: string, method = "GET") => {
    const answer = await fetch(server.http + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "x-workspace-id": workspaceId,
        ...(method === "POST" && { "content-type": "application/json" }),
      },
      ...(method === "POST" && { body: "{}" }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const list = async () =>
    (JSON.parse((await ask("/api/tests")).text) as { items: { id: string; status: string; subject: string }[] }).items;
  return { ask, list };
}

async function run(...args: string[]) {
  return await runProgram({ dataDir, command, environment }, args);
}

test("while the store is down, mail is deferred and /readyz says why, and a lost message is named", async () => {
  const server = await start();
  expect(await send(server, "first")).toMatch(/^250/);
  await untilAnalysed(server.http, patienceMs);
  const { ask, list } = await openApi(server);
  const [first] = await list();
  const path = `/api/tests/${first?.id}`;
  expect((await ask(`${path}/raw`)).text).toContain("Subject: first\r\n");
  expect((await ask(`${path}/eml`)).status).toBe(200);
  expect(s3.asked).toContain(`PUT ${[...s3.objects.keys()][0]}`);

  s3.misbehave("refuse");
  expect(await send(server, "deferred")).toMatch(/^451 /);
  const ready = await fetch(`${server.http}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("403 AccessDenied")]);
  for (const view of ["raw", "eml"])
    expect(await ask(`${path}/${view}`)).toMatchObject({
      status: 503,
      text: expect.stringContaining("temporarily unavailable"),
    });
  s3.misbehave(null);
  expect(await send(server, "second")).toMatch(/^250/);
  await untilAnalysed(server.http, patienceMs);

  for (const key of [...s3.objects.keys()].filter((key) => key.includes(first?.id ?? "?"))) s3.objects.delete(key);
  const missing = { status: 404, text: expect.stringContaining("The raw message is missing from the S3 store.") };
  expect(await ask(`${path}/raw`)).toMatchObject(missing);
  expect(await ask(`${path}/reanalyze`, "POST")).toMatchObject(missing);
  expect((await list()).map(({ subject, status }) => [subject, status])).toEqual([
    ["second", "analyzed"],
    ["first", "analyzed"],
  ]);
  const checked = await run("messages", "check");
  expect([checked.exitCode, checked.stdout]).toEqual([1, expect.stringContaining(first?.id ?? "?")]);
});

test("messages are moved between all stores, a backup says what it lacks, and the server check tests the store", async () => {
  const server = await start();
  expect(await send(server, "first")).toMatch(/^250/);
  await untilAnalysed(server.http, patienceMs);
  await server.end("SIGTERM");

  const [one] = s3.objects.keys();
  const { stdout } = await run("messages", "move", "--to", "database");
  expect(stdout).toBe("Moved 1 messages to the database.\n");
  const back = await run("messages", "move", "--to", "s3", "--json");
  expect(JSON.parse(back.stdout)).toEqual({ to: "s3", moved: 1, lost: 0 });
  expect([...s3.objects.keys()]).not.toEqual([one]);
  const whole = await run("backup", join(dataDir, "whole.db"));
  expect(whole.stdout).toMatch(/verified: 1 test\.\n$/);
  const backup = await run("backup", join(dataDir, "copy.db"), "--without-messages");
  expect(backup.stdout).toContain("Raw messages stored outside the database are not in it: 1.");
  const doctor = await run("doctor");
  expect(doctor.stdout).toContain(`Stored in the S3 bucket ${s3Bucket}, which can be written, read, and deleted.`);
});

test("a move that is killed between an object and its row continues without loss", async () => {
  environment.ASSAY_MESSAGES = "database";
  const server = await start();
  for (let number = 0; number < 6; number++) expect(await send(server, `mail ${number}`)).toMatch(/^250/);
  await untilAnalysed(server.http, patienceMs);
  const [program = "", ...first] = command;
  // While the server runs, as the handbook says.
  for (let kill = 0; kill < 3; kill++) {
    const before = messages().length;
    s3.misbehave("hold", 1);
    const move = spawn(program, [...first, "messages", "move", "--to", "s3"], {
      env: assayEnvironment(dataDir, environment),
      stdio: "ignore",
    });
    const ended = once(move, "exit");
    for (let tries = 0; tries < 1_000 && messages().length === before; tries++) await sleep(10);
    move.kill("SIGKILL");
    await ended;
    s3.misbehave(null);
    expect(messages().length).toBeGreaterThan(before);
  }
  const moved = JSON.parse((await run("messages", "move", "--to", "s3", "--json")).stdout);
  expect(moved).toMatchObject({ to: "s3", lost: 0 });
  expect((await run("messages", "check")).stdout).toContain("All 6 messages outside the database");
  const swept = JSON.parse((await run("messages", "sweep", "--older-than-minutes", "0", "--json")).stdout);
  expect(swept.objects - swept.removed).toBe(6);
  expect(swept.removed).toBeGreaterThan(0);
  const { ask, list } = await openApi(server);
  for (const { id, subject } of await list())
    expect((await ask(`/api/tests/${id}/raw`)).text).toContain(`Subject: ${subject}\r\n`);
});

test("a kill between an object and its row loses nothing, and the cleanup leaves no unused object", async () => {
  for (let kill = 0; kill < 3; kill++) {
    const server = await start();
    expect(await send(server, `kept ${kill}`)).toMatch(/^250/);
    const before = messages().length;
    s3.misbehave("hold");
    const reply = send(server, "in doubt").catch(() => "broken");
    for (let tries = 0; tries < 500 && messages().length === before; tries++) await sleep(20);
    await server.end("SIGKILL");
    s3.misbehave(null);
    expect(await reply).toBe("broken");
    expect(messages().length).toBe(before + 1);
  }
  const server = await start();
  await untilAnalysed(server.http, patienceMs);
  const { list } = await openApi(server);
  expect((await list()).map(({ subject }) => subject)).toEqual(["kept 2", "kept 1", "kept 0"]);
  expect((await run("messages", "sweep")).stdout).toBe("Deleted 0 of 6 objects.\n");
  expect((await run("messages", "sweep", "--older-than-minutes", "0")).stdout).toBe("Deleted 3 of 6 objects.\n");
  const checked = await run("messages", "check");
  expect(checked.stdout).toBe("All 3 messages outside the database are there and unchanged.\n");
});
