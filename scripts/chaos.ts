// Breaks what an operator relies on, one scene after the other, in a scratch folder: kills, full disks, locked databases,
// slow senders. Prints the table of promises with what was seen, and exits with 1 if one is broken. In CI, a scene that
// this machine can't play counts as broken.
// Usage: npm run chaos -- [--small] [--kills 200] [--only writes,sweep] [--except memory] [--folder <scratch>] [--list]

import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { endAllAssays } from "./assay-process.ts";
import { backups } from "./chaos/backups.ts";
import { deliveries } from "./chaos/deliveries.ts";
import { drill, drillPostgres } from "./chaos/drill.ts";
import { flush } from "./chaos/flush.ts";
import { fullDisk } from "./chaos/full-disk.ts";
import { keyRotation } from "./chaos/key-rotation.ts";
import { findLeftovers } from "./chaos/leftovers.ts";
import { locked } from "./chaos/locked.ts";
import { memory } from "./chaos/memory.ts";
import { migration } from "./chaos/migration.ts";
import { poison } from "./chaos/poison.ts";
import { restore } from "./chaos/restore.ts";
import { retention } from "./chaos/retention.ts";
import { scale } from "./chaos/scale.ts";
import type { Scene, Seen } from "./chaos/scene.ts";
import { slowSenders } from "./chaos/slow-senders.ts";
import { sweep } from "./chaos/sweep.ts";
import { threeProcesses } from "./chaos/three-processes.ts";
import { upgrade, upgradeScale } from "./chaos/upgrade.ts";
import { writes } from "./chaos/writes.ts";

/** They share the kills. */
const ofKills: readonly Scene[] = [
  writes,
  deliveries,
  sweep,
  backups,
  restore,
  retention,
  keyRotation,
  migration,
  threeProcesses,
];
const others: readonly Scene[] = [
  flush,
  locked,
  poison,
  fullDisk,
  slowSenders,
  memory,
  drill,
  drillPostgres,
  scale,
  upgrade,
  upgradeScale,
];

type Row = { readonly scene: Scene; readonly verdict: "kept" | "BROKEN" | "not played"; readonly seen: Seen };

const { values } = parseArgs({
  options: {
    small: { type: "boolean", default: false },
    kills: { type: "string" },
    only: { type: "string" },
    except: { type: "string", default: "" },
    folder: { type: "string", default: tmpdir() },
    list: { type: "boolean", default: false },
  },
});
const isSmall = values.small;
const began = Date.now();
let scratch: string | undefined;
// So that the handlers of the exit run, which end the servers.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => exitWith(`Stopped. ${scratch ? `The files of the scene are in ${scratch}.` : ""}`));

// A part of a scene that broke while others go on. What awaits it later rejects as well.
process.on("unhandledRejection", (error) => console.log(String(error)));

const scenes = chooseScenes([...ofKills, ...others]);
if (values.list) for (const { name, promise } of scenes) console.log(`${name.padEnd(15)} ${promise}`);
else process.exit(await playAll());

function exitWith(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function chooseScenes(all: readonly Scene[]): Scene[] {
  const [only, except] = [values.only, values.except].map((names) => names?.split(",").filter((name) => name !== ""));
  const unknown = [only, except]
    .flatMap((names) => names ?? [])
    .filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) exitWith(`There is no scene ${unknown.join(", ")}. --list names them.`);
  const chosen = all.filter(({ name }) => (only?.includes(name) ?? true) && !except?.includes(name));
  return chosen.length > 0 ? chosen : exitWith("--only and --except leave no scene. --list names them.");
}

async function playAll(): Promise<number> {
  const sharing = scenes.filter((scene) => ofKills.includes(scene));
  const kills = Number(values.kills ?? (isSmall ? 4 * sharing.length : 200));
  if (!(kills >= sharing.length)) exitWith(`--kills must be at least ${sharing.length}, one for each scene of kills.`);
  scratch = makeScratch(resolve(values.folder));
  const rows: Row[] = [];
  for (const scene of scenes) {
    const share = sharing.indexOf(scene);
    // The first ones get what can't be shared evenly.
    const own = share < 0 ? kills : Math.floor((kills + sharing.length - 1 - share) / sharing.length);
    rows.push(await play(scene, join(scratch, scene.name), own));
  }
  const count = (wanted: Row["verdict"]) => rows.filter(({ verdict }) => verdict === wanted).length;
  console.log(`\n${rows.map(toText).join("\n")}\n`);
  console.log(
    `${count("kept")} kept, ${count("BROKEN")} broken, ${count("not played")} not played, in ${seconds()} s.`,
  );
  if (count("BROKEN") === 0) rmdirSync(scratch);
  return count("BROKEN") > 0 || (process.env.CI === "true" && count("not played") > 0) ? 1 : 0;
}

function makeScratch(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true });
    return mkdtempSync(join(folder, "assay-chaos-"));
  } catch (error) {
    return exitWith(`${folder} can't be used as the scratch folder. ${String(error)}`);
  }
}

async function play(scene: Scene, folder: string, kills: number): Promise<Row> {
  const say = (line: string) => console.log(`${seconds().padStart(6)} s  ${scene.name}: ${line}`);
  const missing = scene.lacks?.();
  if (missing !== undefined) {
    say(`NOT PLAYED, because this machine lacks ${missing}.`);
    return { scene, verdict: "not played", seen: { note: `This machine lacks ${missing}.` } };
  }
  const toBroken = (seen: Seen): Row => {
    const note = `${seen.note}\nIts files are in ${folder}.`;
    say(`BROKEN. ${note}`);
    return { scene, verdict: "BROKEN", seen: { ...seen, note } };
  };
  say(scene.promise);
  mkdirSync(folder);
  try {
    const seen = await scene.play({ folder, kills, isSmall, say });
    const left = seen.leftovers === undefined ? await findLeftovers(folder) : [];
    const counted = { ...seen, leftovers: seen.leftovers ?? left.length, note: [seen.note, ...left].join("\n") };
    if (counted.acknowledged === 0) throw new Error("No message was acknowledged, so there was nothing to keep.");
    if (counted.lost || counted.twice || counted.leftovers) return toBroken(counted);
    rmSync(folder, { recursive: true });
    say(`kept: ${toFigures(counted)}`);
    return { scene, verdict: "kept", seen: counted };
  } catch (error) {
    return toBroken({ note: error instanceof Error ? error.message : String(error) });
  } finally {
    await endAllAssays();
  }
}

function toText({ scene, verdict, seen }: Row): string {
  const lines = [scene.promise, ...seen.note.split("\n"), toFigures(seen)].flatMap(wrap);
  const head = `${verdict.padEnd(10)} ${scene.name}`.padEnd(27);
  return lines.map((line, index) => (index === 0 ? head : " ".repeat(27)) + line).join("\n");
}

function toFigures({ note: _, ...figures }: Seen): string {
  return Object.entries(figures)
    .map(([name, count]) => `${name} ${count.toLocaleString("en")}`)
    .join(" · ");
}

function wrap(text: string): string[] {
  return text.match(/\S.{0,90}(?=\s|$)|\S+/g) ?? [];
}

function seconds(): string {
  return ((Date.now() - began) / 1_000).toFixed(0);
}
