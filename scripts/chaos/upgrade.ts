// Builds an older commit, lets its server receive mail, and replaces it by this version while mail keeps coming. On SQLite
// one process is replaced, and the older version is then refused if the schema is another one. On PostgreSQL three
// processes are killed, stopped, and replaced one by one.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { builtProgram, runProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { buildOlder } from "../older-build.ts";
import { findFreePorts } from "../ports.ts";
import { lacksCluster } from "../scale/cluster.ts";
import { stop } from "./kills.ts";
import { compareAll, noneSent, sendThrough } from "./numbered-mail.ts";
import { playCluster } from "./scale.ts";
import type { Scene, Seen, Stage } from "./scene.ts";

const connections = 4;
const paceMs = 100;
const stageMs = 4_000;
const patienceMs = 300_000;
const commits = 10;

export const upgrade: Scene = {
  name: "upgrade",
  promise: "This version replaces an older one while mail arrives, and going back is refused.",
  lacks: lacksCommits,
  play: playSqlite,
};

export const upgradeScale: Scene = {
  name: "upgrade-scale",
  promise: "Three processes of an older version are replaced one by one, and none notices.",
  lacks: () => lacksCommits() ?? lacksCluster(),
  play: (stage) => playCluster(stage, buildOlder(findOlder(), stage.say)),
};

function lacksCommits(): string | undefined {
  return findOlder() === "" ? `a checkout with ${commits} older commits` : undefined;
}

/** Not a commit of a branch that was merged later: its migrations were never on a server. */
function findOlder(): string {
  const args = ["rev-list", "--first-parent", `--skip=${commits}`, "--max-count=1", "HEAD"];
  return spawnSync("git", args, { encoding: "utf8" }).stdout.trim();
}

async function playSqlite(stage: Stage): Promise<Seen> {
  const older = buildOlder(findOlder(), stage.say);
  const dataDir = join(stage.folder, "data");
  const [smtp = 0, http = 0] = await findFreePorts(2);
  const environment = { ASSAY_SMTP_LISTEN: `127.0.0.1:${smtp}`, ASSAY_HTTP_PORT: String(http) };
  const sent = noneSent();
  const stopping = new AbortController();
  const first = await startAssay({ dataDir, command: older, environment });
  const access = makeToken({ dataDir, command: older, environment });
  const senders = Array.from({ length: connections }, (_, index) =>
    sendThrough(first, `c${index}`, sent, { stopping: stopping.signal, paceMs }),
  );
  await sleep(stageMs);
  await stop(first);
  const atUpgrade = sent.acknowledged.size;
  const second = await startAssay({ dataDir, environment });
  const schema = second.log.find(({ message }) => message === "upgrading the database");
  await sleep(stageMs);
  stopping.abort();
  const outcomes = await Promise.all(senders);
  await untilAnalysed(second.http, patienceMs);
  const { lost, twice } = await compareAll({ http: second.http, ...access }, second.seedAddress, sent);
  const analyzed = [first, second].flatMap(({ log }) =>
    log.filter(({ message }) => message === "message analyzed").map(({ test }) => test),
  );
  await stop(second);
  if (analyzed.length < sent.acknowledged.size)
    throw new Error(`Only ${analyzed.length} of ${sent.acknowledged.size} messages were analyzed, as the log says.`);
  if (atUpgrade === 0 || atUpgrade === sent.acknowledged.size)
    throw new Error("No message arrived before the upgrade, or none after it.");
  const waited = outcomes.reduce((sum, { deferred, broken }) => sum + deferred + broken, 0);
  return {
    acknowledged: sent.acknowledged.size,
    lost: lost.size,
    twice: twice.size + analyzed.length - new Set(analyzed).size,
    note: `${atUpgrade} messages before the upgrade. Senders tried again ${waited} times. ${schema ? `${schema.from} → ${schema.to}. ${await requireRefusal(dataDir, older)}` : "The schema is the same, so going back is not refused."}`,
  };
}

/** Going back is refused, and nothing changes by it. */
async function requireRefusal(dataDir: string, older: readonly string[]): Promise<string> {
  const read = () => readFileSync(join(dataDir, "assay.db"));
  const kept = read();
  const { exitCode, stderr } = await runProgram({ dataDir, command: older }, ["serve"]);
  if (exitCode === 0 || !stderr.includes("newer version")) throw new Error(`It was not refused: ${stderr}`);
  if (!read().equals(kept)) throw new Error("The refused version changed the database.");
  const [copy] = readdirSync(dataDir).filter((name) => name.startsWith("assay.db.before-"));
  if (copy === undefined) throw new Error("There is no copy from before the upgrade.");
  const back = await runProgram({ dataDir, command: builtProgram }, ["restore", join(dataDir, copy), "--check"]);
  if (back.exitCode !== 0) throw new Error(`The copy is not good: ${back.stderr}`);
  return `Then the older version said: ${stderr.trim()} ${copy} can be restored.`;
}
