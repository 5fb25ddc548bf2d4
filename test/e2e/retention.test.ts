// The built program over real sockets: old tests are deleted while mail arrives.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type AssayProcess, startAssay } from "../../scripts/assay-process.ts";
import { openSession } from "../../scripts/smtp-client.ts";
import { openDatabase } from "../../src/platform/database/engine/sqlite-database.ts";
import { testProgram } from "../program.ts";

const program = await testProgram();
const maxBytes = 6_000_000;

test("a database over ASSAY_RETENTION_MAX_BYTES loses its oldest tests, receives mail meanwhile, and stops on request", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-retention-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const file = join(dataDir, "assay.db");
  const takenBytes = () =>
    [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);

  const before = await start(dataDir);
  for (let number = 0; number < 12; number++) await send(before, `Old ${number}`, 800_000);
  await until(() => readSubjects(file).analyzed.length === 12);
  expect(await before.end("SIGTERM")).toBe(0);
  expect(takenBytes()).toBeGreaterThan(maxBytes);

  const bound = { ASSAY_RETENTION_MAX_BYTES: String(maxBytes) };
  // In the midst of it, most likely.
  const stopped = await start(dataDir, bound);
  expect(await stopped.end("SIGTERM")).toBe(0);
  expect(stopped.log.filter(({ level }) => level === "error")).toEqual([]);

  const after = await start(dataDir, bound);
  await send(after, "New", 1_000);
  const isDone = (line: Record<string, unknown>) => line.message === "chore done" && line.chore === "size";
  await until(() => [...stopped.log, ...after.log].some(isDone));
  await until(() => readSubjects(file).analyzed.includes("New"));

  const oldest = removedBy(stopped) + removedBy(after);
  const left = readSubjects(file).all;
  expect(left).toEqual([...Array.from({ length: 12 - oldest }, (_, index) => `Old ${oldest + index}`), "New"]);
  expect(oldest).toBeGreaterThan(0);
  expect(left.length).toBeGreaterThan(3);
  const figures = await (await fetch(`${after.http}/metrics`)).text();
  expect(Number(/^assay_pruned_tests_total{why="size"} (\d+)$/m.exec(figures)?.[1] ?? 0)).toBe(removedBy(after));
  expect(await after.end("SIGTERM")).toBe(0);
  expect(takenBytes()).toBeLessThanOrEqual(maxBytes);
});

function removedBy({ log }: AssayProcess): number {
  const lines = log.filter(({ message, why }) => message === "old tests removed" && why === "size");
  return lines.reduce((sum, { tests }) => sum + Number(tests), 0);
}

async function start(dataDir: string, environment: Record<string, string> = {}): Promise<AssayProcess> {
  const told = { ASSAY_LOG_LEVEL: "debug", ...environment };
  const server = await startAssay({ dataDir, command: program, environment: told });
  onTestFinished(async () => void (await server.end("SIGKILL")));
  return server;
}

async function send(server: AssayProcess, subject: string, bytes: number): Promise<void> {
  const file = randomBytes(bytes).toString("base64").replace(/.{76}/g, "$&\n");
  const head = `From: a@sender.example\nSubject: ${subject}\nContent-Type: application/octet-stream\n`;
  const session = await openSession(server.smtp);
  const body = `${head}Content-Transfer-Encoding: base64\n\n${file}\n`;
  expect(await session.send({ from: "a@sender.example", to: [server.seedAddress], body })).toMatch(/^250/);
  session.close();
}

/** Oldest first. */
function readSubjects(file: string) {
  const database = openDatabase(file, { readonly: true, lockWaitMs: 5_000, addonFile: undefined });
  const rows = database.all<{ subject: string; status: string }>("select subject, status from tests order by id");
  database.close();
  const subjects = (some: typeof rows) => some.map(({ subject }) => subject);
  return { all: subjects(rows), analyzed: subjects(rows.filter(({ status }) => status === "analyzed")) };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (holds()) return;
    await sleep(100);
  }
  throw new Error("It did not come to pass in time.");
}
