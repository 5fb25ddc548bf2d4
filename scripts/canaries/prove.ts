import { setTimeout as sleep } from "node:timers/promises";
import { type CanaryWorld, openCanaryWorld, type Told } from "./world.ts";

export type Proof = { readonly name: string; readonly says: readonly string[]; readonly problem: string | null };

const everyMs = 5_000;
const objectiveMs = 4_000;
/** What is due is sent within this, and an alert arrives within this. */
const slackMs = 5_000;
const noticedMs = 2 * everyMs + slackMs;

export async function proveCanaries(command: readonly string[]): Promise<Proof[]> {
  const world = await openCanaryWorld(command);
  try {
    const proofs = [await prove("two processes send each canary once", () => proveOnce(world))];
    const id = await world.addCanary("Path", { everyMs, objectiveMs });
    await untilState(world, id, "up");
    for (const [name, work] of Object.entries(faults(world, id))) proofs.push(await prove(name, work));
    proofs.push(await prove("a killed process leaves nothing sent twice", () => proveKilled(world)));
    return proofs;
  } finally {
    await world.close();
  }
}

async function prove(name: string, work: () => Promise<string[]>): Promise<Proof> {
  try {
    return { name, says: await work(), problem: null };
  } catch (error) {
    return { name, says: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

function faults(world: CanaryWorld, id: string): Readonly<Record<string, () => Promise<string[]>>> {
  const { postfix, policy, call } = world;
  const change = (body: object) => call("PATCH", `/api/monitors/canaries/${id}`, body);
  const bounceAddress = world.seedAddress.replace("@", "+gone@");
  return {
    "the relay is stopped": () =>
      proveFault(world, id, { codes: ["unreachable"], begin: postfix.stop, end: postfix.start }),
    "a policy server defers": () =>
      proveFault(world, id, {
        codes: ["deferred"],
        begin: async () => policy.set("DEFER_IF_PERMIT Try again later"),
        end: async () => policy.set("DUNNO"),
      }),
    "a policy server holds the message back": () =>
      proveFault(world, id, {
        codes: ["late"],
        begin: async () => policy.set("HOLD"),
        end: async () => {
          policy.set("DUNNO");
          await postfix.release();
        },
        after: async () => {
          const { runs } = await call("GET", `/api/monitors/${id}`);
          const late = runs.filter(
            (run: { outcome: string; delayMs: number | null }) =>
              run.outcome === "late" && (run.delayMs ?? 0) > objectiveMs,
          );
          if (late.length === 0) throw new Error("No late run has its delay.");
          return `${late.length} late runs came back with their delay: ${late[0].says}`;
        },
      }),
    "the message bounces": () =>
      proveFault(world, id, {
        codes: ["bounced"],
        begin: () => change({ to: bounceAddress }),
        end: () => change({ to: null }),
      }),
  };
}

type Fault = {
  readonly codes: readonly string[];
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
  readonly after?: () => Promise<string>;
};

async function proveFault(world: CanaryWorld, id: string, fault: Fault): Promise<string[]> {
  const { told, until } = world;
  const ours = (since: number) => told.slice(since).filter(({ monitor }) => monitor === id);
  const before = told.length;
  await fault.begin();
  const downMs = await until("it is down", () => ours(before).length > 0, noticedMs + objectiveMs);
  // Long enough for a second alert.
  await sleep(3 * everyMs);
  const [down] = requireOne(ours(before), "down");
  if (!fault.codes.includes(down.code)) throw new Error(`It is ${down.code}: ${down.says}`);
  const middle = told.length;
  await fault.end();
  const upMs = await until("it is up", () => ours(middle).length > 0, noticedMs);
  await sleep(3 * everyMs);
  const [up] = requireOne(ours(middle), "up");
  const more = fault.after ? [await fault.after()] : [];
  return [
    `down after ${toSeconds(downMs)} (interval ${toSeconds(everyMs)}): ${down.says}`,
    `up after ${toSeconds(upMs)}: ${up.says}`,
    ...more,
  ];
}

function requireOne(events: readonly Told[], state: string): [Told] {
  const [one, ...more] = events;
  if (one?.state !== state || more.length > 0)
    throw new Error(`Not one ${state}: ${events.map((event) => `${event.state} ${event.code}`).join(", ")}`);
  return [one];
}

async function untilState({ call, until }: CanaryWorld, id: string, state: string): Promise<void> {
  const read = async () => (await call("GET", `/api/monitors/${id}`)).state === state;
  await until(`it is ${state}`, read, 60_000);
}

const together = 10;
/** A busy machine sends fewer than the schedule says. */
const fewestRuns = 5;

/** Compares the runs with what the relay took. */
async function proveOnce(world: CanaryWorld): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= together; number++)
    ids.push(await world.addCanary(`Twin ${number}`, { everyMs: 2_000, objectiveMs: 60_000 }));
  await sleep(40_000);
  return await stopAndCount(world, ids);
}

async function proveKilled(world: CanaryWorld): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; number <= together; number++)
    ids.push(await world.addCanary(`Survivor ${number}`, { everyMs: 1_000, objectiveMs: 60_000 }));
  await sleep(10_000);
  await world.second.end("SIGKILL");
  await sleep(20_000);
  return await stopAndCount(world, ids);
}

async function stopAndCount({ call, database, postfix, until }: CanaryWorld, ids: string[]) {
  for (const id of ids) await call("PATCH", `/api/monitors/canaries/${id}`, { enabled: false });
  const open = async () => {
    const { rows } = await database.query(
      "select count(*)::int as open from monitor_runs where monitor_id = any($1) and ended_at is null and accepted_at is not null",
      [ids],
    );
    return rows[0].open === 0;
  };
  await until("all are back", open, 60_000);
  const { rows } = await database.query(
    "select s.message_id, r.monitor_id, r.outcome, s.status from sends s join monitor_runs r on r.send_id = s.id where r.monitor_id = any($1)",
    [ids],
  );
  const taken = postfix.listTaken();
  const counts = new Map<string, number>();
  for (const id of taken) counts.set(id, (counts.get(id) ?? 0) + 1);
  const twice = rows.filter(({ message_id }) => (counts.get(message_id) ?? 0) > 1);
  // One whose process was killed may or may not have been taken.
  const missing = rows.filter(({ message_id, status }) => status === "sent" && !counts.has(message_id));
  const begun = new Map<string, number>();
  for (const { monitor_id } of rows) begun.set(monitor_id, (begun.get(monitor_id) ?? 0) + 1);
  const fewest = Math.min(...begun.values());
  if (twice.length > 0) throw new Error(`${twice.length} were sent twice.`);
  if (missing.length > 0) throw new Error(`${missing.length} were not taken by the relay.`);
  if (fewest < fewestRuns) throw new Error(`One canary was sent only ${fewest} times.`);
  const ok = rows.filter(({ outcome }) => outcome === "ok").length;
  const unsure = rows.filter(({ status }) => status !== "sent").length;
  return [
    `${rows.length} runs of ${ids.length} canaries, ${ok} OK, ${unsure} without an outcome of the send, none twice at the relay`,
  ];
}

function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
