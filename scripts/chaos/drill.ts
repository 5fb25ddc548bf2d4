// A server with many tests makes its scheduled, encrypted backup while mail arrives. Then its machine is lost, and an
// empty one gets everything back from the backup and the identity file: the same reports, the same tokens, and mail
// flows. Backups that are cut, for another identity, or too large for the disk are refused, and change nothing. In the
// second scene the backup is restored into PostgreSQL, and that server is backed up, lost, and restored too.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import pg from "pg";
import { createIdentity } from "../../src/platform/system/age.ts";
import { findPrograms, startPostgres } from "../../test/postgres.ts";
import { type AssayProcess, builtProgram, endAllAssays, runProgram, startAssay } from "../assay-process.ts";
import { headersOf, makeManyTests } from "../bench/many-tests.ts";
import { takeFirstMessage } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";
import type { Scene, Seen, Stage } from "./scene.ts";

type Environment = Readonly<Record<string, string>>;
type Hashes = ReadonlyMap<string, string>;
type Machine = { readonly dataDir: string; readonly environment: Environment };

/** Between two messages of the load. */
const paceMs = 20;
const calmMessages = 250;
const backupPatienceMs = 1_800_000;

const seconds = (since: number) => `${((Date.now() - since) / 1_000).toFixed(1)} s`;

export const drill: Scene = {
  name: "drill",
  promise: "A machine that is lost comes back on an empty one from its backup and the identity file.",
  play: playSqlite,
};

export const drillPostgres: Scene = {
  name: "drill-postgres",
  promise: "A backup of SQLite comes back on PostgreSQL, and one of PostgreSQL on another.",
  lacks: () => (findPrograms() === undefined ? "Debian's postgresql" : undefined),
  play: playPostgres,
};

/** A machine whose backup was made under load, and which is lost. */
async function prepare({ folder, isSmall, say }: Stage) {
  const keys = await makeKeys(folder);
  const backups = join(folder, "backups");
  mkdirSync(backups);
  const environment = { ASSAY_BACKUP_TO: backups, ASSAY_BACKUP_RECIPIENTS: keys.recipient };
  const machine = { dataDir: join(folder, "made"), environment };
  const tests = isSmall ? 2_000 : 100_000;
  const [place] = await makeManyTests(machine.dataDir, tests, 2);
  if (place === undefined) throw new Error("There is no workspace.");
  const before = hashesOfFile(join(machine.dataDir, "assay.db"));
  say(`${tests} tests are in the database.`);
  const note = await loseDuringLoad(machine);
  const secretKey = readFileSync(join(machine.dataDir, "secret.key"), "utf8").trim();
  rmSync(machine.dataDir, { recursive: true });
  return { folder, backups, environment, keys, secretKey, tests, place, before, note };
}

async function playSqlite(stage: Stage): Promise<Seen> {
  const made = await prepare(stage);
  const fresh = { dataDir: join(stage.folder, "fresh"), environment: made.environment };
  const refused = await refuseBad(fresh, made);
  const restored = await restore(fresh, made.keys.file);
  const lost = countLost(made.before, hashesOfFile(join(fresh.dataDir, "assay.db")));
  const alive = await requireAlive(fresh, made);
  return { acknowledged: made.before.size, lost, note: [made.note, refused, `${restored} ${alive}`].join("\n") };
}

