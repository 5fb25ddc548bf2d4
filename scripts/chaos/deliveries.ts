// Kill -9 at random moments during alert delivery: each event of an acknowledged bounce reaches each webhook at least
// once, duplicates have the same webhook-id, and no other events arrive.
// Usage: npm run script -- scripts/chaos/deliveries.ts [--kills 50]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { addAlert } from "../alert-client.ts";
import { type Got, type Receiver, startReceiver } from "../alert-receivers.ts";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { toBounceMail } from "../bounce-mail.ts";
import { makeToken } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";

const webhooks = 20;
/** For each round. All rounds together stay under the 120 that a webhook gets in an hour. */
const bouncesInRound = 2;
const mostKills = 55;
/** After the first request for the round's bounces, because most kills should fall among the deliveries. */
const pause = { firstRequestMs: 4_000, mostMs: 300 };
/**
 * Some answers are late, so that many kills fall between a request and the storing of its result. Some are failures.
 */
const answer = { latestMs: 60, failing: 0.03 };
const patienceMs = 180_000;
const environment = { ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8", ASSAY_MIN_FREE_BYTES: "0" };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { kills: { type: "string", default: "50" } } });
  const kills = Number(values.kills);
  if (kills > mostKills) throw new Error(`At most ${mostKills} kills: more events are delayed for an hour.`);
  const dataDir = mkdtempSync(join(tmpdir(), "assay-kill-deliveries-"));
  const receivers = await Promise.all(Array.from({ length: webhooks }, () => startReceiver(answerAtRandom)));
  await prepare(dataDir, receivers);
  const acknowledged = new Set<string>();
  const began = Date.now();
  let inTheMiddle = 0;
  for (let round = 1; round <= kills; round++) {
    const server = await startAssay({ dataDir, environment });
    if (await sendUntilKilled(server, round, acknowledged, receivers)) inTheMiddle += 1;
    if (round % 10 === 0) console.log(`${round} kills: ${countRequests(receivers)} requests.`);
  }
  const server = await startAssay({ dataDir, environment });
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(200))
    if (receivers.every((receiver) => countMissing(receiver, acknowledged) === 0)) break;
  await server.end("SIGTERM");
  check(receivers, acknowledged);
  for (const receiver of receivers) receiver.close();
  rmSync(dataDir, { recursive: true });
  const seconds = Math.round((Date.now() - began) / 1_000);
  console.log(`${kills} kills in ${seconds} s, ${inTheMiddle} of them while requests were open.`);
}

const answerAtRandom: Parameters<typeof startReceiver>[0] = (response) => {
  const status = Math.random() < answer.failing ? 500 : 200;
  setTimeout(() => response.writeHead(status).end(), Math.random() * answer.latestMs);
};

async function prepare(dataDir: string, receivers: readonly Receiver[]): Promise<void> {
  const server = await startAssay({ dataDir, environment });
  const caller = makeToken({ command: builtProgram, dataDir, environment: {} });
  for (const [number, { url }] of receivers.entries()) await addAlert(server, caller, `hook ${number}`, url);
  await server.end("SIGTERM");
}

/** Returns whether a request was open at the kill. */
async function sendUntilKilled(
  server: AssayProcess,
  round: number,
  acknowledged: Set<string>,
  receivers: readonly Receiver[],
): Promise<boolean> {
  await sendBounces(server, round, acknowledged);
  const before = countRequests(receivers);
  for (const deadline = Date.now() + pause.firstRequestMs; Date.now() < deadline; await sleep(5))
    if (countRequests(receivers) > before) break;
  await sleep(Math.random() * pause.mostMs);
  const wasOpen = receivers.some((receiver) => receiver.open() > 0);
  await server.end("SIGKILL");
  return wasOpen;
}

async function sendBounces(server: AssayProcess, round: number, acknowledged: Set<string>): Promise<void> {
  const session = await openSession(server.smtp);
  for (let count = 0; count < bouncesInRound; count++) {
    const original = `${round}-${count}@sender.example`;
    const reply = await session.send(toBounceMail(original, server.seedAddress));
    if (!reply.startsWith("250")) throw new Error(reply);
    acknowledged.add(original);
  }
}

function countMissing({ got }: Receiver, acknowledged: ReadonlySet<string>): number {
  const there = new Set(got.map(({ original }) => original));
  return [...acknowledged].filter((original) => !there.has(original)).length;
}

function countRequests(receivers: readonly Receiver[]): number {
  return receivers.reduce((total, { got }) => total + got.length, 0);
}

function check(receivers: readonly Receiver[], acknowledged: Set<string>): void {
  const idOf = new Map<string, string>();
  let repeats = 0;
  for (const receiver of receivers) {
    const missing = countMissing(receiver, acknowledged);
    if (missing > 0) throw new Error(`${receiver.url} never got ${missing} bounces.`);
    for (const got of receiver.got) checkOne(got, idOf, acknowledged);
    repeats += receiver.got.length - new Set(receiver.got.map(({ original }) => original)).size;
  }
  console.log(
    `${acknowledged.size} acknowledged bounces reached each of ${receivers.length} webhooks: ${countRequests(receivers)} requests, ${repeats} of them repeats under the same webhook-id; none lost.`,
  );
}

function checkOne({ id, original }: Got, idOf: Map<string, string>, acknowledged: ReadonlySet<string>): void {
  if (!acknowledged.has(original)) throw new Error(`A webhook got "${original}", which the script did not cause.`);
  const first = idOf.get(original) ?? id;
  if (first !== id) throw new Error(`The bounce ${original} has two IDs: ${first} and ${id}.`);
  idOf.set(original, id);
}

await main();
