// Each probe against each sender, and what the report says about it.

import { setTimeout as pause } from "node:timers/promises";
import { type Probe, probes } from "../../src/features/rehearsal/rules/address.ts";
import { transactional } from "../../test/fixtures/messages/transactional.ts";
import { writeNow } from "./letters.ts";
import { createApp, createBadSender, createMsmtp, createStrictApp, type Sender, startQueue } from "./senders.ts";
import type { RehearsalWorld } from "./world.ts";

export type ProbeResult = {
  readonly sender: string;
  readonly probe: Probe;
  readonly wanted: readonly string[];
  readonly found: readonly string[];
  readonly says: readonly string[];
  readonly problem: string | null;
};

type Expected = Readonly<Partial<Record<Probe, readonly string[]>>>;

type Plan = {
  readonly sender: Sender;
  /** How often its user or its job queue tries. A mail server tries alone. */
  readonly tries: number;
  readonly expected: Expected;
  /** Tries again whatever the reply. */
  readonly isStubborn?: boolean;
};

const returned = ["queue.returned", "address.same", "message.same"];
const rebuilt = ["queue.returned", "address.same", "message.new-id"];
const withId = ["queue.returned", "address.same", "message.rebuilt"];

const byQueue: Expected = {
  greylist: [...returned, "greylist.too-soon"],
  "no-tls": ["no-tls.delivered", ...returned],
  "bad-cert": ["bad-cert.delivered", ...returned],
  slow: ["slow.waited"],
  drop: returned,
  full: ["refused.respected"],
  size: ["size.respected"],
};

const byStrictQueue: Expected = {
  "no-tls": ["no-tls.refused", ...returned],
  "bad-cert": ["bad-cert.refused", ...returned],
};

const byApp: Expected = {
  greylist: [...rebuilt, "greylist.too-soon"],
  "no-tls": ["no-tls.delivered", ...rebuilt],
  "bad-cert": ["bad-cert.delivered", ...rebuilt],
  slow: ["slow.waited"],
  drop: rebuilt,
  full: ["refused.respected"],
  size: ["size.ignored", "size.repeated", ...rebuilt],
};

const byStrictApp: Expected = { "no-tls": ["no-tls.refused", ...withId], "bad-cert": ["bad-cert.refused", ...withId] };

const byMsmtp: Expected = {
  greylist: [...returned, "greylist.too-soon"],
  "no-tls": ["no-tls.refused"],
  "bad-cert": ["bad-cert.delivered", ...returned],
  slow: ["slow.waited"],
  drop: returned,
  full: ["refused.respected"],
  size: ["size.ignored", "size.repeated", ...returned],
};

const byBadSender: Expected = {
  greylist: [...rebuilt, "greylist.too-soon"],
  "no-tls": ["no-tls.delivered", "tls.unused", ...rebuilt],
  "bad-cert": ["bad-cert.plain", "tls.unused", ...rebuilt],
  slow: ["slow.hung-up", ...rebuilt],
  drop: rebuilt,
  full: ["refused.repeated", "message.new-id"],
  size: ["size.ignored", "size.repeated", ...rebuilt],
};

/** A sender that comes once. What it will do is unknown, and said so. */
const once: Expected = { greylist: ["queue.not-yet"], drop: ["queue.not-yet"] };

export async function proveProbes(world: RehearsalWorld): Promise<ProbeResult[]> {
  world.setZone(transactional.zone);
  const port = (last: number) => world.openAs(`203.0.113.${last}`);
  const queue = { name: "postfix-probed", clientAddress: "203.0.113.11", home: null };
  const strictQueue = { name: "postfix-strict", clientAddress: "203.0.113.12", home: null, isStrict: true };
  const plans: readonly Plan[] = [
    { sender: await startQueue(world, queue), tries: 1, expected: byQueue },
    { sender: await startQueue(world, strictQueue), tries: 1, expected: byStrictQueue },
    { sender: createApp(await port(13)), tries: 3, expected: byApp },
    { sender: createStrictApp(await port(14), world.certificate), tries: 3, expected: byStrictApp },
    { sender: createMsmtp(await port(15)), tries: 3, expected: byMsmtp },
    { sender: createBadSender(await port(16)), tries: 3, expected: byBadSender, isStubborn: true },
    { sender: named(createApp(await port(17)), "nodemailer, once"), tries: 1, expected: once },
  ];
  try {
    return (await Promise.all(plans.map((plan) => proveSender(world, plan)))).flat();
  } finally {
    for (const { sender } of plans) await sender.end();
  }
}

function named(sender: Sender, name: string): Sender {
  return { ...sender, name };
}

/** One probe after the other, because each prepares the sender's next connection. */
async function proveSender(world: RehearsalWorld, { expected, ...plan }: Plan): Promise<ProbeResult[]> {
  const { sender } = plan;
  const lack = sender.findLack();
  if (lack !== null) {
    console.warn(`SKIPPED: ${sender.name} needs ${lack}.`);
    return [];
  }
  const results: ProbeResult[] = [];
  for (const probe of probes) {
    const wanted = expected[probe];
    if (wanted !== undefined) results.push(await proveOne(world, { ...plan, probe, wanted }));
  }
  return results;
}

type Trial = Omit<Plan, "expected"> & { readonly probe: Probe; readonly wanted: readonly string[] };

const betweenTriesMs = 1_500;
const settledWithinMs = 90_000;

async function proveOne(
  world: RehearsalWorld,
  { sender, tries, probe, wanted, isStubborn = false }: Trial,
): Promise<ProbeResult> {
  const to = world.toAddress(`probe-${probe}.${sender.name.replace(/\W+/g, "-")}`);
  const from = transactional.heard.mailFrom;
  const bytes = writeNow(transactional, to, `<${probe}.${Date.now()}@a.example>`);
  const isOver = async () => {
    const attempts = (await world.read(to))?.attempts ?? [];
    const last = attempts.at(-1);
    const isFinal = last?.outcome === "accepted" || (last?.outcome === "refused" && !isStubborn);
    return isFinal && !last.hungUp;
  };
  for (let index = 0; index < tries && !(await isOver()); index++) {
    if (index > 0) await pause(betweenTriesMs);
    await sender.send({ from, to, bytes });
  }
  const has = (found: readonly string[]) => wanted.every((id) => found.includes(id));
  const deadline = Date.now() + (probe === "slow" ? 90_000 : settledWithinMs);
  for (;;) {
    const rehearsal = await world.read(to);
    const behavior = rehearsal?.behavior ?? [];
    const found = behavior.map(({ id }) => id);
    const isTimeUp = Date.now() > deadline;
    if (has(found) || isTimeUp) {
      const says = behavior.map(({ says: sentence }) => sentence);
      const problem = has(found) ? null : `not as expected. ${JSON.stringify(rehearsal?.attempts)}`;
      return { sender: sender.name, probe, wanted, found, says, problem };
    }
    await pause(300);
  }
}
