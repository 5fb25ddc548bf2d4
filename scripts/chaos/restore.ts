// Kill -9 during `assay restore`: the database and its key are the old ones or the new ones, a repetition succeeds, and
// no copy of a database is left.

import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createIdentity } from "../../src/platform/system/age.ts";
import {
  anyOf,
  extraNames,
  placeRelease,
  readTestIds,
  receive,
  runKilled,
  runWhole,
  startAndStop,
} from "./killed-commands.ts";
import type { Scene } from "./scene.ts";

export const restore: Scene = {
  name: "restore",
  promise: "A restore that is killed leaves the old state or the new one, and can be repeated.",
  play: async (stage) => {
    const set = await prepare(stage.folder);
    const seen = { killed: 0, old: 0, repeated: 0 };
    for (let round = 1; seen.killed < stage.kills; round += 1) {
      const isNew = await playRound(set, { isRepeated: round % 2 === 0, seen });
      if (!isNew) seen.old += 1;
      if (round % 10 === 0) stage.say(`${seen.killed} kills`);
    }
    return {
      kills: seen.killed,
      note: `The old state was there ${seen.old} times. ${seen.repeated} restores were repeated.`,
    };
  },
};

type Set = Awaited<ReturnType<typeof prepare>>;

/** The backup has other tests and another key than the installation that it replaces. */
async function prepare(folder: string) {
  const at = (name: string) => join(folder, name);
  const places = { old: at("old"), work: at("work") };
  placeRelease(places.old);
  await receive({ dataDir: places.old }, 20);
  placeRelease(at("other"));
  await receive({ dataDir: at("other") }, 8, 500_000);
  const { identity, recipient } = await createIdentity();
  writeFileSync(at("identity"), `${identity}\n`, { mode: 0o600 });
  const other = { dataDir: at("other") };
  await runWhole(other, "secret-key", "rotate");
  await runWhole(other, "backup", at("backup.age"), "--recipient", recipient);
  const args = ["restore", at("backup.age"), "--identity", at("identity")];
  const idsOf = (dataDir: string) => readTestIds(join(dataDir, "assay.db"));
  return { ...places, args, idsOf, ids: { old: idsOf(places.old), new: idsOf(at("other")) } };
}

function begin({ old, work }: Set): void {
  rmSync(work, { recursive: true, force: true });
  cpSync(old, work, { recursive: true });
}

/** What a restore writes, in order. */
const moments = ["backup-work-1", "restore.json", "secret.key.next", "assay.db.before-restore-1", "secret.key.old-1"];

type Round = { readonly isRepeated: boolean; readonly seen: { killed: number; repeated: number } };

/** Returns whether the new state is there. */
async function playRound(set: Set, { isRepeated, seen }: Round): Promise<boolean> {
  const place = { dataDir: set.work };
  begin(set);
  const begun = join(set.work, anyOf(moments));
  const isKilled = await runKilled(place, set.args, { begun, withinMs: 60 });
  if (isKilled) seen.killed += 1;
  // The kill may have come after the replacement, and a repetition then replaces the new state.
  const wasNew = set.idsOf(set.work) === set.ids.new;
  if (isKilled && isRepeated) {
    seen.repeated += 1;
    await runWhole(place, ...set.args);
  }
  // A server refuses to start with a key that isn't the database's.
  await startAndStop(place);
  const found = set.idsOf(set.work);
  const isNew = found === set.ids.new;
  if (!isNew && found !== set.ids.old) throw new Error("The tests are neither the old ones nor the new ones.");
  if (!isNew && (isRepeated || !isKilled)) throw new Error("The restore ended well, and the old tests are there.");
  if (seen.killed % 8 === 1) await runWhole(place, "secret-key", "rotate"); // opens each secret
  requireOnlyReplaced(set.work, isKilled && isRepeated && wasNew ? 2 : isNew ? 1 : 0);
  return isNew;
}

/** A restore keeps what it replaced. A key that was prepared is used or replaced by the next change. */
function requireOnlyReplaced(dataDir: string, replaced: number): void {
  const extra = extraNames(dataDir).filter((name) => !/^secret\.key\.(old-\d|next)$/.test(name));
  const expected = Array.from({ length: replaced }, (_, index) => `assay.db.before-restore-${index + 1}`);
  if (extra.join() !== expected.join())
    throw new Error(`After a kill there are: ${extra.join(", ")}. Expected: ${expected.join(", ") || "none"}.`);
}
