// Kill -9 while retention deletes tests with their raw messages, in the database and in an S3-compatible store, and while
// mail arrives: what is too old goes with all that belongs to it, and nothing else goes.

import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { isObjectKey } from "../../src/platform/system/objects.ts";
import { type S3Server, startS3Server, toS3Url } from "../../test/s3-server.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { until } from "../until.ts";
import { readColumn, runWhole } from "./killed-commands.ts";
import { kill, killAtRandom, stop } from "./kills.ts";
import { noneSent, sendOn } from "./numbered-mail.ts";
import type { Scene, Seen, Stage } from "./scene.ts";

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
/** Chores run each minute, and a run removes 500 objects of each place. */
const patienceMs = 1_200_000;

async function playWith(stage: Stage, s3: S3Server): Promise<Seen> {
  const dataDir = join(stage.folder, "data");
  const clock = join(stage.folder, "clock.cjs");
  writeFileSync(clock, `const now = Date.now; Date.now = () => now() + ${laterMs};`);
  const environment = { ASSAY_RETENTION_DAYS: "1", ASSAY_MIN_FREE_BYTES: "0", ASSAY_S3_URL: toS3Url(s3.endpoint) };
  const start = (round: number, isLater: boolean) => {
    const place = { ASSAY_MESSAGES: round % 2 === 0 ? "s3" : "database" };
    const later = isLater && { NODE_OPTIONS: `--require=${clock}` };
    return startAssay({ dataDir, environment: { ...environment, ...place, ...later } });
  };
  const sent = { old: noneSent(), fresh: noneSent() };
  const oldKeys = new Set<unknown>();
  let inTheMiddle = 0;
  await killAtRandom(stage, {
    start: async (round) => {
      const old = await start(round, false);
      await sendOn(old, `old-${round}`, sent.old, counts.old);
      await kill(old);
      for (const key of keysIn(dataDir, "where object_key is not null and label like 'old%'")) oldKeys.add(key);
      makeDue(dataDir);
      return await start(round, true);
    },
    work: (server, round) => [sendOn(server, `fresh-${round}`, sent.fresh, counts.fresh)],
    pauseMs: [0, mostMs],
    check: () => {
      if (isInTheMiddle(dataDir)) inTheMiddle += 1;
    },
  });
  await finish(dataDir, await start(0, true));
  const left = await findLeft({ dataDir, environment, s3 }, oldKeys);
  const labels = labelsIn(dataDir);
  const note = `${sent.old.acknowledged.size} tests were too old and are gone. ${inTheMiddle} kills came while some of them were deleted.`;
  return {
    kills: stage.kills,
    acknowledged: sent.old.acknowledged.size + sent.fresh.acknowledged.size,
    lost: sent.fresh.acknowledged.difference(new Set(labels)).size,
    twice: labels.length - new Set(labels).size,
    leftovers: left.length,
    note: [note, ...left.slice(0, 5)].join("\n"),
  };
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
  const isDone = () => {
    makeDue(dataDir);
    return !labelsIn(dataDir).some((label) => label.startsWith("old")) && !isInTheMiddle(dataDir);
  };
  await until("tests that are too old are gone", isDone, patienceMs, 1_000);
  await stop(server);
}

type Place = {
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly s3: S3Server;
};

const keysIn = (dataDir: string, where = "") =>
  readColumn(join(dataDir, "assay.db"), `select object_key from raw_messages join tests on id = test_id ${where}`);

/** Messages of tests that are gone, rows without what they point to, and objects without a row. */
async function findLeft({ s3, ...place }: Place, oldKeys: ReadonlySet<unknown>): Promise<string[]> {
  const objects = () => [...s3.objects.keys()].map((path) => basename(path));
  // Before the sweep, which would remove them as well.
  const old = objects().filter((name) => oldKeys.has(name));
  await runWhole(place, "messages", "sweep", "--older-than-minutes", "0");
  await runWhole(place, "messages", "check");
  const database = join(place.dataDir, "assay.db");
  const keys = new Set(keysIn(place.dataDir));
  const rows = readColumn(
    database,
    `select 'test without message ' || id from tests where id not in (select test_id from raw_messages)
      union all select 'message without test ' || test_id from raw_messages where test_id not in (select id from tests)
      union all select 'report without test ' || test_id from reports where test_id not in (select id from tests)`,
  );
  const unknown = objects().filter((name) => isObjectKey(name) && !keys.has(name) && !oldKeys.has(name));
  return [
    ...old.map((key) => `The test is gone, and its message is left: ${key}`),
    ...rows.map((row) => `Left: ${row}`),
    ...unknown.map((key) => `No row has the message ${key}`),
  ];
}
