// What waits when the server has too much to do, and in which order. One workspace is flooded while a person asks for a
// list, another workspace gets single messages, and an export is tried. Prints a row for each moment at which something
// changed, and then checks the stated order (src/decisions.md, "Under load"). At last, the mail of the flooded workspace is
// deferred, and none of the other's.
// Usage: npm run script -- scripts/shedding-prove.ts [--backlog 12000 --seconds 40 --size "3 KB"]

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startDnsServer } from "../test/dns-server.ts";
import { type AssayProcess, builtProgram, startAssay } from "./assay-process.ts";
import { benchEnvironment } from "./bench/contestants.ts";
import { type MailSize, type Mails, mailSizes, writeMails } from "./bench/mails.ts";
import { percentile } from "./bench/probe.ts";
import { flood, hasSmtpSource } from "./bench/smtp-source.ts";
import { makeToken, type Program, runAssay } from "./first-message.ts";
import { sendMail } from "./smtp-client.ts";

const { values } = parseArgs({
  options: {
    backlog: { type: "string", default: "12000" },
    seconds: { type: "string", default: "40" },
    size: { type: "string", default: "3 KB" },
  },
});
const size = mailSizes.find((known) => known === values.size);
if (!size) throw new Error(`--size takes ${mailSizes.join(", ")}.`);
const order = ["exports", "sweeps", "analyses", "mail"] as const;
type Work = (typeof order)[number];

if (hasSmtpSource()) await main(size);

async function main(size: MailSize): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-shedding-"));
  const mails = await writeMails(folder);
  const dns = await startDnsServer({ zone: mails.zone });
  const environment = {
    ...benchEnvironment(`${dns.address}:${dns.port}`),
    ASSAY_LOG_LEVEL: "info",
    ASSAY_MAX_BACKLOG: values.backlog,
  };
  const dataDir = join(folder, "data");
  const server = await startAssay({ dataDir, environment });
  try {
    const program = { command: builtProgram, dataDir, environment };
    const flooded = makeToken(program);
    const other = makeOtherWorkspace(program);
    const seen = await watchFlood(server, { flooded, other, mails, file: mails.files[size] });
    check(seen);
  } finally {
    await server.end("SIGKILL");
    await dns.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Access = { readonly token: string; readonly workspaceId: string };
type Other = Access & { readonly address: string };

function makeOtherWorkspace(program: Program): Other {
  const made = JSON.parse(runAssay(program, "workspace", "create", "Other", "--json")) as {
    id: string;
    seedAddress: string;
  };
  const args = ["token", "create", "--workspace", made.id, "--name", "a script", "--json"];
  const { token } = JSON.parse(runAssay(program, ...args)) as { token: string };
  return { token, workspaceId: made.id, address: made.seedAddress };
}

type Scene = { readonly flooded: Access; readonly other: Other; readonly mails: Mails; readonly file: string };
type Seen = {
  readonly first: ReadonlyMap<Work, number>;
  readonly waitsMs: readonly number[];
  readonly reportsMs: readonly number[];
  readonly refusedExports: number;
  readonly refusedSingles: number;
  readonly hasDeferred: boolean;
};

async function watchFlood(server: AssayProcess, { flooded, other, mails, file }: Scene): Promise<Seen> {
  const began = performance.now();
  const { stop } = flood({
    port: server.smtp.port,
    recipient: server.seedAddress,
    sender: mails.sender,
    file,
    connections: 50,
  });
  const first = new Map<Work, number>();
  const waitsMs: number[] = [];
  const reportsMs: number[] = [];
  let refusedExports = 0;
  let last = "";
  let isOver = false;
  const others = sendSingly(server, other, reportsMs, () => isOver);
  console.log("  seconds  backlog  list     export  postponed                          /readyz");
  for (let now = 0; now < Number(values.seconds) * 1_000; await sleep(250)) {
    now = performance.now() - began;
    const metrics = await (await fetch(`${server.http}/metrics`)).text();
    const postponed = order.filter((work) => metrics.includes(`assay_postponed{work="${work}"} 1`));
    for (const work of postponed) if (!first.has(work)) first.set(work, now);
    const listMs = await time(() => read(server, "/api/tests?limit=20", flooded));
    waitsMs.push(listMs);
    const { status } = await read(server, "/api/tests/export.csv?limit=10", flooded);
    if (status === 503) refusedExports += 1;
    const ready = await readReady(server);
    const state = `${postponed.join(", ")} ${status} ${ready}`;
    if (state === last) continue;
    last = state;
    const backlog = /^assay_backlog_messages (\d+)/m.exec(metrics)?.[1] ?? "?";
    const cells = [(now / 1_000).toFixed(1).padStart(9), backlog.padStart(8), `${listMs.toFixed(0)} ms`.padStart(8)];
    console.log(`${cells.join(" ")}  ${status}     ${postponed.join(", ").padEnd(34)} ${ready}`);
  }
  await stop().catch(() => {});
  const metrics = await (await fetch(`${server.http}/metrics`)).text();
  const total = /^assay_backlog_messages (\d+)/m.exec(metrics)?.[1];
  const hasDeferred = /^assay_mail_deferred_total\{reason="workspace_backlog_full"\} [1-9]/m.test(metrics);
  console.log(`\n${total} messages wait when the flood ends.`);
  isOver = true;
  const refusedSingles = await others;
  return { first, waitsMs, reportsMs, refusedExports, refusedSingles, hasDeferred };
}

async function read(server: AssayProcess, path: string, { token, workspaceId }: Access): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
  const answer = await fetch(`${server.http}${path}`, { headers });
  await answer.arrayBuffer();
  return answer;
}

