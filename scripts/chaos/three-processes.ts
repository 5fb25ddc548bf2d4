// Three Assay processes on one PostgreSQL, a random one of which is killed with -9 again and again, while mail and
// bounces arrive, old tests are deleted, and backups are made.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { addAlert } from "../alert-client.ts";
import { builtProgram } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { lacksCluster } from "../scale/cluster.ts";
import { until } from "../until.ts";
import { compareBounces, sendBounce } from "./bounces.ts";
import { anyOf, runWhole } from "./killed-commands.ts";
import { kill, stop } from "./kills.ts";
import { compareAll, noneSent, type Sent, sendThrough } from "./numbered-mail.ts";
import { type ClusterWorld, onCluster } from "./on-cluster.ts";
import type { Scene, Seen, Stage } from "./scene.ts";

export const threeProcesses: Scene = {
  name: "three-processes",
  promise: "With three processes on one PostgreSQL, any of them can be killed at any time.",
  lacks: lacksCluster,
  play: async (stage) => {
    const backups = join(stage.folder, "backups");
    mkdirSync(backups);
    const later = join(stage.folder, "later");
    const clock = join(stage.folder, "clock.cjs");
    writeFileSync(
      clock,
      `if (require("node:fs").existsSync(${JSON.stringify(later)})) { const now = Date.now; Date.now = () => now() + ${laterMs}; }`,
    );
    const environment = { ASSAY_RETENTION_DAYS: "1", ASSAY_BACKUP_TO: backups, NODE_OPTIONS: `--require=${clock}` };
    return await onCluster({ environment }, (world) => playOn(stage, { ...world, backups, later }));
  },
};

const laterMs = 10 * 86_400_000;
const connections = 4;
const paceMs = 300;
const oldMs = 8_000;
const patienceMs = 300_000;

type Props = ClusterWorld & {
  readonly backups: string;
  /** Once this file is there, the clocks of processes that start are ten days ahead. */
  readonly later: string;
};

async function playOn({ kills, say }: Stage, props: Props): Promise<Seen> {
  const { cluster, receiver, database, backups, later } = props;
  const place = { dataDir: cluster.dataDirOf(0), environment: cluster.environment };
  const seedAddress = cluster.members[0]?.process.seedAddress ?? "";
  const caller = makeToken({ ...place, command: builtProgram });
  const old = noneSent();
  await sendWhile(props, seedAddress, old, () => sleep(oldMs));
  await untilAnalysed(cluster.http, patienceMs);
  writeFileSync(later, "");
  for (const [number, member] of cluster.members.entries()) {
    await stop(member.process);
    member.process = await cluster.start(number);
  }
  if (cluster.members[0]) await addAlert(cluster.members[0].process, caller, "hook", receiver.url);
  const sent = noneSent();
  const bounces = new Set<string>();
  let inTheMiddle = 0;
  await sendWhile(props, seedAddress, sent, async () => {
    for (let number = 1; number <= kills; number += 1) {
      await makeDue(database);
      if (bounces.size < 60) await sendBounce({ smtp: cluster.smtp, seedAddress }, `${number}@sender.example`, bounces);
      await sleep(300 + Math.random() * 2_500);
      const chosen = anyOf([0, 1, 2]);
      const member = cluster.members[chosen];
      if (member === undefined) continue;
      inTheMiddle += Number((await ask(database, "select count(*) from chores where claimed_by is not null")) > 0);
      await kill(member.process);
      member.process = await cluster.start(chosen);
      if (number % 5 === 0) say(`${number} kills: ${sent.acknowledged.size} messages acknowledged`);
    }
  });
  await untilAnalysed(cluster.http, patienceMs);
  await finish(database);
  const alerts = await compareBounces([receiver], bounces, patienceMs);
  // What is in doubt of the old ones was received before, so it is gone with them. An old one that is left is unknown.
  const compared = await compareAll({ http: cluster.http, ...caller }, seedAddress, sent);
  const names = readdirSync(backups).filter((name) => name.endsWith(".db"));
  let good = 0;
  for (const { name } of JSON.parse(await runWhole(place, "backup", "--list", "--json")).items as { name: string }[]) {
    await runWhole(place, "restore", name, "--check");
    good += 1;
  }
  const orphans = await ask(
    database,
    `select (select count(*) from tests where id not in (select test_id from raw_messages))
      + (select count(*) from raw_messages where test_id not in (select id from tests))`,
  );
  if (good === 0) throw new Error("No backup is complete.");
  return {
    kills,
    acknowledged: old.acknowledged.size + sent.acknowledged.size + bounces.size,
    lost: compared.lost.size + alerts.lost,
    twice: compared.twice.size + alerts.twice,
    leftovers: orphans,
    note: `${old.acknowledged.size} old tests are gone. ${inTheMiddle} kills came while a chore ran. ${good} backups were checked, and ${names.length - good} unfinished ones wait for their two days. ${orphans} rows have no message, or no test.`,
  };
}

async function sendWhile({ cluster }: Props, seedAddress: string, sent: Sent, work: () => Promise<unknown>) {
  const stopping = new AbortController();
  const target = { smtp: cluster.smtp, seedAddress };
  const name = `${Date.now()}`;
  const senders = Array.from({ length: connections }, (_, index) =>
    sendThrough(target, `c${name}${index}`, sent, { stopping: stopping.signal, paceMs }),
  );
  await work().finally(() => stopping.abort());
  await Promise.all(senders);
}

/** As if the processes had run all the time, and no backup was made yet. A chore in progress keeps its time. */
async function makeDue(database: pg.Client): Promise<void> {
  const state = JSON.stringify({ at: Date.now() + laterMs, gap: null });
  await database.query("delete from meta where key = 'backup'");
  await database.query(
    "insert into meta (key, value) values ('clock', $1) on conflict (key) do update set value = excluded.value",
    [state],
  );
  await database.query(
    "update chores set due_at = 0 where claimed_by is null and id in ('housekeeping', 'object-removals', 'backup')",
  );
}

/** Leases of the killed end at once, which would take minutes. */
async function finish(database: pg.Client): Promise<void> {
  await database.query("update chores set claimed_by = null, claimed_until = null");
  await makeDue(database);
  const oldest = Date.now() + laterMs - 86_400_000;
  const isDone = async () => {
    const left = await ask(database, `select count(*) from tests where received_at < ${oldest}`);
    const busy = await ask(database, "select count(*) from chores where claimed_by is not null or due_at = 0");
    return left === 0 && busy === 0;
  };
  await until("old tests are gone, and a backup is made", isDone, patienceMs, 500);
}

async function ask(database: pg.Client, sql: string): Promise<number> {
  const { rows } = await database.query({ text: sql, rowMode: "array" });
  return Number((rows as unknown[][])[0]?.[0] ?? 0);
}
