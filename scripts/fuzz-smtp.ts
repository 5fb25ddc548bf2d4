// Runs random SMTP sessions against a new Assay, over many connections. It must survive, send only valid replies, relay
// nothing, leave no connection open, and its memory must go down again.
// Usage: npm run script -- scripts/fuzz-smtp.ts [--seconds 60] [--seed N] [--clients 24]

import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { AssayProcess } from "./assay-process.ts";
import { createDice, type Dice } from "./dice.ts";
import { makeToken, type Program } from "./first-message.ts";
import { openClient } from "./fuzz/client.ts";
import { checkLog, checkMemory, toMegabytes, weigh, withServer } from "./fuzz/server.ts";
import { throwSession } from "./fuzz/sessions.ts";
import { sendMail } from "./smtp-client.ts";

const environment = {
  ASSAY_SMTP_MAX_MESSAGE_BYTES: "262144",
  ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "1000",
  ASSAY_SMTP_IDLE_MS: "3000",
  ASSAY_SMTP_TRANSACTION_MS: "5000",
  ASSAY_SMTP_XCLIENT_FROM: "127.0.0.5",
  ASSAY_SMTP_PROXY_FROM: "127.0.0.6",
  ASSAY_MIN_FREE_BYTES: "0",
};
const ownAddresses = ["127.0.0.1", "127.0.0.1", "127.0.0.4", "127.0.0.5", "127.0.0.6"];
const proxyAddress = "127.0.0.6";
/** On top of its size when warm. */
const growthAllowedBytes = 192 * 2 ** 20;

type Figures = { sessions: number; bytes: number; replies: number; taken: number; tls: number };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      clients: { type: "string", default: "24" },
    },
  });
  const [seconds, seed, clients] = [Number(values.seconds), Number(values.seed), Number(values.clients)];
  console.log(`seed ${seed}, ${clients} clients, ${seconds} s`);
  await withServer("fuzz", environment, (server, program) => fuzz(server, program, { seconds, seed, clients }));
}

type FuzzTerms = { seconds: number; seed: number; clients: number };

async function fuzz(server: AssayProcess, program: Program, { seconds, seed, clients }: FuzzTerms): Promise<void> {
  const figures: Figures = { sessions: 0, bytes: 0, replies: 0, taken: 0, tls: 0 };
  const rounds = (from: number, until: number) =>
    Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const dice = createDice(seed * 1_000 + from + client);
        while (Date.now() < until) await runSession(server, dice, figures);
      }),
    );
  const began = Date.now();
  await rounds(0, began + seconds * 250);
  const warmBytes = weigh(server);
  await rounds(500, began + seconds * 1_000);
  const peakBytes = weigh(server, "peak");
  await checkStillServes(server);
  await checkConnectionsEnd(server);
  await checkNothingForeign(server, program);
  const endBytes = await checkMemory(server, warmBytes + growthAllowedBytes);
  checkLog(server);
  const { sessions, bytes, replies, taken, tls } = figures;
  console.log(
    `pass  ${sessions} sessions (${tls} with TLS), ${toMegabytes(bytes)} MB sent, ${replies} replies, ${taken} messages accepted;` +
      ` memory ${toMegabytes(warmBytes)} MB warm, ${toMegabytes(peakBytes)} at most, ${toMegabytes(endBytes)} at the end`,
  );
}

async function runSession(server: AssayProcess, dice: Dice, figures: Figures): Promise<void> {
  const localAddress = ownAddresses[dice(ownAddresses.length)] ?? "127.0.0.1";
  const client = await openClient({ ...server.smtp, localAddress });
  figures.sessions++;
  const proxied = `PROXY TCP4 192.0.2.${dice(300)} 198.51.100.1 ${dice(70_000)} 25\r\n`;
  if (localAddress === proxyAddress) await client.take({ step: "write", bytes: proxied }, dice);
  for (const step of throwSession(dice, server.seedAddress)) {
    await client.take(step, dice);
    if (step.step === "tls") figures.tls++;
    if (step.step === "write") figures.bytes += step.bytes.length;
  }
  for (const line of await client.finish()) {
    figures.replies++;
    if (line.startsWith("250 2.6.0 ")) figures.taken++;
    checkReply(line);
  }
}

/** RFC 5321 §4.2, and RFC 2034 §4 for refusals. */
function checkReply(line: string): void {
  const isReply = /^[2-5]\d\d[ -][\x20-\x7e]*$/.test(line) && line.length <= 510;
  const isExplained = !/^[45]/.test(line) || /^([45])\d\d[ -]\1\.\d{1,3}\.\d{1,3} /.test(line);
  if (!isReply || !isExplained) throw new Error(`The server said ${JSON.stringify(line)}`);
}

async function checkStillServes(server: AssayProcess): Promise<void> {
  const mail = { from: "ann@sender.example", to: [server.seedAddress], body: "Subject: last\n\nHello.\n" };
  const reply = await sendMail(server.smtp, mail);
  if (!reply.startsWith("250 ")) throw new Error(`After the sessions, a message was rejected: ${reply}`);
  const { status } = await fetch(`${server.http}/healthz`);
  if (status !== 200) throw new Error(`After the sessions, /healthz returned ${status}.`);
}

async function checkConnectionsEnd({ smtp, child }: AssayProcess): Promise<void> {
  const open = () => countConnections(`/proc/${child.pid}/net/tcp`, smtp.port);
  for (const deadline = Date.now() + 15_000; Date.now() < deadline; await sleep(250)) if (open() === 0) return;
  throw new Error(`${open()} connections are still open.`);
}

/** Established connections, or those closed only by the other side. Empty if the system doesn't list them. */
function countConnections(table: string, port: number): number {
  if (!existsSync(table)) return 0;
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = readFileSync(table, "utf8")
    .split("\n")
    .map((row) => row.trim().split(/\s+/));
  return rows.filter(([, local, , state]) => local?.endsWith(suffix) && (state === "01" || state === "08")).length;
}

async function checkNothingForeign(server: AssayProcess, program: Program): Promise<void> {
  const { token, workspaceId } = makeToken(program);
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
  for (let cursor: string | null = ""; cursor !== null; ) {
    const answer = await fetch(`${server.http}/api/tests?limit=100${cursor && `&cursor=${cursor}`}`, { headers });
    const page = (await answer.json()) as { items: { to: string[] }[]; next: string | null };
    for (const address of page.items.flatMap(({ to }) => to))
      if (!/@seed\.localhost$/i.test(address) && !/^postmaster$/i.test(address))
        throw new Error(`A message for ${JSON.stringify(address)} was accepted.`);
    cursor = page.next;
  }
}

await main();