async function time(work: () => Promise<Response>): Promise<number> {
  const began = performance.now();
  const { status } = await work();
  if (status !== 200) throw new Error(`A person's request was answered with ${status}.`);
  return performance.now() - began;
}

async function readReady({ http }: AssayProcess): Promise<string> {
  const answer = await fetch(`${http}/readyz`);
  const { reasons = [] } = (await answer.json()) as { reasons?: { code: string }[] };
  return [answer.status, ...reasons.map(({ code }) => code)].join(" ");
}

/** How long a single report of the other workspace takes. */
async function sendSingly(
  server: AssayProcess,
  other: Other,
  reportsMs: number[],
  isOver: () => boolean,
): Promise<number> {
  let refused = 0;
  for (let number = 0; !isOver(); number++, await sleep(500)) {
    const body = `From: a@sender.example\nTo: ${other.address}\nSubject: single ${number}\n\nHello.\n`;
    const began = performance.now();
    const reply = await sendMail(server.smtp, { from: "a@sender.example", to: [other.address], body });
    if (!reply.startsWith("250")) {
      refused += 1;
      continue;
    }
    while (!(await isAnalyzed(server, other, `single ${number}`))) await sleep(50);
    reportsMs.push(performance.now() - began);
  }
  return refused;
}

async function isAnalyzed(server: AssayProcess, other: Other, subject: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${other.token}`, "x-workspace-id": other.workspaceId };
  const answer = await fetch(`${server.http}/api/tests?limit=5`, { headers });
  const { items } = (await answer.json()) as { items: { subject: string | null; status: string }[] };
  return items.some((test) => test.subject === subject && test.status === "analyzed");
}

function check({ first, waitsMs, reportsMs, refusedExports, refusedSingles, hasDeferred }: Seen): void {
  const longest = (some: readonly number[]) => {
    const sorted = some.toSorted((a, b) => a - b);
    return `p50 ${(percentile(sorted, 0.5) ?? 0).toFixed(0)} ms, longest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
  };
  console.log(`\nWhat a person waited for: ${waitsMs.length} lists, ${longest(waitsMs)}; none was refused.`);
  console.log(`Single reports of another workspace: ${reportsMs.length}, ${longest(reportsMs)}.`);
  console.log(`Refused: ${refusedExports} exports, ${refusedSingles} single messages of another workspace.`);
  for (const work of order) {
    const at = first.get(work);
    console.log(`First postponed: ${work.padEnd(9)} ${at === undefined ? "never" : `${(at / 1_000).toFixed(1)} s`}`);
  }
  const [exportsAt = Number.NaN, sweepsAt = Number.NaN] = order.map((work) => first.get(work));
  if (!(exportsAt <= sweepsAt && hasDeferred))
    throw new Error("Work wasn't postponed in the stated order, or the load was too small.");
  if (refusedSingles > 0) throw new Error("The flood of one workspace refused the mail of another.");
  if (refusedExports === 0) throw new Error("No export was refused.");
}
