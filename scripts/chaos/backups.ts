// Kill -9 while a scheduled backup is made and stored, in a folder or in an S3-compatible store: each backup with a note
// can be restored, and once one succeeds, nothing else of ours is there.

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { type S3Server, s3Bucket, startS3Server, toS3Url } from "../../test/s3-server.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { anyOf, extraNames, placeRelease, readTestIds, receive, runWhole } from "./killed-commands.ts";
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
  const inFolder = { dataDir, environment: { ...common, ASSAY_BACKUP_TO: to } };
  const url = toS3Url(s3.endpoint, "");
  const inStore = {
    dataDir,
    environment: { ...common, ASSAY_BACKUP_TO: `s3://${s3Bucket}/nightly`, ASSAY_S3_URL: url },
  };
  const seen = { killed: 0, open: 0, half: 0, checked: 0 };
  const namesIn = { folder: () => readdirSync(to), store: () => [...s3.objects.keys()] };
  const ids = readTestIds(join(dataDir, "assay.db"));
  for (; seen.killed < kills; seen.killed += 1) {
    const place = seen.killed % 2 === 0 ? inStore : inFolder;
    makeDue(dataDir);
    const requests = s3.asked.length + Math.random() * mostRequests;
    const file = anyOf([/^\.unfinished-.*db$/, /\.json$/, /unfinished.*json$/]);
    const before = new Set(readdirSync(to));
    const isThere = () => readdirSync(to).some((name) => file.test(name) && !before.has(name));
    const server = await startAssay(place);
    const hasBegun = place === inStore ? () => s3.asked.length >= requests : isThere;
    for (const by = Date.now() + patienceMs; Date.now() < by && !hasBegun() && !isStored(server); ) await sleep(2);
    await sleep(Math.random() * mostMs);
    await server.end("SIGKILL");
    if (s3.openUploads() > 0) seen.open += 1;
    if ([...namesIn.folder(), ...namesIn.store()].some((name) => /unfinished/.test(name))) seen.half += 1;
    if (seen.killed % 4 > 1) seen.checked += await checkLatest(place);
    if (seen.killed % 10 === 9) say(`${seen.killed + 1} kills`);
  }
  for (const place of [inStore, inFolder]) {
    makeDue(dataDir);
    await untilStored(place);
    await checkLatest(place);
    const restored = { ...place, dataDir: join(folder, `restored-${readdirSync(folder).length}`) };
    await runWhole(restored, "restore", "latest", "--secret-key", join(dataDir, "secret.key"));
    if (readTestIds(join(restored.dataDir, "assay.db")) !== ids)
      throw new Error("The restored backup has other tests.");
  }
  const left = [...findLeft(namesIn.folder()), ...findLeft(namesIn.store()), ...extraNames(dataDir)];
  if (s3.openUploads() + left.length > 0) throw new Error(`Left: ${s3.openUploads()} uploads, and ${left.join(", ")}.`);
  const note = `${seen.open} kills left an upload open, and ${seen.half} an unfinished file. ${seen.checked + 2} backups were checked, and 2 restored.`;
  return { kills: seen.killed, lost: 0, leftovers: 0, note };
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

type Place = Parameters<typeof startAssay>[0];

const isStored = ({ log }: AssayProcess) => log.some(({ message }) => message === "backup stored and verified");

async function untilStored(place: Place): Promise<void> {
  const server = await startAssay(place);
  for (const deadline = Date.now() + patienceMs; !isStored(server); await sleep(50))
    if (Date.now() > deadline) throw new Error(`No backup was stored. ${JSON.stringify(server.log.slice(-5))}`);
  await server.end("SIGTERM");
}

/** Returns how many there were. */
async function checkLatest(place: Place): Promise<number> {
  const { items } = JSON.parse(await runWhole(place, "backup", "--list", "--json")) as { items: { name: string }[] };
  for (const { name } of items) await runWhole(place, "restore", name, "--check");
  return items.length;
}

/** All but backups with their notes. */
function findLeft(names: readonly string[]): readonly string[] {
  return names.filter((name) => !names.includes(name.endsWith(".json") ? name.slice(0, -5) : `${name}.json`));
}
