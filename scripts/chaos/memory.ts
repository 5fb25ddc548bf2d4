// Memory after a flood: a minute after the last report, the process has at most 1.5 times its idle size. The idle size
// is measured after one message, so that the analysis thread runs.
// Usage: npm run script -- scripts/chaos/memory.ts [--messages 20000]

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startDnsServer } from "../../test/dns-server.ts";
import { builtProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { benchEnvironment } from "../bench/contestants.ts";
import { writeMails } from "../bench/mails.ts";
import { hasSmtpSource, send } from "../bench/smtp-source.ts";
import { takeFirstMessage } from "../first-message.ts";
import { residentMegabytes } from "../resident.ts";

const mostTimes = 1.5;
const minuteMs = 60_000;
const { values } = parseArgs({ options: { messages: { type: "string", default: "20000" } } });

if (hasSmtpSource()) await main(Number(values.messages));

async function main(messages: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-memory-"));
  const mails = await writeMails(folder);
  const dns = await startDnsServer({ zone: mails.zone });
  const environment = {
    ...benchEnvironment(`${dns.address}:${dns.port}`),
    ASSAY_LOG_LEVEL: "info",
    ASSAY_MAX_BACKLOG: "10000000",
  };
  const dataDir = join(folder, "data");
  const server = await startAssay({ dataDir, environment });
  const pid = server.child.pid ?? 0;
  const load = { port: server.smtp.port, recipient: server.seedAddress, sender: mails.sender };
  const show = (when: string) => {
    const now = residentMegabytes(pid, "now");
    const threads = readdirSync(`/proc/${pid}/task`).length;
    console.log(`${when}: ${now.toFixed(0)} MB, ${threads} threads`);
    return now;
  };
  try {
    show("Started");
    await takeFirstMessage(server, { command: builtProgram, dataDir, environment }, 30_000);
    await sleep(minuteMs);
    const idle = show("Idle");
    const seconds = await send({ ...load, file: mails.files["3 KB"], connections: 100, messages });
    await send({ ...load, file: mails.files["1 MB"], connections: 20, messages: Math.ceil(messages / 100) });
    show(`Received in ${seconds.toFixed(0)} s`);
    await untilAnalysed(server.http, 900_000);
    show("Analyzed");
    for (const waited of [15, 30, 45, 60]) {
      await sleep(15_000);
      show(`${waited} s later`);
    }
    const after = show("A minute later");
    console.log(
      readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
        .match(/^(Anonymous|Rss|Pss_File).*$/gm)
        ?.join("; "),
    );
    const began = performance.now();
    await takeFirstMessage(server, { command: builtProgram, dataDir, environment }, 30_000);
    console.log(`The next report took ${(performance.now() - began).toFixed(0)} ms with its two commands.`);
    console.log(
      `${(after / idle).toFixed(2)} times the idle size; peak ${residentMegabytes(pid, "peak").toFixed(0)} MB.`,
    );
    if (after > mostTimes * idle) throw new Error(`More than ${mostTimes} times the idle size.`);
  } finally {
    await server.end("SIGKILL");
    await dns.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
