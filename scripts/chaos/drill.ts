// The drill: a server with many tests makes its scheduled, encrypted backup while mail arrives. Then its machine is lost,
// and an empty one gets everything back from the backup and the identity file: the same reports, the same tokens, and
// mail flows. Backups that are cut, for another identity, or too large for the disk are refused, and change nothing.
// With --postgres, the backup is restored into PostgreSQL, and that server is backed up, lost, and restored too.
// Usage: npm run script -- scripts/chaos/drill.ts [--tests 100000] [--postgres]

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import Database from "better-sqlite3";
import pg from "pg";
import { createIdentity } from "../../src/platform/system/age.ts";
import { findPrograms, startPostgres } from "../../test/postgres.ts";
import { type AssayProcess, builtProgram, runProgram, startAssay } from "../assay-process.ts";
import { headersOf, makeManyTests, type Place } from "../bench/many-tests.ts";
import { takeFirstMessage } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";

type Environment = Readonly<Record<string, string>>;
type Hashes = ReadonlyMap<string, string>;
type Machine = { readonly dataDir: string; readonly environment: Environment };

/** Between two messages of the load. */
const paceMs = 20;
const calmMessages = 250;
const backupPatienceMs = 1_800_000;
const key = { ASSAY_SECRET_KEY: "the-same-key-for-all-processes-of-the-drill" };

const seconds = (since: number) => `${((Date.now() - since) / 1_000).toFixed(1)} s`;

