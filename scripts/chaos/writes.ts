// Kill -9 at random moments, while many connections send numbered mail and API clients upload it. After each kill the
// database is intact and has every acknowledged message once. At the end the API shows each message unchanged and
// analyzed. A message whose 250 never arrived may be there once or not at all.

import { builtProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { until } from "../until.ts";
import { inParts, killAtRandom, readDatabase, stop } from "./kills.ts";
import { compareAll, noneSent, sendOn, uploadOn } from "./numbered-mail.ts";
import type { Scene, Seen, Stage } from "./scene.ts";

const connections = 12;
const uploaders = 4;
const analysisPatienceMs = 600_000;

export const writes: Scene = {
  name: "writes",
  promise: "A message that was acknowledged is there once after kill -9.",
  play,
};

async function play(stage: Stage): Promise<Seen> {
  const { inDoubt, doubtful, ...figures } = await inParts(stage, playRounds);
  const note = `${connections} SMTP connections and ${uploaders} API clients. All messages are analyzed, and the same byte for byte. Of ${inDoubt} whose reply never came, ${doubtful} are there.`;
  return { kills: stage.kills, ...figures, note };
}

async function playRounds(stage: Stage) {
  const dataDir = stage.folder;
  const environment = { ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "100", ASSAY_MIN_FREE_BYTES: "0" };
  const start = () => startAssay({ dataDir, environment });
  const first = await start();
  const access = makeToken({ command: builtProgram, dataDir, environment });
  await stop(first);
  const sent = noneSent();
  const lost = new Set<string>();
  await killAtRandom(stage, {
    start,
    work: (server, round) => [
      ...Array.from({ length: connections }, (_, number) => sendOn(server, `${round}-${number}`, sent)),
      ...Array.from({ length: uploaders }, (_, number) => uploadOn(server, access, `${round}-api${number}`, sent)),
    ],
    // Some kills should come before anything was written.
    begin: async (_, round) => {
      const before = sent.acknowledged.size;
      if (round % 4 > 0) await until("a message is acknowledged", () => sent.acknowledged.size > before);
    },
    pauseMs: [20, 1_000],
    check: () => {
      const labels = readDatabase(dataDir, (database) => database.prepare("select label from tests").pluck().all());
      const there = new Set(labels as string[]);
      for (const number of sent.acknowledged.difference(there)) lost.add(number);
      if (labels.length > there.size) throw new Error(`${labels.length - there.size} messages are there twice.`);
    },
  });
  const server = await start();
  await untilAnalysed(server.http, analysisPatienceMs);
  const compared = await compareAll({ http: server.http, ...access }, server.seedAddress, sent);
  await stop(server);
  return {
    acknowledged: sent.acknowledged.size,
    lost: lost.union(compared.lost).size,
    twice: compared.twice.size,
    inDoubt: sent.inDoubt.size,
    doubtful: compared.doubtful,
  };
}
