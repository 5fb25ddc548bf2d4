// Kill -9 at random moments during writes: after each restart the database is intact and has every acknowledged write
// once.
// Usage: npm run script -- scripts/chaos/writes.ts [--kills 200]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { makeToken } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";

type Acknowledged = { readonly mails: Set<string>; readonly workspaces: Set<string> };

const writersOfEachKind = 4;
const pause = { leastMs: 20, mostMs: 400 };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { kills: { type: "string", default: "200" } } });
  const kills = Number(values.kills);
  const dataDir = mkdtempSync(join(tmpdir(), "assay-kill-"));
  const acknowledged: Acknowledged = { mails: new Set(), workspaces: new Set() };
  const token = await prepare(dataDir);
  const began = Date.now();
  for (let round = 1; round <= kills; round++) {
    const server = await startAssay({ dataDir, environment: { ASSAY_MIN_FREE_BYTES: "0" } });
    await writeUntilKilled(server, token, round, acknowledged);
    check(dataDir, acknowledged, round);
    if (round % 20 === 0)
      console.log(
        `${round} kills: ${acknowledged.mails.size} messages and ${acknowledged.workspaces.size} workspaces, all there.`,
      );
  }
  await checkThroughTheProgram(dataDir, acknowledged);
  rmSync(dataDir, { recursive: true });
  const seconds = Math.round((Date.now() - began) / 1_000);
  console.log(
    `${kills} kills in ${seconds} s: integrity_check ok after each; ${acknowledged.mails.size} acknowledged messages and ${acknowledged.workspaces.size} acknowledged workspaces are there, each once.`,
  );
}

/** A first start, and a token created while the server runs, as an operator does. */
async function prepare(dataDir: string): Promise<string> {
  const server = await startAssay({ dataDir });
  const { token } = makeToken({ command: builtProgram, dataDir, environment: {} });
  await server.end("SIGTERM");
  return token;
}

async function writeUntilKilled(
  server: AssayProcess,
  token: string,
  round: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const writers = Array.from({ length: writersOfEachKind }, (_, writer) => [
    mailWriter(server, `${round}-${writer}`, acknowledged.mails),
    workspaceWriter(server, token, `${round}-${writer}`, acknowledged.workspaces),
  ]);
  // Each writer ends when its connection breaks.
  const ended = Promise.allSettled(writers.flat());
  await sleep(pause.leastMs + Math.random() * (pause.mostMs - pause.leastMs));
  await server.end("SIGKILL");
  await ended;
}

async function mailWriter(server: AssayProcess, name: string, acknowledged: Set<string>): Promise<void> {
  const session = await openSession(server.smtp);
  for (let count = 0; ; count++) {
    const number = `${name}-${count}`;
    const body = `From: a@sender.example\nSubject: durable ${number}\n\n${"x".repeat(count % 5 === 0 ? 60_000 : 2_000)}\n`;
    const reply = await session.send({ from: `${number}@sender.example`, to: [server.seedAddress], body });
    if (!reply.startsWith("250")) throw new Error(reply);
    acknowledged.add(`${number}@sender.example`);
  }
}

async function workspaceWriter(
  server: AssayProcess,
  token: string,
  name: string,
  acknowledged: Set<string>,
): Promise<void> {
  for (let count = 0; ; count++) {
    const answer = await fetch(`${server.http}/api/workspaces`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ name: `${name}-${count}` }),
    });
    if (answer.status !== 201) throw new Error(await answer.text());
    acknowledged.add(`${name}-${count}`);
  }
}

function check(dataDir: string, acknowledged: Acknowledged, round: number): void {
  const database = new Database(join(dataDir, "assay.db"));
  try {
    const integrity = database.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") throw new Error(`integrity_check after kill ${round}: ${String(integrity)}`);
    checkOnce(
      countBy(database, "select sender as name, count(*) as count from tests group by sender"),
      acknowledged.mails,
      round,
    );
    checkOnce(
      countBy(database, "select name, count(*) as count from workspaces group by name"),
      acknowledged.workspaces,
      round,
    );
  } finally {
    database.close();
  }
}

function countBy(database: Database.Database, sql: string): Map<string, number> {
  const rows = database.prepare(sql).all() as { name: string; count: number }[];
  return new Map(rows.map(({ name, count }) => [name, count]));
}

function checkOnce(counts: ReadonlyMap<string, number>, acknowledged: ReadonlySet<string>, round: number): void {
  for (const name of acknowledged) {
    const count = counts.get(name) ?? 0;
    if (count !== 1) throw new Error(`After kill ${round} the acknowledged write ${name} is there ${count} times.`);
  }
}

/** Assay itself opens what is left and finishes every analysis. */
async function checkThroughTheProgram(dataDir: string, acknowledged: Acknowledged): Promise<void> {
  const server = await startAssay({ dataDir });
  const reader = new Database(join(dataDir, "assay.db"), { readonly: true });
  const count = (status: string) =>
    Number(reader.prepare(`select count(*) from tests where status ${status}`).pluck().get());
  const deadline = Date.now() + 120_000;
  while (count("in ('received', 'analyzing')") > 0 && Date.now() < deadline) await sleep(250);
  const left = count("<> 'analyzed'");
  reader.close();
  await server.end("SIGTERM");
  if (left > 0) throw new Error(`${left} messages are not analyzed.`);
  console.log(`All ${acknowledged.mails.size} messages are analyzed after the last start.`);
}

await main();
