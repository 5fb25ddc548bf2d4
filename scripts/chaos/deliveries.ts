// Kill -9 at random moments during alert delivery: each event of an acknowledged bounce reaches each webhook at least
// once, duplicates have the same webhook-id, and no other events arrive.

import { setTimeout as sleep } from "node:timers/promises";
import { addAlert } from "../alert-client.ts";
import { startReceiver } from "../alert-receivers.ts";
import { builtProgram, startAssay } from "../assay-process.ts";
import { makeToken } from "../first-message.ts";
import { compareBounces, countRequests, sendBounce } from "./bounces.ts";
import { inParts, killAtRandom, readDatabase, stop } from "./kills.ts";
import type { Scene, Stage } from "./scene.ts";

const webhooks = 20;
/** For each round. All rounds on one database stay under the 120 that a webhook gets in an hour. */
const bouncesInRound = 2;
const firstRequestMs = 4_000;
/** Some answers are late, so that many kills fall between a request and the storing of its result. Some are failures. */
const answer = { latestMs: 60, failing: 0.03 };
const patienceMs = 180_000;
const environment = { ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8", ASSAY_MIN_FREE_BYTES: "0" };

export const deliveries: Scene = {
  name: "deliveries",
  promise: "An alert reaches every webhook, even if the server is killed while it delivers.",
  play: async (stage) => {
    const { open, repeats, ...figures } = await inParts(stage, playRounds);
    const note = `Each bounce goes to ${webhooks} webhooks. Requests were open at ${open} kills, and ${repeats} were repeated under the same webhook-id.`;
    return { kills: stage.kills, ...figures, note };
  },
};

async function playRounds(stage: Stage) {
  const dataDir = stage.folder;
  const receivers = await Promise.all(Array.from({ length: webhooks }, () => startReceiver(answerAtRandom)));
  const start = () => startAssay({ dataDir, environment });
  const server = await start();
  const caller = makeToken({ command: builtProgram, dataDir, environment });
  for (const [number, { url }] of receivers.entries()) await addAlert(server, caller, `hook ${number}`, url);
  await stop(server);
  const acknowledged = new Set<string>();
  let open = 0;
  await killAtRandom(stage, {
    start,
    // Most kills should fall among the deliveries.
    begin: async (running, round) => {
      const before = countRequests(receivers);
      for (let count = 0; count < bouncesInRound; count++)
        await sendBounce(running, `${round}-${count}@sender.example`, acknowledged);
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
  const { originals, ...compared } = await compareBounces(receivers, acknowledged, patienceMs);
  await stop(last);
  for (const receiver of receivers) receiver.close();
  const unknown = [...originals.difference(acknowledged)];
  if (unknown.length > 0) throw new Error(`A webhook got "${unknown[0]}", which was never sent.`);
  return { acknowledged: acknowledged.size, open, ...compared };
}

const answerAtRandom: Parameters<typeof startReceiver>[0] = (response) => {
  const status = Math.random() < answer.failing ? 500 : 200;
  setTimeout(() => response.writeHead(status).end(), Math.random() * answer.latestMs);
};
