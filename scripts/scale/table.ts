// Messages a second by processes, size and database: how many are accepted while they are sent, and how many are
// analyzed from the first message to the last report.
// Usage: npm run script -- scripts/scale/table.ts [--database sqlite|postgres]

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startDnsServer } from "../../test/dns-server.ts";
import { readBacklog } from "../backlog.ts";
import { format, print, printMachine } from "../bench/bench.ts";
import { type MailSize, type Mails, mailSizes, writeMails } from "../bench/mails.ts";
import { hasSmtpSource, send } from "../bench/smtp-source.ts";
import { type Cluster, lacksCluster, startCluster } from "./cluster.ts";

const connections = 20;
const counts: Readonly<Record<MailSize, number>> = { "3 KB": 800, "60 KB": 240, "1 MB": 24 };
const cases = [
  { database: "sqlite", size: 1 },
  { database: "postgres", size: 1 },
  { database: "postgres", size: 2 },
  { database: "postgres", size: 3 },
] as const;
const names = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** `only`: one of the databases. */
async function measureTable(only?: string): Promise<void> {
  const missing = lacksCluster();
  if (missing !== undefined) throw new Error(`This machine lacks ${missing}.`);
  if (!hasSmtpSource()) return;
  mkdirSync("build", { recursive: true });
  const folder = mkdtempSync(resolve("build", "scale-table-"));
  const mails = await writeMails(folder);
  const dns = await startDnsServer({ zone: mails.zone });
  printMachine();
  print("| Database | Processes | Size | Accepted a second | Analyzed a second |");
  print("|---|---|---|---|---|");
  try {
    for (const { database, size } of cases.filter((one) => only === undefined || one.database === only)) {
      const environment = { ...dns.settings, ASSAY_LOG_LEVEL: "info" };
      const cluster = await startCluster({ database, size, environment });
      try {
        for (const mailSize of mailSizes) {
          const { accepted, analyzed } = await measureOne(cluster, mails, mailSize);
          print(`| ${names[database]} | ${size} | ${mailSize} | ${format(accepted)} | ${format(analyzed)} |`);
        }
      } finally {
        await cluster.stop();
      }
    }
  } finally {
    await dns.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOne(cluster: Cluster, mails: Mails, size: MailSize) {
  const first = cluster.members[0]?.process;
  if (!first) throw new Error("There is no process.");
  const load = {
    port: cluster.smtp.port,
    recipient: first.seedAddress,
    sender: mails.sender,
    file: mails.files[size],
    connections,
  };
  await send({ ...load, messages: connections * cluster.members.length }); // warms up all processes
  await untilNothingWaits(first.http);
  const began = performance.now();
  const seconds = await send({ ...load, messages: counts[size] });
  await untilNothingWaits(first.http);
  const inAll = (performance.now() - began) / 1_000;
  return { accepted: counts[size] / seconds, analyzed: counts[size] / inAll };
}

async function untilNothingWaits(http: string): Promise<void> {
  while ((await readBacklog(http)) > 0) await sleep(50);
}

// So that the handlers of the exit run, which end what was started.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await measureTable(parseArgs({ options: { database: { type: "string" } } }).values.database);