async function main(tests: number, withPostgres: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-drill-"));
  const keys = await makeKeys(folder);
  const backups = join(folder, "backups");
  mkdirSync(backups);
  const backup = { ASSAY_BACKUP_TO: backups, ASSAY_BACKUP_RECIPIENTS: keys.recipient };
  try {
    const lost = { dataDir: join(folder, "lost"), environment: backup };
    const [place] = await makeManyTests(lost.dataDir, tests, 2);
    if (place === undefined) throw new Error("There is no workspace.");
    const before = hashesOfFile(join(lost.dataDir, "assay.db"));
    console.log(`${before.size} reports are in the database.`);
    await loseDuringLoad(lost, folder);
    const fresh = { dataDir: join(folder, "fresh"), environment: backup };
    await refuseBad(fresh, { backups, folder, otherIdentity: keys.otherFile, identity: keys.file });
    await restore(fresh, keys.file, "a new machine");
    requireSame(before, hashesOfFile(join(fresh.dataDir, "assay.db")));
    await requireAlive(fresh, place, tests);
    if (withPostgres) await drillPostgres({ folder, backups, backup, identity: keys.file, place, tests, before });
    console.log("The drill succeeded.");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeKeys(folder: string) {
  const [own, other] = [await createIdentity(), await createIdentity()];
  const [file, otherFile] = [join(folder, "identity.txt"), join(folder, "other.txt")];
  writeFileSync(file, `${own.identity}\n`, { mode: 0o600 });
  writeFileSync(otherFile, `${other.identity}\n`, { mode: 0o600 });
  return { recipient: own.recipient, file, otherFile };
}

/** The first scheduled backup begins with the server. */
async function loseDuringLoad(machine: Machine, folder: string): Promise<void> {
  const server = await startAssay(machine);
  const began = Date.now();
  const made = () => server.log.find(({ message }) => message === "backup stored and verified");
  const during = await sendWhile(server, () => made() === undefined && Date.now() - began < backupPatienceMs);
  const entry = made();
  if (entry === undefined) throw new Error(`No backup was made: ${JSON.stringify(server.log.slice(-5))}`);
  console.log(`The backup of ${entry.bytes} bytes was stored and verified in ${seconds(began)}.`);
  let left = calmMessages;
  const after = await sendWhile(server, () => left-- > 0);
  console.log(`A reply after DATA took ${toWords(during)} during the backup, and ${toWords(after)} afterward.`);
  await server.end("SIGKILL");
  if (machine.environment.ASSAY_DATABASE_URL === undefined) renameSync(machine.dataDir, join(folder, "what-was-lost"));
}

/** Returns how long each reply took. A message that isn't accepted is an error. */
async function sendWhile(server: AssayProcess, isWanted: () => boolean): Promise<number[]> {
  const session = await openSession(server.smtp);
  const times: number[] = [];
  for (let number = 0; isWanted(); number += 1) {
    const body = `From: a@sender.example\nSubject: load ${number}\n\n${"x".repeat(70).concat("\n").repeat(30)}`;
    const began = performance.now();
    const reply = await session.send({ from: "a@sender.example", to: [server.seedAddress], body });
    times.push(performance.now() - began);
    if (!reply.startsWith("250")) throw new Error(`Mail was refused: ${reply}`);
    await sleep(paceMs);
  }
  session.close();
  return times.sort((one, other) => one - other);
}

function toWords(times: readonly number[]): string {
  const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;
  return `${at(0.5)} (median) and ${at(0.99)} (99 %) of ${times.length}`;
}

type Bad = {
  readonly backups: string;
  readonly folder: string;
  readonly identity: string;
  readonly otherIdentity: string;
};

async function refuseBad(machine: Machine, { backups, folder, identity, otherIdentity }: Bad): Promise<void> {
  const name = readdirSync(backups).find((each) => each.endsWith(".age")) ?? "";
  const cut = join(folder, "cut.db.age");
  await copyFile(join(backups, name), cut);
  truncateSync(cut, Math.floor(statSync(cut).size * 0.9));
  await requireRefusal(machine, [cut, "--identity", identity], "damaged or incomplete");
  await requireRefusal(machine, [join(backups, name), "--identity", otherIdentity], "not for this identity");
  await requireRefusal(machine, [join(backups, name)], "is encrypted");
  rmSync(cut);
  if (process.getuid?.() !== 0) {
    console.warn("SKIPPED: a full disk, because only root can mount a small one.");
    return;
  }
  const small = join(folder, "small");
  mkdirSync(small);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=0700", "assay", small]);
  try {
    const full = { ...machine, dataDir: join(small, "data") };
    await requireRefusal(full, [join(backups, name), "--identity", identity], "free disk space");
  } finally {
    execFileSync("umount", [small]);
  }
}

async function requireRefusal(machine: Machine, args: readonly string[], words: string): Promise<void> {
  const { exitCode, stderr } = await runProgram({ ...machine, command: builtProgram }, ["restore", ...args]);
  const left = readdirSync(machine.dataDir).filter((name) => name !== "serve.lock" && name !== "native");
  if (exitCode === 0 || !stderr.includes(words) || left.length > 0)
    throw new Error(`Expected "${words}": ${exitCode} ${stderr} ${left.join(" ")}`);
  console.log(`Refused, with nothing changed: ${stderr.trim().split("\n")[0]}`);
}

async function restore(machine: Machine, identity: string, where: string): Promise<void> {
  const began = Date.now();
  const args = ["restore", "latest", "--identity", identity];
  const { exitCode, stdout, stderr } = await runProgram({ ...machine, command: builtProgram }, args);
  if (exitCode !== 0) throw new Error(stderr);
  console.log(`${stdout.trim()}\nThe restore on ${where} took ${seconds(began)}.`);
}

async function requireAlive(machine: Machine, place: Place, tests: number): Promise<void> {
  const began = Date.now();
  const server = await startAssay(machine);
  try {
    const answer = await fetch(`${server.http}/api/tests?limit=1`, { headers: headersOf(place) });
    const { total } = (await answer.json()) as { total: number };
    if (answer.status !== 200 || total < tests / 3)
      throw new Error(`With the old token: ${answer.status}, ${total} tests.`);
    await takeFirstMessage(server, { ...machine, command: builtProgram }, 60_000);
    console.log(`The old token works, and a message was received and analyzed ${seconds(began)} after the start.`);
  } finally {
    await server.end("SIGTERM");
  }
}

function hashesOfFile(file: string): Hashes {
  const database = new Database(file, { readonly: true });
  try {
    const rows = database.prepare("select test_id, created_at, report from reports").iterate();
    return hashesOf(rows as IterableIterator<ReportRow>);
  } finally {
    database.close();
  }
}

type ReportRow = { readonly test_id: string; readonly created_at: number | string; readonly report: Uint8Array };

function hashesOf(rows: Iterable<ReportRow>): Hashes {
  const hashes = new Map<string, string>();
  for (const { test_id, created_at, report } of rows)
    hashes.set(`${test_id} ${created_at}`, createHash("sha256").update(report).digest("hex"));
  return hashes;
}

/** Mail that arrived since is in addition. */
function requireSame(before: Hashes, after: Hashes): void {
  for (const [report, hash] of before)
    if (after.get(report) !== hash) throw new Error(`The report ${report} is missing or different.`);
  console.log(`All ${before.size} reports have the same hash.`);
}

type PostgresDrill = {
  readonly folder: string;
  readonly backups: string;
  readonly backup: Environment;
  readonly identity: string;
  readonly place: Place;
  readonly tests: number;
  readonly before: Hashes;
};

async function drillPostgres({
  folder,
  backups,
  backup,
  identity,
  place,
  tests,
  before,
}: PostgresDrill): Promise<void> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is not installed.");
  const postgres = await startPostgres(programs, { fsync: "on", full_page_writes: "on", max_wal_size: "4GB" });
  try {
    // The key was in the backup. PostgreSQL's servers have it as a setting.
    const oldKey = readFileSync(join(folder, "fresh", "secret.key"), "utf8").trim();
    const settings = { ...key, ...backup, ASSAY_SECRET_KEY: oldKey, ASSAY_DATABASE_URL: postgres.url };
    const first = { dataDir: join(folder, "postgres"), environment: settings };
    await restore(first, identity, "PostgreSQL, from SQLite");
    requireSame(before, await hashesOfPostgres(postgres.url));
    for (const name of readdirSync(backups)) rmSync(join(backups, name));
    await loseDuringLoad(first, folder);
    await execute(postgres.url, "create database second");
    const url = new URL(postgres.url);
    url.pathname = "/second";
    const second = { dataDir: join(folder, "second"), environment: { ...settings, ASSAY_DATABASE_URL: url.href } };
    await restore(second, identity, "another PostgreSQL");
    requireSame(before, await hashesOfPostgres(url.href));
    await requireAlive(second, place, tests);
  } finally {
    await postgres.stop();
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function hashesOfPostgres(url: string): Promise<Hashes> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return hashesOf((await client.query<ReportRow>("select test_id, created_at, report from reports")).rows);
  } finally {
    await client.end();
  }
}

const { values } = parseArgs({
  options: { tests: { type: "string", default: "100000" }, postgres: { type: "boolean", default: false } },
});
await main(Number(values.tests), values.postgres);
