import { setFlagsFromString } from "node:v8";
import { settings } from "../config.ts";
import { type Arguments, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
import { loadConfig } from "./settings.ts";
import { toTable } from "./table.ts";

/** A second signal within this time is the same keystroke, seen by a parent process too. */
const sameSignalMs = 1_000;

export const serve: Command = {
  name: "serve",
  summary: "Run the whole product: SMTP listener, web address, analysis and monitor in one process.",
  usage: "serve [--config <file>]",
  example: "ASSAY_SEED_DOMAINS=seed.example.com ASSAY_SMTP_LISTEN=0.0.0.0:25 assay serve",
  positionals: { min: 0, max: 0 },
  options: {},
  details: () =>
    `Settings:\n${toTable(Object.values(settings).map(({ name, fallbackText, doc }) => [`  ${name}`, `(${fallbackText})`, doc]))}`,
  run: serveUntilSignal,
};

async function serveUntilSignal(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const config = await loadConfig(args, terminal);
  collectWithoutHelpers();
  const [{ createSystem }, { createApp }, { toWelcome }] = await Promise.all([
    import("../system/real.ts"),
    import("../app.ts"),
    import("./welcome.ts"),
  ]);
  const format = terminal.isTerminal ? "text" : "json";
  const system = createSystem(config, {
    write: terminal.out,
    format,
    colour: terminal.colour,
    level: config.logLevel,
  });
  const signalled = untilSignal(terminal);
  const app = await createApp(config, system);
  try {
    const where = await app.start();
    if (terminal.isTerminal) terminal.out(toWelcome(where));
    // On a terminal the welcome has said it.
    const tell = terminal.isTerminal ? system.log.debug : system.log.info;
    tell("ready", {
      http: where.http,
      smtp: where.smtp.join(","),
      seedAddress: where.seedAddress,
    });
    // In a log too, for whoever starts it in a container: the link opens once, and nothing once there is an owner.
    if (where.setUpLink !== null && !terminal.isTerminal)
      system.log.info("nobody owns this server yet: open the link within 24 hours", {
        link: where.setUpLink,
      });
    system.log.info("stopping", { signal: await signalled });
  } finally {
    await app.stop();
    await system.close();
  }
  return exitCodes.fine;
}

function untilSignal(terminal: Terminal): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    terminal.onSignal((signal) => {
      const at = performance.now();
      firstAt ??= at;
      if (at - firstAt > sameSignalMs) terminal.exitNow(exitCodes.failed);
      resolve(signal);
    });
  });
}

// How V8 collects garbage, for a server whose few cores are all at work.

/**
 * Young objects are collected by the thread that made them, without helpers: it would stand still until the slowest of
 * these had its turn on a busy core, which takes longer than the work.
 */
export function collectWithoutHelpers(): void {
  setFlagsFromString("--no-parallel-scavenge");
}
