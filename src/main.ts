// Runs the command for the arguments. The only reader of process.*. Nothing is imported before the runtime is known to be new
// enough, because the native database addon crashes on an older one.

import { buffer } from "node:stream/consumers";
import type { Terminal } from "./cli/command.ts";

/** Node-API 10 came with Node 22.14; the addon is built against it. */
const neededNodeApi = 10;

function createTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    environment: env,
    isTerminal: stdout.isTTY === true,
    columns: stdout.isTTY ? stdout.columns || null : null,
    colour: stdout.isTTY === true && !env.NO_COLOR,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    readInput: () => buffer(process.stdin),
    onSignal: (listener) => {
      const signals = ["SIGINT", "SIGTERM"] as const;
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    exitNow: (code) => process.exit(code),
  };
}

async function main(): Promise<void> {
  if (Number(process.versions.napi) < neededNodeApi) {
    process.stderr.write(
      `Assay needs Node 26, and this is ${process.version}. In a clone, use "npm start", which installs Node 26.\n`,
    );
    process.exitCode = 1;
    return;
  }
  // A reader that closes early (assay … | head) is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  const { run } = await import("./cli/run.ts");
  process.exitCode = await run(process.argv.slice(2), createTerminal());
}

void main();
