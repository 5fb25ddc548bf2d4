// Kill -9 while retention deletes tests with their raw messages, in a directory and in an S3-compatible store, and while
// mail arrives: what is too old goes with all that belongs to it, and nothing else goes.

import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { isObjectKey } from "../../src/platform/system/objects.ts";
import { type S3Server, startS3Server, toS3Url } from "../../test/s3-server.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { openSession } from "../smtp-client.ts";
import { readColumn, runWhole } from "./killed-commands.ts";
import type { Scene, Stage } from "./scene.ts";

export const retention: Scene = {
  name: "retention",
  promise: "Retention that is killed deletes what is too old with its messages, and nothing else.",
  play: async (stage) => {
    const s3 = await startS3Server();
    try {
      return await playWith(stage, s3);
    } finally {
      await s3.close();
    }
  },
};

const laterMs = 10 * 86_400_000;
const counts = { old: 60, fresh: 8 };
const mostMs = 1_200;
const patienceMs = 120_000;

async function playWith({ folder, kills, say }: Stage, s3: S3Server) {
  const dataDir = join(folder, "data");
  const clock = join(folder, "clock.cjs");
  writeFileSync(clock, `const now = Date.now; Date.now = () => now() + ${laterMs};`);
  const environment = { ASSAY_RETENTION_DAYS: "1", ASSAY_MIN_FREE_BYTES: "0", ASSAY_S3_URL: toS3Url(s3.endpoint) };
  const start = (round: number, isLater: boolean) => {
    const place = { ASSAY_MESSAGES: round % 2 === 0 ? "s3" : "directory" };
    const later = isLater && { NODE_OPTIONS: `--require=${clock}` };
    return startAssay({ dataDir, environment: { ...environment, ...place, ...later } });
  };
  const sent = { old: new Set<string>(), fresh: new Set<string>() };
  let inTheMiddle = 0;
  for (let round = 1; round <= kills; round += 1) {
    const old = await start(round, false);
    await send(old, `old-${round}`, counts.old, sent.old);
    await old.end("SIGKILL");
    makeDue(dataDir);
    const server = await start(round, true);
    const sending = send(server, `fresh-${round}`, counts.fresh, sent.fresh).catch(() => {}); // until the kill
    await sleep(Math.random() * mostMs);
    await server.end("SIGKILL");
    await sending;
    if (isInTheMiddle(dataDir)) inTheMiddle += 1;
    if (round % 10 === 0) say(`${round} kills`);
  }
  await finish(dataDir, await start(0, true));
  const left = await findLeft({ dataDir, environment, s3 });
  if (left.length > 0) throw new Error(`Left: ${left.slice(0, 5).join(", ")} and ${left.length - 5} more.`);
  const labels = labelsIn(dataDir);
  const lost = [...sent.fresh].filter((label) => !labels.includes(label));
  if (lost.length > 0) throw new Error(`Acknowledged and young enough, but gone: ${lost.join(", ")}.`);
  const twice = labels.length - new Set(labels).size;
  if (twice > 0) throw new Error(`${twice} messages are there twice.`);
  const note = `${sent.old.size} tests were too old and are gone. ${inTheMiddle} kills came while some of them were deleted.`;
  return { kills, acknowledged: sent.old.size + sent.fresh.size, lost: 0, twice, leftovers: 0, note };
}

async function send(server: AssayProcess, label: string, count: number, acknowledged: Set<string>): Promise<void> {
  const session = await openSession(server.smtp);
  for (let number = 0; number < count; number += 1) {
    const to = [server.seedAddress.replace("@", `+${label}-${number}@`)];
    const body = `From: a@sender.example\nSubject: ${label}\n\n${"Some words of a message.\n".repeat(40)}`;
    const reply = await session.send({ from: "a@sender.example", to, body });
    if (!reply.startsWith("250")) throw new Error(`A message was rejected: ${reply}`);
    acknowledged.add(`${label}-${number}`);
  }
  session.close();
}

/** As if the server had run all the time in between. Otherwise nothing is deleted by age at first. */
function makeDue(dataDir: string): void {
  const database = new Database(join(dataDir, "assay.db"), { timeout: 10_000 });
  const state = JSON.stringify({ at: Date.now() + laterMs, gap: null });
  database.prepare("insert or replace into meta (key, value) values ('clock', ?)").run(state);
  database.exec("update chores set due_at = 0 where id in ('housekeeping', 'object-removals')");
  database.close();
}

const labelsIn = (dataDir: string) =>
  readColumn(join(dataDir, "assay.db"), "select label from tests").map((label) => String(label));

function isInTheMiddle(dataDir: string): boolean {
  const [queued] = readColumn(join(dataDir, "assay.db"), "select count(*) from object_removals");
  const old = labelsIn(dataDir).filter((label) => label.startsWith("old")).length;
  return Number(queued) > 0 || (old > 0 && old % counts.old !== 0);
}

async function finish(dataDir: string, server: AssayProcess): Promise<void> {
  const isDone = () => !labelsIn(dataDir).some((label) => label.startsWith("old")) && !isInTheMiddle(dataDir);
  for (const deadline = Date.now() + patienceMs; !isDone(); await sleep(1_000)) {
    if (Date.now() > deadline) throw new Error("Tests that are too old stay.");
    makeDue(dataDir);
  }
  await server.end("SIGTERM");
}

type Place = {
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly s3: S3Server;
};

/** Rows without what they point to, and objects without a row. */
async function findLeft({ s3, ...place }: Place): Promise<string[]> {
  const folder = join(place.dataDir, "messages");
  const files = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  // What a kill leaves between a message and its row is removed once it is a day old.
  for (const file of files()) utimesSync(file, new Date(0), new Date(0));
  await runWhole(place, "messages", "sweep", "--older-than-minutes", "0");
  await runWhole(place, "messages", "check");
  const database = join(place.dataDir, "assay.db");
  const keys = new Set(readColumn(database, "select object_key from raw_messages"));
  const objects = [...files(), ...s3.objects.keys()].map((path) => basename(path).replace(/\.new$/, ""));
  const rows = readColumn(
    database,
    `select 'test without message ' || id from tests where id not in (select test_id from raw_messages)
      union all select 'message without test ' || test_id from raw_messages where test_id not in (select id from tests)
      union all select 'report without test ' || test_id from reports where test_id not in (select id from tests)`,
  );
  return [...rows.map(String), ...objects.filter((name) => isObjectKey(name) && !keys.has(name))];
}
