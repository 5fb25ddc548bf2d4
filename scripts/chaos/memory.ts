// Memory after a flood: a minute after the last report of each load, the program has at most 1.5 times its idle size,
// which is measured a minute after one message, so that the analysis runs.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startDnsServer } from "../../test/dns-server.ts";
import { type AssayProcess, builtProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { benchEnvironment } from "../bench/contestants.ts";
import { newsletter, writeMails } from "../bench/mails.ts";
import { takeFirstMessage } from "../first-message.ts";
import { processTree, residentMegabytes } from "../resident.ts";
import { openSession } from "../smtp-client.ts";
import { stop } from "./kills.ts";
import type { Scene, Stage } from "./scene.ts";

const mostTimes = 1.5;
const minuteMs = 60_000;
const patienceMs = 1_800_000;
const connections = 20;

type Load = { readonly name: string; readonly messages: number; readonly toBody: (number: number) => string };

export const memory: Scene = {
  name: "memory",
  promise: `A minute after any load, the program has at most ${mostTimes} times its idle size.`,
  lacks: () => (process.platform === "linux" ? undefined : "Linux's /proc"),
  play,
};

async function play({ folder, isSmall, say }: Stage) {
  const mails = await writeMails(join(folder, "mails"));
  const dns = await startDnsServer({ zone: mails.zone });
  const environment = { ...benchEnvironment(`${dns.address}:${dns.port}`), ASSAY_LOG_LEVEL: "info" };
  const dataDir = join(folder, "data");
  const server = await startAssay({ dataDir, environment: { ...environment, ASSAY_MAX_BACKLOG: "10000000" } });
  const pid = server.child.pid ?? 0;
  const size = (which: "now" | "peak") => processTree(pid).reduce((sum, one) => sum + residentMegabytes(one, which), 0);
  const loads: Load[] = [
    { name: "of 200 to 900 KB", messages: isSmall ? 12 : 81, toBody: (number) => heavy(200 + ((number * 37) % 700)) },
    { name: "of 833 KB", messages: isSmall ? 10 : 60, toBody: () => heavy(833) },
    { name: "of 3 KB", messages: isSmall ? 1_000 : 20_000, toBody: () => mails.bodies["3 KB"] },
  ];
  /** Returns how much is left when it is over. */
  const flood = async (load: Load, waitMs: number) => {
    for (const one of processTree(pid)) writeFileSync(`/proc/${one}/clear_refs`, "5"); // the peak begins again
    const before = size("now");
    await sendAll(server, load);
    await untilAnalysed(server.http, patienceMs);
    const peak = size("peak");
    await sleep(waitMs);
    const after = size("now");
    const sizes = [before, peak, after].map((megabytes) => `${megabytes.toFixed(0)} MB`);
    const note = `${load.messages} messages ${load.name}: ${sizes[0]} before, ${sizes[1]} at most, ${sizes[2]} after.`;
    say(note);
    return { note, after };
  };
  try {
    await takeFirstMessage(server, { command: builtProgram, dataDir, environment }, 30_000);
    await sleep(minuteMs);
    const idle = size("now");
    const played: Awaited<ReturnType<typeof flood>>[] = [];
    // What is played for each change has no time for more than one minute.
    for (const load of loads) played.push(await flood(load, isSmall && load !== loads.at(-1) ? 0 : minuteMs));
    await takeFirstMessage(server, { command: builtProgram, dataDir, environment }, 30_000);
    await stop(server);
    const times = Math.max(...played.slice(isSmall ? -1 : 0).map(({ after }) => after / idle));
    const notes = [`Idle: ${idle.toFixed(0)} MB.`, ...played.map(({ note }) => note)];
    notes.push(`At most ${times.toFixed(2)} times the idle size.`);
    if (times > mostTimes) throw new Error(notes.join("\n"));
    return { acknowledged: 2 + loads.reduce((sum, { messages }) => sum + messages, 0), note: notes.join("\n") };
  } finally {
    await dns.close();
  }
}

async function sendAll(server: AssayProcess, load: Load): Promise<void> {
  let next = 0;
  const sendSome = async () => {
    const session = await openSession(server.smtp);
    for (let number = next++; number < load.messages; number = next++) {
      const mail = { from: "news@sender.example", to: [server.seedAddress], body: load.toBody(number) };
      const reply = await session.send(mail);
      if (!reply.startsWith("250")) throw new Error(`Message ${number} ${load.name} was rejected: ${reply}`);
    }
    session.close();
  };
  await Promise.all(Array.from({ length: connections }, sendSome));
}

/** A newsletter has about a kilobyte for each of its offers. */
function heavy(kilobytes: number): string {
  return `From: news@sender.example\nSubject: ${kilobytes} KB\nContent-Type: text/html\n\n${newsletter(kilobytes)}\n`;
}
