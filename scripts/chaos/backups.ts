// Kill -9 while a scheduled backup is made and stored, in a folder or in an S3-compatible store: each backup with a note
// can be restored, and once one succeeds, nothing else of ours is there.

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { type S3Server, s3Bucket, startS3Server, toS3Url } from "../../test/s3-server.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { until } from "../until.ts";
import { anyOf, extraNames, placeRelease, readTestIds, receive, runWhole } from "./killed-commands.ts";
import { kill, stop } from "./kills.ts";
import type { Scene, Stage } from "./scene.ts";

export const backups: Scene = {
  name: "backups",
  promise: "A backup that is killed leaves nothing after the next one, and each one with a note can be restored.",
  play: async (stage) => {
    const s3 = await startS3Server();
    try {
      return await playIn(stage, s3);
    } finally {
      await s3.close();
    }
  },
};

async function playIn({ folder, kills, say }: Stage, s3: S3Server) {
  const dataDir = join(folder, "data");
  const to = join(folder, "to");
  mkdirSync(to);
  placeRelease(dataDir);
  await receive({ dataDir }, 8, 4_000_000);
  const url = toS3Url(s3.endpoint, "");
  const store = { ASSAY_BACKUP_TO: `s3://${s3Bucket}/nightly`, ASSAY_S3_URL: url };
  const targets: readonly Target[] = [
    {
      place: { dataDir, environment: { ...common, ...store } },
      names: () => [...s3.objects.keys()],
      toBegun: () => {
        const requests = s3.asked.length + Math.random() * mostRequests;
        return () => s3.asked.length >= requests;
      },
    },
    {
      place: { dataDir, environment: { ...common, ASSAY_BACKUP_TO: to } },
      names: () => readdirSync(to),
      toBegun: () => {
        const file = anyOf([/^\.unfinished-.*db$/, /\.json$/, /unfinished.*json$/]);
        const before = new Set(readdirSync(to));
        return () => readdirSync(to).some((name) => file.test(name) && !before.has(name));
      },
    },
  ];
  const seen = { open: 0, half: 0, checked: 0 };
  for (let round = 0; round < kills; round += 1) {
    const target = targets[round % 2] as Target;
    await killOne(target);
    if (s3.openUploads() > 0) seen.open += 1;
    const good = await checkAll(target);
    if (target.names().length !== 2 * good) seen.half += 1;
    seen.checked += good;
    if (round % 10 === 9) say(`${round + 1} kills`);
  }
  for (const target of targets) seen.checked += await finish(folder, target);
  if (s3.openUploads() > 0) throw new Error(`${s3.openUploads()} uploads were never ended.`);
  const note = `${seen.open} times an upload was open after a kill, and ${seen.half} times something unfinished was stored. ${seen.checked} backups were checked, and 2 restored.`;
  return { kills, note };
}

type Place = Parameters<typeof startAssay>[0];
type Target = {
  readonly place: Place;
  /** What is stored. */
  readonly names: () => readonly string[];
  /** Chooses a moment of the next backup. */
  readonly toBegun: () => () => boolean;
};

async function killOne({ place, toBegun }: Target): Promise<void> {
  makeDue(place.dataDir);
  const hasBegun = toBegun();
  const server = await startAssay(place);
  await until("a backup has begun", () => hasBegun() || isStored(server), patienceMs, 2);
  await sleep(Math.random() * mostMs);
  await kill(server);
}

async function finish(folder: string, target: Target): Promise<number> {
  const { place, names } = target;
  makeDue(place.dataDir);
  const server = await startAssay(place);
  await until("a backup is stored", () => isStored(server), patienceMs);
  await stop(server);
  const good = await checkAll(target);
  const left = extraNames(place.dataDir);
  if (names().length !== 2 * good || left.length > 0)
    throw new Error(
      `${good} backups are complete, with two files each. There are: ${[...names(), ...left].join(", ")}.`,
    );
  const dataDir = join(folder, `restored-${readdirSync(folder).length}`);
  await runWhole({ ...place, dataDir }, "restore", "latest", "--secret-key", join(place.dataDir, "secret.key"));
  if (readTestIds(join(dataDir, "assay.db")) !== readTestIds(join(place.dataDir, "assay.db")))
    throw new Error("The restored backup has other tests.");
  return good;
}

const common = { ASSAY_RETENTION_DAYS: "0", ASSAY_MIN_FREE_BYTES: "0" };
/** Of a whole backup. */
const mostRequests = 25;
/** After the request or the file that the kill waits for. */
const mostMs = 200;
const patienceMs = 120_000;

/** As if none was made yet. */
function makeDue(dataDir: string): void {
  const database = new Database(join(dataDir, "assay.db"), { timeout: 10_000 });
  database.exec("delete from meta where key = 'backup'; update chores set due_at = 0 where id = 'backup'");
  database.close();
}

const isStored = ({ log }: AssayProcess) => log.some(({ message }) => message === "backup stored and verified");

/** Returns how many there were. */
async function checkAll({ place }: Target): Promise<number> {
  const { items } = JSON.parse(await runWhole(place, "backup", "--list", "--json")) as { items: { name: string }[] };
  for (const { name } of items) await runWhole(place, "restore", name, "--check");
  return items.length;
}
