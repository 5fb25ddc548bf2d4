// npm run dev: the server from source, with the web app built next to it. After a change the web app is rebuilt and the
// server restarted on the same data. If the web app doesn't build, the running server stays. A server that doesn't
// start says why, and the next change tries again. Accepts the arguments and settings of `assay serve`.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildWeb } from "./build-web.ts";

/** Editors write a file in several steps. */
const settleMs = 100;
const endWithinMs = 10_000;

let server: ChildProcess | null = null;
let isStale = true;
let isEnding = false;

function start(): ChildProcess {
  const args = ["src/main.ts", "serve", ...process.argv.slice(2)];
  return spawn(process.execPath, args, { stdio: "inherit" });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const killing = setTimeout(() => child.kill("SIGKILL"), endWithinMs);
  await ended;
  clearTimeout(killing);
}

async function renew(): Promise<void> {
  const began = performance.now();
  try {
    await buildWeb(join("dist", "web"));
  } catch (error) {
    console.error(`The web app does not build: ${error instanceof Error ? error.message : error}`);
    if (server !== null) return;
  }
  if (server !== null) await end(server);
  if (isEnding) return;
  server = start();
  console.error(`Built and started in ${Math.round(performance.now() - began)} ms.`);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, async () => {
    if (isEnding) return;
    isEnding = true;
    if (server !== null) await end(server);
    process.exit(0);
  });

let wake: (() => void) | null = null;
watch("src", { recursive: true }, () => {
  isStale = true;
  wake?.();
});
while (!isEnding) {
  if (!isStale) await new Promise<void>((resolve) => (wake = resolve));
  await sleep(settleMs);
  isStale = false;
  await renew();
}
