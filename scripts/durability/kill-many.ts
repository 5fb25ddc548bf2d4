// Sends thousands of numbered messages over many connections while Assay is killed with -9 at random moments and
// restarted. At the end the API shows every acknowledged message exactly once, unchanged and analyzed. A message whose
// 250 never arrived may be there once or not at all.
// Usage: npm run durability:many [-- --kills 50]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { type Mail, openSession } from "../smtp-client.ts";
import { listAll, type Reader, readRaw, type ShownTest } from "./read-tests.ts";

type Sent = { readonly acknowledged: Set<string>; readonly inDoubt: Set<string> };

const connections = 20;
const pause = { leastMs: 50, mostMs: 900 };
const analysisPatienceMs = 600_000;
const environment = {
  ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "100",
  ASSAY_MIN_FREE_BYTES: "0",
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { kills: { type: "string", default: "50" } } });
  const kills = Number(values.kills);
  const dataDir = mkdtempSync(join(tmpdir(), "assay-kill-many-"));
  const sent: Sent = { acknowledged: new Set(), inDoubt: new Set() };
  const began = Date.now();
  for (let round = 1; round <= kills; round++) {
    const server = await startAssay({ dataDir, environment });
    await sendUntilKilled(server, round, sent);
    if (round % 10 === 0) console.log(`${round} kills: ${sent.acknowledged.size} messages acknowledged.`);
  }
  const server = await startAssay({ dataDir, environment });
  const token = makeToken({ command: builtProgram, dataDir, environment: {} });
  await untilAnalysed(server.http, analysisPatienceMs);
  await check({ http: server.http, ...token }, server.seedAddress, sent);
  await server.end("SIGTERM");
  rmSync(dataDir, { recursive: true });
  console.log(
    `${kills} kills over ${connections} connections in ${Math.round((Date.now() - began) / 1_000)} s.`,
  );
}

async function sendUntilKilled(server: AssayProcess, round: number, sent: Sent): Promise<void> {
  const senders = Array.from({ length: connections }, (_, connection) =>
    sendOn(server, `${round}-${connection}`, sent),
  );
  // Each ends when its connection breaks.
  const ended = Promise.allSettled(senders);
  await sleep(pause.leastMs + Math.random() * (pause.mostMs - pause.leastMs));
  await server.end("SIGKILL");
  for (const outcome of await ended)
    if (outcome.status === "rejected" && outcome.reason instanceof Refused) throw outcome.reason;
}

class Refused extends Error {}

async function sendOn(server: AssayProcess, name: string, { acknowledged, inDoubt }: Sent): Promise<void> {
  const session = await openSession(server.smtp);
  for (let count = 0; ; count++) {
    const number = `${name}-${count}`;
    const mail = toMail(number, server.seedAddress);
    const refusal = await session.begin(mail);
    inDoubt.add(number);
    const reply = refusal ?? (await session.finish(mail));
    if (!reply.startsWith("250")) throw new Refused(`Message ${number} was rejected: ${reply}`);
    inDoubt.delete(number);
    acknowledged.add(number);
  }
}

/** The number is in the recipient's label, in the subject and after the last line. Every seventh message is large. */
function toMail(number: string, seedAddress: string): Mail {
  const count = Number(number.split("-")[2]);
  const filler = "x"
    .repeat(70)
    .concat("\n")
    .repeat(count % 7 === 0 ? 800 : 30);
  return {
    from: "a@sender.example",
    to: [seedAddress.replace("@", `+${number}@`)],
    body: `From: a@sender.example\nSubject: message ${number}\n\n${filler}end of ${number}`,
  };
}

async function check(reader: Reader, seedAddress: string, { acknowledged, inDoubt }: Sent): Promise<void> {
  const there = new Set<string>();
  for await (const test of listAll(reader)) {
    const number = test.label ?? "";
    if (!acknowledged.has(number) && !inDoubt.has(number))
      throw new Error(`There is an unknown message with the label "${number}" (${test.id}).`);
    if (there.has(number)) throw new Error(`Message ${number} is there twice.`);
    there.add(number);
    await checkOne(reader, test, toMail(number, seedAddress).body.toString());
  }
  for (const number of acknowledged)
    if (!there.has(number)) throw new Error(`Message ${number} was acknowledged but is missing.`);
  const doubtful = [...inDoubt].filter((number) => there.has(number)).length;
  console.log(
    `All ${acknowledged.size} acknowledged messages are there once, byte for byte, and analyzed. Of ${inDoubt.size} whose reply never came ${doubtful} are there, once each.`,
  );
}

async function checkOne(
  reader: Reader,
  { id, label, subject, status }: ShownTest,
  body: string,
): Promise<void> {
  if (status !== "analyzed" || subject !== `message ${label}`)
    throw new Error(`Message ${label} is ${status}, with the subject "${subject}".`);
  if ((await readRaw(reader, id)) !== `${body}\n`.replaceAll("\n", "\r\n"))
    throw new Error(`Message ${label} differs from what was sent.`);
}

await main();
