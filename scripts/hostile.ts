// Sends messages made to hang, flood or crash a parser through the whole program. While a message is received, analyzed
// and viewed, /healthz must answer within 250 ms, its test must have a report within 15 s, each view must load within 5
// s, memory must stay bounded, and a good message sent right after it must be analyzed too.
// Usage: npm run script -- scripts/hostile.ts [--only "25 MB"] [--each 3]

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { startDnsServer } from "../test/dns-server.ts";
import { type AssayProcess, builtProgram, startAssay } from "./assay-process.ts";
import { findByLabel, type Reader, readOne, readView, type ShownTest } from "./chaos/read-tests.ts";
import { makeToken } from "./first-message.ts";
import type { Letter } from "./hostile/compose.ts";
import { slowLetters } from "./hostile/dns-letters.ts";
import { letters } from "./hostile/letters.ts";
import { behave, listZone, zone } from "./hostile/zone.ts";
import { residentMegabytes } from "./resident.ts";
import { openSession, type SmtpSession } from "./smtp-client.ts";

const longestHealthMs = 250;
const longestReportMs = 15_000;
const longestViewMs = 5_000;
const mostMegabytes = 1_300;

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, each: { type: "string", default: "1" } },
});

type Finished = { readonly test: ShownTest; readonly ms: number };
/** For the message itself, and for the good message right after it. */
type Figures = {
  readonly letter: Finished;
  readonly behind: Finished;
  /** For the slowest view. */
  readonly viewMs: number;
  readonly healthMs: number;
};

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-hostile-"));
  const dns = await startDnsServer({ zone, behave });
  const environment = {
    ASSAY_DNS_SERVERS: `${dns.address}:${dns.port}`,
    ASSAY_SMTP_XCLIENT_FROM: "127.0.0.1",
    ASSAY_DNSBLS: listZone,
  };
  const server = await startAssay({ dataDir, environment });
  const reader = { http: server.http, ...makeToken({ command: builtProgram, dataDir, environment }) };
  const health = watchHealth(server.http);
  const faults: string[] = [];
  const choose = (some: readonly Letter[]) =>
    some.filter(({ name }, index) => name.includes(values.only) && index % Number(values.each) === 0);
  const oneByOne = choose(letters);
  const together = choose(slowLetters);
  const sent = oneByOne.length + together.length;
  try {
    for (const [index, letter] of oneByOne.entries()) {
      const figures = await put(letter, `n${index}`, server, reader);
      faults.push(...judge(letter.name, { ...figures, healthMs: await health.longest() }));
    }
    const waited = await Promise.all(
      together.map(async (letter, index) => {
        return { name: letter.name, figures: await put(letter, `slow${index}`, server, reader) };
      }),
    );
    const healthMs = await health.longest();
    for (const { name, figures } of waited) faults.push(...judge(name, { ...figures, healthMs }));
    const megabytes = residentMegabytes(server.child.pid ?? 0, "peak");
    console.log(`Peak memory: ${megabytes} MB.`);
    if (megabytes > mostMegabytes) faults.push(`memory: ${megabytes} MB`);
  } finally {
    await health.close();
    await server.end("SIGTERM");
    await dns.close();
    rmSync(dataDir, { recursive: true });
  }
  if (faults.length === 0) return console.log(`${sent} messages, none caused harm.`);
  for (const fault of faults) console.error(`FAULT ${fault}`);
  process.exitCode = 1;
}

async function put(
  letter: Letter,
  label: string,
  server: AssayProcess,
  reader: Reader,
): Promise<Omit<Figures, "healthMs">> {
  const [hostile, honest] = await Promise.all([openSession(server.smtp, letter.client), openSession(server.smtp)]);
  const send = async (session: SmtpSession, name: string, from: string, body: string | Buffer) => {
    const to = [server.seedAddress.replace("@", `+${name}@`)];
    const reply = await session.send({ from, to, body });
    if (!reply.startsWith("250")) throw new Error(`${letter.name} was rejected: ${reply}`);
    session.close();
  };
  await send(hostile, label, letter.mailFrom ?? "a@sender.example", letter.write());
  const began = performance.now();
  await send(honest, `${label}-behind`, "a@sender.example", "From: a@sender.example\nSubject: behind\n\nHello.\n");
  const [finished, behind] = await Promise.all([
    untilFinished(reader, label, began),
    untilFinished(reader, `${label}-behind`, began),
  ]);
  return { letter: finished, behind, viewMs: await look(reader, finished.test.id) };
}

async function untilFinished(reader: Reader, label: string, began: number): Promise<Finished> {
  for (;;) {
    const found = await findByLabel(reader, label);
    if (found === undefined) throw new Error(`The message ${label} is missing.`);
    const isFinished = found.status === "analyzed" || found.status === "failed";
    const ms = performance.now() - began;
    if (isFinished || ms > 4 * longestReportMs) return { test: await readOne(reader, found.id), ms };
    await sleep(50);
  }
}

/** Like the page of a test, all at once. */
async function look(reader: Reader, id: string): Promise<number> {
  const began = performance.now();
  const views = [`/api/tests/${id}/eml`, `/preview/${id}?images=1`, `/api/tests/${id}/attachments/2`];
  const times = views.map(async (path) => {
    await readView(reader, path);
    return performance.now() - began;
  });
  return Math.max(...(await Promise.all(times)));
}

type HealthWatch = { readonly longest: () => Promise<number>; readonly close: () => Promise<unknown> };

function watchHealth(http: string): HealthWatch {
  const thread = new Worker(new URL("./hostile/health-thread.ts", import.meta.url), { workerData: http });
  return {
    longest: async () => {
      thread.postMessage("tell");
      const [longestMs] = (await once(thread, "message")) as [number];
      return longestMs;
    },
    close: () => thread.terminate(),
  };
}

function judge(name: string, { letter, behind, viewMs, healthMs }: Figures): string[] {
  const { failure } = letter.test;
  const after = `${letter.test.status} after ${letter.ms.toFixed(0)} ms`;
  const others = `the good message after ${behind.ms.toFixed(0)} ms, shown within ${viewMs.toFixed(0)} ms, /healthz at most ${healthMs.toFixed(0)} ms`;
  console.log(`${name}: ${after}${failure ? ` (${failure})` : ""}, ${others}`);
  return [
    ...judgeFinished(name, letter),
    ...judgeFinished(`${name}: the good message after it`, behind),
    ...(viewMs > longestViewMs ? [`${name}: a view took ${viewMs.toFixed(0)} ms`] : []),
    ...(healthMs > longestHealthMs ? [`${name}: /healthz took ${healthMs.toFixed(0)} ms`] : []),
  ];
}

function judgeFinished(what: string, { test: { status, failure }, ms }: Finished): string[] {
  return [
    ...(status === "analyzed" ? [] : [`${what}: ${status} (${failure})`]),
    ...(ms > longestReportMs ? [`${what}: the report took ${ms.toFixed(0)} ms`] : []),
  ];
}

await main();
