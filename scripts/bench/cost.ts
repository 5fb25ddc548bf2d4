// Measures the processor time of a message, from the SMTP session to the stored report and what is worked out after it:
// for this build and an older commit's, in turns, because the machine's speed changes while they run. Fails if a message
// costs 1.15 times as much as with the older commit. Needs smtp-source (Debian's package `postfix`) and /proc.
// Usage: npm run bench:cost -- [--against COMMIT --rounds 7 --sizes "3 KB,60 KB"]
// Without a commit, it is the last one before the current work: commits of one piece of work follow each other within hours.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startDnsServer } from "../../test/dns-server.ts";
import { builtProgram } from "../assay-process.ts";
import { buildOlder, runTool } from "../older-build.ts";
import { measure, print, printMachine, ratioAtMost } from "./bench.ts";
import { type Contestant, costOfMessage, startProgram } from "./contestants.ts";
import { type MailSize, mailSizes, writeMails } from "./mails.ts";
import { hasSmtpSource, send } from "./smtp-source.ts";

const mostTimesOlder = 1.15;
const connections = 4;
const messages: Readonly<Record<MailSize, number>> = { "3 KB": 300, "60 KB": 100, "1 MB": 20 };
/** Until the compiler has seen our code. */
const warmUpRounds = 3;

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string", default: "7" },
    sizes: { type: "string", default: "3 KB,60 KB" },
  },
});
const hoursOfWork = 4;

if (hasSmtpSource()) {
  const against = values.against ?? beforeThisWork();
  const sizes = values.sizes.split(",").map((wanted) => {
    const size = mailSizes.find((one) => one === wanted);
    if (size === undefined) throw new Error(`--sizes knows ${mailSizes.join(", ")}.`);
    return size;
  });
  if (against === "") print("Skipped: this clone has no commit from before the current work.");
  else await main(against, sizes);
}

/** Empty in a clone without history. */
function beforeThisWork(): string {
  const newest = Number(runTool("git", ["log", "-1", "--format=%ct"]));
  return runTool("git", ["rev-list", "-1", "--first-parent", `--before=${newest - hoursOfWork * 3_600}`, "HEAD"]);
}

async function main(against: string, sizes: readonly MailSize[]): Promise<void> {
  runTool(process.execPath, ["scripts/bootstrap.mjs", "build"]);
  const older = buildOlder(against, print);
  const folder = mkdtempSync(resolve("build", "bench-cost-"));
  const { files, sender, zone } = await writeMails(folder);
  const dns = await startDnsServer({ zone });
  const servers: Contestant[] = [];
  const start = async (name: string, program: readonly string[]) => {
    mkdirSync(join(folder, name));
    const surroundings = { folder: join(folder, name), dnsServer: `${dns.address}:${dns.port}` };
    const server = await startProgram(surroundings, program);
    servers.push(server);
    const { port, recipient } = server;
    return (size: MailSize) => () =>
      costOfMessage(server, messages[size], () =>
        send({ port, recipient, connections, sender, file: files[size], messages: messages[size] }),
      );
  };
  printMachine();
  try {
    const [ofThis, ofOlder] = [await start("this", builtProgram), await start("older", older)];
    for (const size of sizes) {
      const [ours, theirs] = [ofThis(size), ofOlder(size)];
      for (let round = 0; round < warmUpRounds; round++) for (const warmUp of [ours, theirs]) await warmUp();
      const cases = { [`${size}, this build`]: ours, [`${size}, the older build`]: theirs };
      const [one, other] = await measure("ms a message", cases, Number(values.rounds));
      if (one && other) ratioAtMost(`${size}, this build / the older build`, one, other, mostTimesOlder);
    }
  } finally {
    for (const { stop } of servers) await stop();
    await dns.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
