// Debian's Postfix as the sending MTA, with its own master process, configuration and queue in a separate folder. The
// machine's own Postfix is left alone.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postfixProgram, writePostfixFiles } from "../postfix-files.ts";
import { hasBareCr, hasBareLf, type RealClient, toUnixLines } from "./letters.ts";
import { runProgram } from "./program.ts";
import type { Port } from "./swaks.ts";

const sendmail = "/usr/sbin/sendmail";

/** `folder` is empty, and Postfix's user can enter it. `settings`: of main.cf. */
export async function startPostfix(
  name: string,
  folder: string,
  server: Port,
  settings: Readonly<Record<string, string>> = {},
): Promise<RealClient> {
  const lack = findLack();
  const master = lack === null ? await startMaster(folder, server, settings) : null;
  const configuration = join(folder, "etc");
  return {
    name,
    findLack: () => lack,
    // A bare CR becomes a space.
    carries: (letter) => !hasBareLf(letter) && !hasBareCr(letter),
    addsHeader: true,
    send: (letter, { from, to }) =>
      runProgram(sendmail, ["-C", configuration, "-i", "-f", from, "--", to], toUnixLines(letter)),
    end: async () => {
      if (master === null) return;
      const ended = once(master, "exit");
      await runProgram(postfixProgram, ["-c", configuration, "stop"], Buffer.alloc(0));
      await ended;
    },
  };
}

function findLack(): string | null {
  if (!existsSync(postfixProgram)) return "Debian's package postfix";
  return process.getuid?.() === 0 ? null : "root privileges";
}

async function startMaster(
  folder: string,
  server: Port,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const configuration = await writePostfixFiles(folder, {
    hostname: "client.example",
    next: server,
    // Otherwise it folds long lines, which changes the body.
    settings: { smtp_line_length_limit: "0", ...settings },
  });
  const master = spawn(postfixProgram, ["-c", configuration, "start-fg"], { stdio: "ignore" });
  const pidFile = join(folder, "queue", "pid", "master.pid");
  for (const deadline = Date.now() + 20_000; !existsSync(pidFile); await sleep(100)) {
    if (master.exitCode !== null || Date.now() > deadline) throw new Error(`Postfix did not start: ${readLog(folder)}`);
  }
  return master;
}

function readLog(folder: string): string {
  const file = join(folder, "log");
  return existsSync(file) ? readFileSync(file, "utf8").slice(-2_000) : "it wrote no log";
}
