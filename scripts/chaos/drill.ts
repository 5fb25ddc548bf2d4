// A server with many tests makes its scheduled, encrypted backup while mail arrives. Then its machine is lost, and an
// empty one gets everything back from the backup and the identity file: the same reports, the same tokens, and mail
// flows. In the second scene the backup is restored into PostgreSQL, and that server is backed up, lost, and restored too.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createIdentity } from "../../src/platform/system/age.ts";
import { findPrograms, startPostgres } from "../../test/postgres.ts";
import { builtProgram, endAllAssays, runProgram, startAssay } from "../assay-process.ts";
import { headersOf, makeManyTests } from "../bench/many-tests.ts";
import { takeFirstMessage } from "../first-message.ts";
import { until } from "../until.ts";
import { readDatabase, stop } from "./kills.ts";
import { noneSent, sendThrough } from "./numbered-mail.ts";
import type { Scene, Seen, Stage } from "./scene.ts";

type Machine = { readonly dataDir: string; readonly environment: Readonly<Record<string, string>> };
type Hashes = ReadonlyMap<string, string>;
type ReportRow = { readonly test_id: string; readonly created_at: number | string; readonly report: Uint8Array };

/** Between two messages of the load. */
const paceMs = 20;
const backupPatienceMs = 1_800_000;

export const drill: Scene = {
  name: "drill",
  promise: "A machine that is lost comes back on an empty one from its backup and the identity file.",
  play: async (stage) => {
    const made = await prepare(stage);
    const fresh = { dataDir: join(stage.folder, "fresh"), environment: made.environment };
    return await restoreAll([fresh], made);
  },
};

export const drillPostgres: Scene = {
  name: "drill-postgres",
  promise: "A backup of SQLite comes back on PostgreSQL, and one of PostgreSQL on another.",
  lacks: () => (findPrograms() === undefined ? "Debian's postgresql" : undefined),
  play: async (stage) => {
    const made = await prepare(stage);
    const settings = { fsync: "on", full_page_writes: "on", max_wal_size: "4GB" };
    const postgres = await startPostgres(findPrograms() ?? "", settings);
    try {
      const urls = await Promise.all(["first", "second"].map((name) => createDatabase(postgres.url, name)));
      const machines = urls.map((url, number) => ({
        dataDir: join(stage.folder, `machine-${number}`),
        // The key was in the backup. PostgreSQL's servers have it as a setting.
        environment: { ...made.environment, ASSAY_SECRET_KEY: made.secretKey, ASSAY_DATABASE_URL: url },
      }));
      return await restoreAll(machines, made);
    } finally {
      await endAllAssays();
      await postgres.stop();
    }
  },
};

/** A machine whose backup was made under load, and which is lost. */
async function prepare({ folder, isSmall, say }: Stage) {
  const [backups, identityFile] = [join(folder, "backups"), join(folder, "identity.txt")];
  const { identity, recipient } = await createIdentity();
  writeFileSync(identityFile, `${identity}\n`, { mode: 0o600 });
  mkdirSync(backups);
  const environment = { ASSAY_BACKUP_TO: backups, ASSAY_BACKUP_RECIPIENTS: recipient };
  const machine = { dataDir: join(folder, "made"), environment };
  const tests = isSmall ? 2_000 : 100_000;
  const [place] = await makeManyTests(machine.dataDir, tests, 2);
  if (place === undefined) throw new Error("There is no workspace.");
  const before = await hashesOf(machine);
  say(`${tests} tests are in the database.`);
  const note = await loseDuringLoad(machine);
  const secretKey = readFileSync(join(machine.dataDir, "secret.key"), "utf8").trim();
  rmSync(machine.dataDir, { recursive: true });
  return { backups, environment, identityFile, secretKey, tests, place, before, note };
}

/** Each machine is restored from the backup of the one before, and lost like it. The last one is used. */
async function restoreAll(machines: readonly Machine[], made: Awaited<ReturnType<typeof prepare>>): Promise<Seen> {
  const notes = [made.note];
  let lost = 0;
  for (const machine of machines) {
    const began = Date.now();
    const { exitCode, stderr } = await runProgram(machine, ["restore", "latest", "--identity", made.identityFile]);
    if (exitCode !== 0) throw new Error(stderr);
    notes.push(`The restore took ${secondsSince(began)}.`);
    const after = await hashesOf(machine);
    lost += [...made.before].filter(([report, hash]) => after.get(report) !== hash).length;
    if (machine === machines.at(-1)) break;
    for (const name of readdirSync(made.backups)) rmSync(join(made.backups, name));
    notes.push(await loseDuringLoad(machine));
  }
  const [last = { dataDir: "", environment: {} }] = machines.slice(-1);
  // Without its backups, because the first one would begin with the start and end in the middle with the stop.
  const server = await startAssay({ ...last, environment: { ...last.environment, ASSAY_BACKUP_TO: "" } });
  const answer = await fetch(`${server.http}/api/tests?limit=1`, { headers: headersOf(made.place) });
  const { total } = (await answer.json()) as { total: number };
  if (answer.status !== 200 || total < made.tests / 3)
    throw new Error(`With the old token: ${answer.status}, ${total} tests.`);
  await takeFirstMessage(server, { ...last, command: builtProgram }, 60_000);
  await stop(server);
  notes.push("The old token works, and a message was analyzed.");
  return { acknowledged: made.before.size, lost, note: notes.join(" ") };
}

/** The first scheduled backup begins with the server. */
async function loseDuringLoad(machine: Machine): Promise<string> {
  const server = await startAssay(machine);
  const began = Date.now();
  const stopping = new AbortController();
  const sent = noneSent();
  const sending = sendThrough(server, "load", sent, { stopping: stopping.signal, paceMs });
  const made = () => server.log.find(({ message }) => message === "backup stored and verified");
  await until("the backup is made", made, backupPatienceMs);
  stopping.abort();
  const { deferred, broken } = await sending;
  await server.end("SIGKILL");
  if (deferred + broken > 0) throw new Error(`During the backup, ${deferred + broken} messages were not accepted.`);
  return `The backup of ${made()?.bytes} bytes took ${secondsSince(began)}, while ${sent.acknowledged.size} messages arrived.`;
}

/** Of all reports. Those of mail that arrived since the last look are in addition. */
async function hashesOf({ dataDir, environment }: Machine): Promise<Hashes> {
  const select = "select test_id, created_at, report from reports";
  const url = environment.ASSAY_DATABASE_URL;
  const rows =
    url === undefined ? readDatabase(dataDir, (file) => file.prepare(select).all()) : await query(url, select);
  const toHash = (report: Uint8Array) => createHash("sha256").update(report).digest("hex");
  return new Map((rows as ReportRow[]).map((row) => [`${row.test_id} ${row.created_at}`, toHash(row.report)]));
}

async function createDatabase(server: string, name: string): Promise<string> {
  await query(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}

function secondsSince(began: number): string {
  return `${((Date.now() - began) / 1_000).toFixed(1)} s`;
}
