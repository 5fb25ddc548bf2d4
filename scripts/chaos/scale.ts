// Three Assay processes on one PostgreSQL behind HAProxy, while mail and bounces arrive: one is killed with -9 and
// started again, one is stopped with SIGTERM, and one is replaced by another build. Every acknowledged message is one
// test, unchanged and analyzed once, every bounce reaches the webhook, and a browser at one process sees all of it live.

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { addAlert } from "../alert-client.ts";
import { type AssayProcess, builtProgram } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { type Cluster, lacksCluster } from "../scale/cluster.ts";
import { followEvents } from "../scale/follow-events.ts";
import { compareBounces, sendBounce } from "./bounces.ts";
import { stop } from "./kills.ts";
import { compareAll, noneSent, sendThrough } from "./numbered-mail.ts";
import { type ClusterWorld, onCluster } from "./on-cluster.ts";
import type { Scene, Seen, Stage } from "./scene.ts";

const connections = 8;
/** Of each connection: the proof is about what happens to the messages, not about how many there are. */
const paceMs = 250;
const stageMs = 5_000;
/** A webhook gets at most 120 alerts an hour. */
const mostBounces = 100;
const bounceEveryMs = 250;
const patienceMs = 600_000;

export const scale: Scene = {
  name: "scale",
  promise: "Of three processes on one PostgreSQL, each can be killed, stopped, or replaced, and none notices.",
  lacks: lacksCluster,
  play: (stage) => playCluster(stage, builtProgram),
};

export async function playCluster({ say }: Stage, before: readonly string[]): Promise<Seen> {
  return await onCluster({ command: before }, (world) => run({ ...world, before, say }));
}

type Props = ClusterWorld & Pick<Stage, "say"> & { readonly before: readonly string[] };

async function run({ cluster, receiver, database, before, say }: Props): Promise<Seen> {
  const [one, two, three] = cluster.members;
  if (!one || !two || !three) throw new Error("There are not three processes.");
  const { seedAddress } = one.process;
  const all = cluster.members.map((member) => member.process);
  const replace = async (member: number) => {
    const started = await cluster.start(member, builtProgram);
    all.push(started);
    return started;
  };
  const program = { dataDir: cluster.dataDirOf(0), environment: cluster.environment };
  const caller = makeToken({ ...program, command: before });
  await addAlert(one.process, caller, "hook", receiver.url);
  const follower = await followEvents(three.process.http, caller);
  const sent = noneSent();
  const stopping = new AbortController();
  const target = { smtp: cluster.smtp, seedAddress };
  const senders = Array.from({ length: connections }, (_, index) =>
    sendThrough(target, `c${index}`, sent, { stopping: stopping.signal, paceMs }),
  );
  const bounces = sendBounces(cluster, seedAddress, stopping.signal);

  await sleep(stageMs);
  const openAtKill = receiver.open();
  await one.process.end("SIGKILL");
  const ofKilled = await claimedByGone(database);
  say(`killed one of three: it was working on ${ofKilled.size} messages`);
  await sleep(stageMs / 2);
  one.process = await replace(0);
  say("started it again");
  await sleep(stageMs);
  const ofStopped = new Set(await claimedNow(database));
  await stop(two.process);
  await sleep(stageMs / 2);
  two.process = await replace(1);
  say("stopped the second with SIGTERM, and started it again");
  await sleep(stageMs);
  const live = follower.close();
  for (const id of await claimedNow(database)) ofStopped.add(id);
  await stop(three.process);
  three.process = await replace(2);
  say("replaced the third");
  await sleep(stageMs);

  stopping.abort();
  const outcomes = await Promise.all(senders);
  const bounced = await bounces;
  await untilAnalysed(cluster.members[0]?.process.http ?? "", patienceMs);
  const { lost, twice } = await compareAll({ http: cluster.http, ...caller }, seedAddress, sent);
  // An older version doesn't log what it had to leave unfinished when it was stopped.
  const again = await checkOnce(database, before === builtProgram ? ofKilled : ofKilled.union(ofStopped), all);
  const alerts = await compareBounces([receiver], bounced, patienceMs);
  // Only if a process died before it could store that it was delivered.
  if (alerts.repeats > openAtKill + 1) throw new Error(`${alerts.repeats} alerts were repeated.`);
  const [received = 0, analyzed = 0] = [live.get("test.received"), live.get("test.analyzed")];
  if (received < sent.acknowledged.size / 4 || analyzed === 0)
    throw new Error(`Only ${received} arrivals and ${analyzed} reports were seen live.`);
  const total = (key: "deferred" | "broken") => outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
  return {
    kills: 1,
    acknowledged: sent.acknowledged.size + bounced.size,
    lost: lost.size + alerts.lost,
    twice: twice.size + alerts.twice,
    note: `Senders lost ${total("broken")} connections and tried ${total("deferred")} messages again. Each message was analyzed once, ${again} of them begun by a process that ended. ${bounced.size} bounces reached the webhook, ${alerts.repeats} of them twice under the same webhook-id. A browser at the third process saw all processes live.`,
  };
}

async function claimedNow(database: pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>("select id from tests where claimed_by is not null");
  return rows.map(({ id }) => id);
}

/** Messages whose claim stays as it is, because the process that made it is gone. */
async function claimedByGone(database: pg.Client): Promise<ReadonlySet<string>> {
  const claims = "select id || ' ' || claimed_by as id from tests where claimed_by is not null";
  const read = async () => new Set((await database.query<{ id: string }>(claims)).rows.map(({ id }) => id));
  const first = await read();
  await sleep(stageMs / 2);
  return new Set([...first.intersection(await read())].map((claim) => claim.split(" ")[0] ?? ""));
}

async function sendBounces(cluster: Cluster, seedAddress: string, stopping: AbortSignal): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  for (let count = 0; count < mostBounces && !stopping.aborted; count++) {
    await sendBounce({ smtp: cluster.smtp, seedAddress }, `${count}@sender.example`, acknowledged);
    await sleep(bounceEveryMs);
  }
  return acknowledged;
}

/**
 * One report for each test, stored by one process. A second attempt is only for what the killed process had in hand, and
 * for what an analyzer didn't finish in its time, which the log says.
 */
async function checkOnce(
  database: pg.Client,
  ofKilled: ReadonlySet<string>,
  all: readonly AssayProcess[],
): Promise<number> {
  const logged = (message: string) =>
    all.flatMap(({ log }) => log.filter((line) => line.message === message).map(({ test }) => String(test)));
  const stored = logged("message analyzed");
  if (new Set(stored).size < stored.length)
    throw new Error(`${stored.length - new Set(stored).size} messages were analyzed twice.`);
  const unfinished = new Set(logged("analysis did not finish"));
  const again = await database.query<{ id: string }>("select id from tests where attempts > 1");
  const unexplained = again.rows.filter(({ id }) => !ofKilled.has(id) && !unfinished.has(id));
  if (unexplained.length > 0)
    throw new Error(`${unexplained.length} messages were begun again, although their process lived.`);
  const twice = await database.query("select test_id from reports group by test_id having count(*) > 1");
  if (twice.rows.length > 0) throw new Error(`${twice.rows.length} messages have two reports.`);
  const clients = await database.query("select distinct session::json->>'clientAddress' from raw_messages");
  if (clients.rows.length !== 1) throw new Error("The clients' addresses are not those of the senders.");
  return again.rows.filter(({ id }) => ofKilled.has(id)).length;
}
