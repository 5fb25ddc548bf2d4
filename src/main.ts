// Runs the command from argv and sets the exit code. The only user of process.*. The runtime's version is checked
// before anything is imported, because on older versions the native database addon crashes.

import { buffer } from "node:stream/consumers";
import type { Terminal } from "./platform/cli/command.ts";

/** The addon needs Node-API 10, which came with Node 22.14. */
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
    openInput: () => process.stdin,
    onSignal: (listener) => {
      const signals = ["SIGINT", "SIGTERM"] as const;
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    drained: () => new Promise((resolve) => void stdout.write("", () => resolve())),
    exitNow: (code) => process.exit(code),
  };
}

/** A token among the arguments would be shown to all users by ps. A title replaces the arguments there. */
function hideArguments(argv: readonly string[]): void {
  if (argv.some((one) => one.startsWith("--token"))) process.title = `assay ${argv[0] ?? ""}`;
}

async function main(): Promise<void> {
  if (Number(process.versions.napi) < neededNodeApi) {
    process.stderr.write(
      `Assay needs Node 26, but this is ${process.version}. In a clone, "npm start" uses its own.\n`,
    );
    process.exitCode = 1;
    return;
  }
  // An output closed early (assay … | head) is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  hideArguments(process.argv.slice(2));
  const { run } = await import("./commands.ts");
  process.exitCode = await run(process.argv.slice(2), createTerminal());
}

void main();
