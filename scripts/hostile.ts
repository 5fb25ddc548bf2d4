// Messages that are made to freeze, flood or end a reader, each through the whole program: while it is received, analysed
// and looked at /healthz must answer within 250 ms, its test must have a report within 15 s, each view of it must come
// within 5 s, memory must stay bounded, and the good message sent right behind it must be analysed too. Usage: npm run hostile [-- --only "25 MB"]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startDnsServer } from "../test/dns-server.ts";
import { type AssayProcess, builtProgram, startAssay } from "./assay-process.ts";
import { residentMegabytes } from "./bench/contestants.ts";
import { listAll, type Reader, readOne, readView, type ShownTest } from "./durability/read-tests.ts";
import { makeToken } from "./first-message.ts";
import { type Letter, letters } from "./hostile/letters.ts";
import { openSession } from "./smtp-client.ts";

const longestHealthMs = 250;
const longestReportMs = 15_000;
const longestViewMs = 5_000;
const mostMegabytes = 1_500;
const pollMs = 10;

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });

type Figures = {
  readonly reportMs: number;
  readonly healthMs: number;
  /** Of the slowest view. */
  readonly viewMs: number;
  readonly test: ShownTest;
  readonly behind: ShownTest;
};

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-hostile-"));
  const dns = await startDnsServer({ zone });
  const environment = { ASSAY_DNS_SERVERS: `${dns.address}:${dns.port}` };
  const server = await startAssay({ dataDir, environment });
  const reader = { http: server.http, ...makeToken({ command: builtProgram, dataDir, environment }) };
  const faults: string[] = [];
  try {
    for (const [index, letter] of letters.entries()) {
      if (!letter.name.includes(values.only)) continue;
      const figures = await put(letter, `n${index}`, server, reader);
      faults.push(...judge(letter.name, figures));
    }
    const megabytes = residentMegabytes(server.child.pid ?? 0, "peak");
    console.log(`Most memory: ${megabytes} MB.`);
    if (megabytes > mostMegabytes) faults.push(`memory: ${megabytes} MB`);
  } finally {
    await server.end("SIGTERM");
    await dns.close();
    rmSync(dataDir, { recursive: true });
  }
  if (faults.length === 0) return console.log(`${letters.length} letters, none did harm.`);
  for (const fault of faults) console.error(`FAULT ${fault}`);
  process.exitCode = 1;
}

/** 127.0.0.1 sends for sender.example, and every selector that the letters name has a key. */
const key =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo4lgOEePzNm0tRgeLezV6ffAt0gunVTLw7onLRnrq0/IzW7yWR7QkrmBL7jTKEn5u+qKhbwKfBstIs+bMY2Zkp18gnTxKLxoS2tFczGkPLPgizskuemMghRniWaoLcyehkd3qqGElvW/VDL5AaWTg0nLVkjRo9z+40RQzuVaE8AkAFmxZzow3x+VJYKdjykkJ0iT9wCS0DRTXu269V264Vf/3jvredZiKRkgwlL9xNAwxXFg0x/XFw005UWVRIkdgcKWTjpBP2dPwVZ4WWC+9aGVd+Gyn1o0CLelf4rEjGoXbAAEgAqeGUxrcIlbjXfbcmwIDAQAB";
const zone = {
  "sender.example": { TXT: ["v=spf1 ip4:127.0.0.1 -all"] },
  "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject"] },
  "*._domainkey.sender.example": { TXT: [`v=DKIM1; p=${key}`.match(/.{1,255}/g) ?? []] },
};

async function put(letter: Letter, label: string, server: AssayProcess, reader: Reader): Promise<Figures> {
  let isOver = false;
  const health = pollHealth(server.http, () => isOver);
  const session = await openSession(server.smtp);
  const send = async (name: string, body: string | Buffer) => {
    const to = [server.seedAddress.replace("@", `+${name}@`)];
    const reply = await session.send({ from: "a@sender.example", to, body });
    if (!reply.startsWith("250")) throw new Error(`${letter.name} was refused: ${reply}`);
  };
  await send(label, letter.write());
  const began = performance.now();
  await send(`${label}-behind`, "From: a@sender.example\nSubject: behind\n\nHello.\n");
  session.close();
  const test = await untilFinished(reader, label, began);
  const reportMs = performance.now() - began;
  const behind = await untilFinished(reader, `${label}-behind`, began);
  const viewMs = await look(reader, test.id);
  isOver = true;
  return { reportMs, healthMs: await health, viewMs, test, behind };
}

async function untilFinished(reader: Reader, label: string, began: number): Promise<ShownTest> {
  for (;;) {
    const found = await findByLabel(reader, label);
    const isFinished = found.status === "analyzed" || found.status === "failed";
    if (isFinished || performance.now() - began > 4 * longestReportMs) return await readOne(reader, found.id);
    await sleep(50);
  }
}

async function findByLabel(reader: Reader, label: string): Promise<ShownTest> {
  for await (const test of listAll(reader)) if (test.label === label) return test;
  throw new Error(`The message ${label} is not there.`);
}

/** As the page of a test does, all at once. */
async function look(reader: Reader, id: string): Promise<number> {
  const began = performance.now();
  const views = [`/api/tests/${id}/eml`, `/preview/${id}?images=1`, `/api/tests/${id}/attachments/2`];
  const times = views.map(async (path) => {
    await readView(reader, path);
    return performance.now() - began;
  });
  return Math.max(...(await Promise.all(times)));
}

async function pollHealth(http: string, isOver: () => boolean): Promise<number> {
  let longest = 0;
  while (!isOver()) {
    const began = performance.now();
    await (await fetch(`${http}/healthz`)).arrayBuffer();
    longest = Math.max(longest, performance.now() - began);
    await sleep(pollMs);
  }
  return longest;
}

function judge(name: string, { reportMs, healthMs, viewMs, test, behind }: Figures): string[] {
  const figures = `${test.status} after ${reportMs.toFixed(0)} ms, shown within ${viewMs.toFixed(0)} ms, /healthz at most ${healthMs.toFixed(0)} ms`;
  console.log(`${name}: ${figures}${test.failure ? ` (${test.failure})` : ""}`);
  return [
    ...(test.status === "analyzed" ? [] : [`${name}: ${test.status} (${test.failure})`]),
    ...(reportMs > longestReportMs ? [`${name}: the report took ${reportMs.toFixed(0)} ms`] : []),
    ...(viewMs > longestViewMs ? [`${name}: a view took ${viewMs.toFixed(0)} ms`] : []),
    ...(healthMs > longestHealthMs ? [`${name}: /healthz took ${healthMs.toFixed(0)} ms`] : []),
    ...(behind.status === "analyzed" ? [] : [`${name}: the message behind it is ${behind.status}`]),
  ];
}

await main();
