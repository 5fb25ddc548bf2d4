// Kill -9 at random moments during alert delivery: each event of an acknowledged bounce reaches each webhook at least
// once, duplicates have the same webhook-id, and no other events arrive.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addAlert } from "../alert-client.ts";
import { type Receiver, startReceiver } from "../alert-receivers.ts";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { toBounceMail } from "../bounce-mail.ts";
import { makeToken } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";
import { killAtRandom, readDatabase } from "./kills.ts";
import type { Scene, Stage } from "./scene.ts";

const webhooks = 20;
/** For each round. All rounds on one database stay under the 120 that a webhook gets in an hour. */
const bouncesInRound = 2;
const roundsOfDatabase = 50;
const firstRequestMs = 4_000;
/** Some answers are late, so that many kills fall between a request and the storing of its result. Some are failures. */
const answer = { latestMs: 60, failing: 0.03 };
const patienceMs = 180_000;
const environment = { ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8", ASSAY_MIN_FREE_BYTES: "0" };

export const deliveries: Scene = {
  name: "deliveries",
  promise: "An alert reaches every webhook, even if the server is killed while it delivers.",
  play,
};

async function play(stage: Stage) {
  const seen = { kills: stage.kills, acknowledged: 0, lost: 0, twice: 0 };
  let [open, repeats] = [0, 0];
  for (let left = stage.kills; left > 0; left -= roundsOfDatabase) {
    const kills = Math.min(left, roundsOfDatabase);
    const part = await playRounds({ ...stage, kills }, join(stage.folder, `data-${left}`));
    for (const key of ["acknowledged", "lost", "twice"] as const) seen[key] += part[key];
    open += part.open;
    repeats += part.repeats;
  }
  const note = `Each bounce goes to ${webhooks} webhooks. Requests were open at ${open} kills, and ${repeats} were repeated under the same webhook-id.`;
  return { ...seen, note };
}

async function playRounds(stage: Stage, dataDir: string) {
  const receivers = await Promise.all(Array.from({ length: webhooks }, () => startReceiver(answerAtRandom)));
  const start = () => startAssay({ dataDir, environment });
  const server = await start();
  const caller = makeToken({ command: builtProgram, dataDir, environment });
  for (const [number, { url }] of receivers.entries()) await addAlert(server, caller, `hook ${number}`, url);
  await server.end("SIGTERM");
  const acknowledged = new Set<string>();
  let open = 0;
  await killAtRandom(stage, {
    start,
    // Most kills should fall among the deliveries.
    begin: async (running, round) => {
      const before = countRequests(receivers);
      await sendBounces(running, round, acknowledged);
      for (const deadline = Date.now() + firstRequestMs; Date.now() < deadline; await sleep(5))
        if (countRequests(receivers) > before) return;
    },
    pauseMs: [0, 300],
    beforeKill: () => {
      if (receivers.some((receiver) => receiver.open() > 0)) open += 1;
    },
    check: () => readDatabase(dataDir, () => {}),
  });
  const last = await start();
  const lost = () => receivers.reduce((sum, receiver) => sum + countMissing(receiver, acknowledged), 0);
  for (const deadline = Date.now() + patienceMs; lost() > 0 && Date.now() < deadline; ) await sleep(200);
  await last.end("SIGTERM");
  for (const receiver of receivers) receiver.close();
  return { acknowledged: acknowledged.size, lost: lost(), open, ...countRepeats(receivers, acknowledged) };
}

const answerAtRandom: Parameters<typeof startReceiver>[0] = (response) => {
  const status = Math.random() < answer.failing ? 500 : 200;
  setTimeout(() => response.writeHead(status).end(), Math.random() * answer.latestMs);
};

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
  return acknowledged.difference(new Set(got.map(({ original }) => original))).size;
}

function countRequests(receivers: readonly Receiver[]): number {
  return receivers.reduce((total, { got }) => total + got.length, 0);
}

/** An event with two IDs was raised twice. One that came again under its own was only repeated. */
function countRepeats(receivers: readonly Receiver[], acknowledged: ReadonlySet<string>) {
  const ids = new Map<string, Set<string>>();
  let repeats = 0;
  for (const { got } of receivers) {
    for (const { id, original } of got) {
      if (!acknowledged.has(original)) throw new Error(`A webhook got "${original}", which was never sent.`);
      ids.set(original, (ids.get(original) ?? new Set<string>()).add(id));
    }
    repeats += got.length - new Set(got.map(({ original }) => original)).size;
  }
  return { repeats, twice: [...ids.values()].filter((own) => own.size > 1).length };
}