async function playPostgres(stage: Stage): Promise<Seen> {
  const { folder } = stage;
  const { backups, keys, secretKey, before, environment, ...made } = await prepare(stage);
  const settings = { fsync: "on", full_page_writes: "on", max_wal_size: "4GB" };
  const postgres = await startPostgres(findPrograms() ?? "", settings);
  try {
    // The key was in the backup. PostgreSQL's servers have it as a setting.
    const toMachine = (name: string, url: string) => ({
      dataDir: join(folder, name),
      environment: { ...environment, ASSAY_SECRET_KEY: secretKey, ASSAY_DATABASE_URL: url },
    });
    const first = toMachine("first", postgres.url);
    const intoFirst = await restore(first, keys.file);
    let lost = countLost(before, await hashesOfPostgres(postgres.url));
    for (const name of readdirSync(backups)) rmSync(join(backups, name));
    const ofFirst = await loseDuringLoad(first);
    await execute(postgres.url, "create database second");
    const url = new URL(postgres.url);
    url.pathname = "/second";
    const second = toMachine("second", url.href);
    const intoSecond = await restore(second, keys.file);
    lost += countLost(before, await hashesOfPostgres(url.href));
    const alive = await requireAlive(second, made);
    const notes = [made.note, `From SQLite: ${intoFirst}`, ofFirst, `From PostgreSQL: ${intoSecond} ${alive}`];
    return { acknowledged: before.size, lost, note: notes.join("\n") };
  } finally {
    await endAllAssays();
    await postgres.stop();
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
async function loseDuringLoad(machine: Machine): Promise<string> {
  const server = await startAssay(machine);
  const began = Date.now();
  const made = () => server.log.find(({ message }) => message === "backup stored and verified");
  const during = await sendWhile(server, () => made() === undefined && Date.now() - began < backupPatienceMs);
  const entry = made();
  if (entry === undefined) throw new Error(`No backup was made: ${JSON.stringify(server.log.slice(-5))}`);
  const tookSeconds = seconds(began);
  let left = calmMessages;
  const after = await sendWhile(server, () => left-- > 0);
  await server.end("SIGKILL");
  return `The backup of ${entry.bytes} bytes took ${tookSeconds}. A reply after DATA took ${toWords(during)} meanwhile, and ${toWords(after)} afterward.`;
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

type Made = Awaited<ReturnType<typeof prepare>>;

async function refuseBad(machine: Machine, { backups, folder, keys }: Made): Promise<string> {
  const backup = join(backups, readdirSync(backups).find((each) => each.endsWith(".age")) ?? "");
  const cut = join(folder, "cut.db.age");
  await copyFile(backup, cut);
  truncateSync(cut, Math.floor(statSync(cut).size * 0.9));
  await requireRefusal(machine, [cut, "--identity", keys.file], "damaged or incomplete");
  await requireRefusal(machine, [backup, "--identity", keys.otherFile], "not for this identity");
  await requireRefusal(machine, [backup], "is encrypted");
  const refused = "Refused: a backup that was cut, one for another identity, and one without identity";
  if (process.getuid?.() !== 0) return `${refused}. NOT TRIED: a full disk, because only root can mount a small one.`;
  const small = join(folder, "small");
  mkdirSync(small);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=0700", "assay", small]);
  try {
    const full = { ...machine, dataDir: join(small, "data") };
    await requireRefusal(full, [backup, "--identity", keys.file], "free disk space");
  } finally {
    execFileSync("umount", [small]);
  }
  return `${refused}, and one that is too large for the disk.`;
}

async function requireRefusal(machine: Machine, args: readonly string[], words: string): Promise<void> {
  const { exitCode, stderr } = await runProgram({ ...machine, command: builtProgram }, ["restore", ...args]);
  const left = readdirSync(machine.dataDir).filter((name) => !name.endsWith(".lock") && name !== "native");
  if (exitCode === 0 || !stderr.includes(words) || left.length > 0)
    throw new Error(`Expected "${words}": ${exitCode} ${stderr} ${left.join(" ")}`);
}

async function restore(machine: Machine, identity: string): Promise<string> {
  const began = Date.now();
  const args = ["restore", "latest", "--identity", identity];
  const { exitCode, stderr } = await runProgram({ ...machine, command: builtProgram }, args);
  if (exitCode !== 0) throw new Error(stderr);
  return `The restore took ${seconds(began)}.`;
}

async function requireAlive(machine: Machine, { place, tests }: Pick<Made, "place" | "tests">): Promise<string> {
  const began = Date.now();
  // Without its backups, because the first one would begin with the start and end in the middle with the stop.
  const server = await startAssay({ ...machine, environment: { ...machine.environment, ASSAY_BACKUP_TO: "" } });
  const answer = await fetch(`${server.http}/api/tests?limit=1`, { headers: headersOf(place) });
  const { total } = (await answer.json()) as { total: number };
  if (answer.status !== 200 || total < tests / 3)
    throw new Error(`With the old token: ${answer.status}, ${total} tests.`);
  await takeFirstMessage(server, { ...machine, command: builtProgram }, 60_000);
  const tookSeconds = seconds(began);
  await server.end("SIGTERM");
  return `The old token works, and a message was analyzed ${tookSeconds} after the start.`;
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

/** Those that are missing or different. Mail that arrived since is in addition. */
function countLost(before: Hashes, after: Hashes): number {
  return [...before].filter(([report, hash]) => after.get(report) !== hash).length;
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
