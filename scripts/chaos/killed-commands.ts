// What the scenes share that kill a command or a server at a random moment, and then look at what it left.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { assayEnvironment, builtProgram, endWithUs, runProgram, startAssay } from "../assay-process.ts";
import { openSession } from "../smtp-client.ts";
import { until } from "../until.ts";
import { readIntact, stop } from "./kills.ts";

const patienceMs = 300_000;

type Place = { readonly dataDir: string; readonly environment?: Readonly<Record<string, string>> };

const release = new URL("../../test/fixtures/releases/unreleased-b0d76f11/", import.meta.url);

/** The database that an older version left, with its key in a file: tests, an alert, a relay, and a hook. */
export function placeRelease(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { secretKey } = JSON.parse(readFileSync(new URL("facts.json", release), "utf8")) as { secretKey: string };
  writeFileSync(join(dataDir, "secret.key"), `${secretKey}\n`, { mode: 0o600 });
  const bytes = gunzipSync(readFileSync(new URL("sqlite.db.gz", release)));
  writeFileSync(join(dataDir, "assay.db"), bytes, { mode: 0o600 });
}

/** Random characters, which don't compress. */
export async function receive(place: Place, count: number, bytes = 2_000): Promise<void> {
  const server = await startAssay({ ...place, environment: { ASSAY_RETENTION_DAYS: "0", ...place.environment } });
  const session = await openSession(server.smtp);
  for (let number = 0; number < count; number += 1) {
    const letters = Buffer.from(crypto.getRandomValues(new Uint8Array(65_536))).toString("base64");
    const text = letters
      .repeat(Math.ceil(bytes / letters.length))
      .slice(0, bytes)
      .replace(/.{76}/g, "$&\n");
    const body = `From: a@sender.example\nSubject: ${number}\n\n${text}\n`;
    const reply = await session.send({ from: "a@sender.example", to: [server.seedAddress], body });
    if (!reply.startsWith("250")) throw new Error(`A message was rejected: ${reply}`);
  }
  session.close();
  await stop(server);
}

export type Moment = {
  /** A file that is written once the work that matters has begun. Without it, the moments count from the start. */
  readonly begun?: string;
  readonly withinMs: number;
};

/** Kills at a random moment. Returns whether that was before the end. Without a kill, it must end well. */
export async function runKilled(place: Place, args: readonly string[], moment: Moment): Promise<boolean> {
  const env = assayEnvironment(place.dataDir, place.environment);
  return await killProgram([...builtProgram, ...args], env, moment);
}

export async function killProgram(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  { begun, withinMs }: Moment,
): Promise<boolean> {
  const writtenAt = () => (begun === undefined ? 1 : statSync(begun, { throwIfNoEntry: false })?.mtimeMs);
  const before = begun === undefined ? undefined : writtenAt();
  const hasBegun = () => writtenAt() !== undefined && writtenAt() !== before;
  const child = endWithUs(spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] }));
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk;
  });
  const ended = once(child, "close") as Promise<[number | null, string | null]>;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  await until("the work that is killed has begun", () => !isRunning() || hasBegun(), patienceMs, 1);
  for (const at = performance.now() + Math.random() * withinMs; isRunning() && performance.now() < at; ) await sleep(1);
  child.kill("SIGKILL");
  const [code, signal] = await ended;
  if (signal === null && code !== 0) {
    // A program that isn't ours has its source among the arguments, and complains with a trace.
    const [sentence = complaint] = /^\w+: .*$/m.exec(complaint) ?? [];
    throw new Error(`What was to be killed ended with ${code}. ${sentence}`);
  }
  return signal !== null;
}

export async function runWhole(place: Place, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgram(place, args);
  if (exitCode !== 0) throw new Error(`assay ${args.join(" ")} ended with ${exitCode}. ${stdout}${stderr}`);
  return stdout;
}

/** Rejects if the server doesn't accept what is there: its database or its key. */
export async function startAndStop(place: Place): Promise<void> {
  await stop(await startAssay({ ...place, environment: { ASSAY_RETENTION_DAYS: "0", ...place.environment } }));
}

export function anyOf<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}

/** The first column of each row, in a database that must be intact. */
export function readColumn(file: string, sql: string): readonly unknown[] {
  return readIntact(file, (database) => database.prepare(sql).pluck().all());
}

export const readTestIds = (file: string) => readColumn(file, "select id from tests order by id").join(" ");

/** What a server creates, and what outlives each of its kills without growing. */
const ordinary =
  /^(assay\.db|assay\.db-(wal|shm)|secret\.key|restore\.json|reserve(\.new)?|messages|.*\.pem|.*\.lock(-journal)?)$/;

/** The names of the other files of a data directory. */
export function extraNames(dataDir: string): readonly string[] {
  return readdirSync(dataDir).filter((name) => !ordinary.test(name));
}
