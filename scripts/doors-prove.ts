// Proves that mail reaches Assay through real mail servers by LMTP: Postfix and Exim, on a socket and on TCP, all
// recipients with their own reply, and with Assay killed again and again during delivery. Nothing may be lost. A message
// may be there twice only if Assay was killed between storing it and replying, which LMTP can't tell apart.
// Usage: node scripts/doors-prove.ts [--messages 200] [--kills 5] [--exim /usr/sbin/exim4] [--only exim]

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type AssayProcess, runProgram, startAssay } from "./assay-process.ts";
import {
  hasPostfixServer,
  type MailServer,
  makeSocketFolder,
  startEximServer,
  startPostfixServer,
} from "./doors/servers.ts";
import { findFreePort } from "./ports.ts";
import { sendMail } from "./smtp-client.ts";

const seedDomain = "seed.localhost";
const patienceMs = 60_000;
const command = [process.execPath, fileURLToPath(new URL("../src/main.ts", import.meta.url))];

type Amounts = { readonly messages: number; readonly kills: number };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      messages: { type: "string", default: "200" },
      kills: { type: "string", default: "5" },
      exim: { type: "string", default: "/usr/sbin/exim4" },
      only: { type: "string", default: "" },
    },
  });
  const amounts = { messages: Number(values.messages), kills: Number(values.kills) };
  if (!hasPostfixServer) console.log("SKIPPED  Postfix: not installed (package postfix), or not run as root");
  const hasExim = existsSync(values.exim) && process.getuid?.() === 0;
  if (!hasExim) console.log("SKIPPED  Exim: not installed (package exim4-daemon-light), or not run as root");
  for (const way of ["unix", "tcp"] as const) {
    if (hasPostfixServer && values.only !== "exim")
      await prove(`Postfix, ${way}`, way, { group: "postfix", start: startPostfixServer, amounts });
    if (hasExim) {
      const start: Way["start"] = (options) => startEximServer(values.exim, options);
      await prove(`Exim, ${way}`, way, { group: "nogroup", start, amounts });
    }
  }
}

type Way = { readonly group: string; readonly start: typeof startPostfixServer; readonly amounts: Amounts };

async function prove(name: string, way: "unix" | "tcp", { group, start, amounts }: Way): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-doors-"));
  chmodSync(folder, 0o755);
  await makeSocketFolder(join(folder, "sockets"), group);
  const lmtp = way === "unix" ? `unix:${join(folder, "sockets", "lmtp")}` : `127.0.0.1:${await findFreePort()}`;
  const dataDir = join(folder, "data");
  const open = () => startAssay({ dataDir, command, environment: { ASSAY_LMTP_LISTEN: lmtp } });
  let assay = await open();
  mkdirSync(join(folder, "server"));
  const server = await start({ folder: join(folder, "server"), seedDomain, lmtp });
  try {
    const ask = await openApi(dataDir);
    await proveParts(assay, server, ask).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}. ${server.log().slice(-2_000)}`);
    });
    assay = await bombard(assay, server, open, amounts);
    const { lost, twice } = await count(assay, ask, amounts.messages);
    if (lost > 0) throw new Error(`${name}: ${lost} messages are lost. ${server.log().slice(-2_000)}`);
    if (twice > amounts.kills * maxInFlight) throw new Error(`${name}: ${twice} messages are there twice.`);
    console.log(`pass  ${name}: ${amounts.messages} messages, ${amounts.kills} kills, none lost, ${twice} twice`);
  } finally {
    await server.stop();
    await assay.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Deliveries that a server has under way at once: Postfix's default limit for a destination. */
const maxInFlight = 20;

type Ask = (assay: AssayProcess, path: string) => Promise<{ items: Item[]; total: number; next: string | null }>;
type Item = { readonly subject: string; readonly status: string };

async function openApi(dataDir: string): Promise<Ask> {
  const run = async (...args: string[]) => JSON.parse((await runProgram({ dataDir, command }, args)).stdout);
  const [{ id: workspace }] = await run("workspace", "list", "--json");
  const { token } = await run("token", "create", "--workspace", workspace, "--name", "doors", "--json");
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  return async (assay, path) => (await fetch(assay.http + path, { headers })).json() as ReturnType<Ask>;
}

/** Two recipients, of which one doesn't exist: the other one's test is there, and the first one bounces. */
async function proveParts(assay: AssayProcess, server: MailServer, ask: Ask): Promise<void> {
  const mail = {
    from: "ann@sender.example",
    to: [assay.seedAddress, `nobody@${seedDomain}`],
    body: toMessage("parts"),
  };
  const reply = await sendMail({ host: "127.0.0.1", port: server.port }, mail);
  if (!reply.startsWith("250 ")) throw new Error(`The mail server said ${reply}`);
  await until(async () => (await ask(assay, "/api/tests")).total === 1, "the first test is missing");
  await until(async () => /550[- ]5\.1\.1/.test(server.log()), "the unknown recipient was not rejected");
}

/** Assay is killed while the server delivers, and started again. Returns the process that runs at the end. */
async function bombard(
  first: AssayProcess,
  server: MailServer,
  open: () => Promise<AssayProcess>,
  { messages, kills }: Amounts,
): Promise<AssayProcess> {
  let assay = first;
  const to = [assay.seedAddress];
  const each = Math.ceil(messages / (kills + 1));
  for (let at = 0; at < messages; at += each) {
    const some = Array.from({ length: Math.min(each, messages - at) }, (_, index) => at + index);
    const sending = Promise.all(
      some.map((number) =>
        sendMail(
          { host: "127.0.0.1", port: server.port },
          { from: "ann@sender.example", to, body: toMessage(`message ${number}`) },
        ),
      ),
    );
    if (at + each < messages) {
      await sleep(50 + (at % 7) * 40);
      await assay.end("SIGKILL");
      await sending;
      assay = await open();
    } else await sending;
  }
  return assay;
}

async function count(assay: AssayProcess, ask: Ask, messages: number) {
  const read = async () => {
    const counts = new Map<string, number>();
    for (let next: string | null = "/api/tests?limit=100"; next !== null; ) {
      const page: Awaited<ReturnType<Ask>> = await ask(assay, next);
      for (const { subject } of page.items) counts.set(subject, (counts.get(subject) ?? 0) + 1);
      next = page.next === null ? null : `/api/tests?limit=100&cursor=${page.next}`;
    }
    return counts;
  };
  const isAnalyzed = async () =>
    (await ask(assay, "/api/tests?limit=100")).items.every(({ status }) => status === "analyzed");
  const find = async () =>
    Array.from({ length: messages }, (_, number) => `message ${number}`).filter((subject) => !counts.has(subject));
  let counts = await read();
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(1_000)) {
    counts = await read();
    if ((await find()).length === 0 && (await isAnalyzed())) break;
  }
  const twice = [...counts.values()].reduce((sum, times) => sum + times - 1, 0);
  return { lost: (await find()).length, twice };
}

function toMessage(subject: string): string {
  return `From: ann@sender.example\nTo: seed@${seedDomain}\nSubject: ${subject}\nDate: Thu, 26 Nov 2026 12:00:00 +0000\nMessage-ID: <${subject.replaceAll(" ", ".")}@sender.example>\n\nHello\n`;
}

async function until(holds: () => Promise<boolean>, problem: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(200)) if (await holds()) return;
  throw new Error(problem);
}

await main();
