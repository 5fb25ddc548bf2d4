import { setFlagsFromString } from "node:v8";
import { version } from "../../../analyzer/version.ts";
import {
  type Arguments,
  type Command,
  type ExitCode,
  exitCodes,
  type Terminal,
} from "../../../platform/cli/command.ts";
import { program, startArguments, startCommand, toShellWord } from "../../../platform/cli/invocation.ts";
import { loadSettings } from "../../../platform/cli/settings.ts";
import type { Addresses, App, CreateApp } from "../../../platform/server.ts";
import { type Config, settings } from "../../../platform/settings/config.ts";
import { giveBackMemory } from "../../../platform/system/give-back-memory.ts";
import { AddressInUse } from "../../../platform/system/listening.ts";
import type { Log } from "../../../platform/system/log.ts";
import { toTable } from "../../../platform/table.ts";
import { waitWithTimeout } from "../../../platform/work/timeout.ts";
import { toStyle } from "../../tests/formats/style.ts";
import { explainBusyPorts } from "./busy-ports.ts";
import { type Started, toWelcome } from "./welcome.ts";

/** Within this time, a second signal is the same keystroke, passed on by the parent process. */
const sameSignalMs = 1_000;
/** Containers and service managers kill 10 seconds after the signal. */
const drainMs = 2_000;

/** The first round of recurring work is over. A start leaves as much garbage as a quiet server needs memory. */
const settledMs = 10_000;

/** `load`: the server, which only this command needs. */
export const createServe = (load: () => Promise<{ readonly createApp: CreateApp }>): Command => ({
  group: "run",
  name: "serve",
  isFirst: true,
  summary: "Run Assay: receive and analyze mail, and serve the web app.",
  usage: "serve [--config <file>]",
  example: "ASSAY_SEED_DOMAINS=seed.example.com ASSAY_SMTP_LISTEN=0.0.0.0:25 assay serve",
  details: (columns) => {
    const rows = Object.values(settings).map(({ name, fallbackText, doc }) => [`  ${name}`, `(${fallbackText})`, doc]);
    return `Settings, from environment variables or the --config file (defaults in parentheses):\n${toTable(rows, columns)}`;
  },
  run: (args, terminal) => serveUntilSignal(args, terminal, load),
});

async function serveUntilSignal(
  args: Arguments,
  terminal: Terminal,
  load: Parameters<typeof createServe>[0],
): Promise<ExitCode> {
  const { config, given } = await loadSettings(args, terminal);
  collectWithoutHelpers();
  const [{ createSystem }, { createApp }] = await Promise.all([import("../../../platform/system/real.ts"), load()]);
  const format = terminal.isTerminal ? "text" : "json";
  const system = createSystem(config, { write: terminal.out, format, colour: terminal.colour, level: config.logLevel });
  const signalled = untilSignal(terminal);
  const app = await createApp(config, system, given);
  try {
    const where = await startOrExplain(app, config, args);
    if (terminal.isTerminal) terminal.out(toWelcome(toStarted(where, config, args, terminal), toStyle(terminal)));
    else logStart(where, system.log);
    const settled = setTimeout(giveBackMemory, settledMs, system.log).unref();
    const signal = await signalled;
    clearTimeout(settled);
    if (terminal.isTerminal) terminal.out("\nStopping …\n");
    else system.log.info("stopping", { signal });
  } finally {
    await app.stop();
    await system.close();
  }
  // An exit loses what waits in a pipe for a slow reader.
  await waitWithTimeout(drainMs, terminal.drained());
  // A connection to a server that never answers would hold the process until its time limit.
  return terminal.exitNow(exitCodes.fine);
}

async function startOrExplain(app: App, config: Config, args: Arguments): Promise<Addresses> {
  try {
    return await app.start();
  } catch (error) {
    if (!(error instanceof AddressInUse)) throw error;
    const { tryBind } = await import("../../../platform/system/probe-port.ts");
    const file = args.option("config");
    const command = file === undefined ? startCommand : `${startArguments} --config ${toShellWord(file)}`;
    throw (await explainBusyPorts(config, { command, tryBind })) ?? error;
  }
}

const loopback = /^(127\.|::1$|localhost$)/;

function toStarted(where: Addresses, config: Config, args: Arguments, terminal: Terminal): Started {
  return {
    ...where,
    version,
    startedInMs: performance.now(),
    isSmtpLocal: config.smtpListen.every(({ host }) => loopback.test(host)),
    sampleCommand: toSampleCommand(args, terminal),
  };
}

/** The other terminal needs the settings for this server. */
function toSampleCommand(args: Arguments, { environment }: Terminal): string {
  const settings = ["ASSAY_DATA_DIR", "ASSAY_HTTP_HOST", "ASSAY_HTTP_PORT"].flatMap((name) =>
    environment[name] ? [`${name}=${toShellWord(environment[name])}`] : [],
  );
  const file = args.option("config");
  const options = file === undefined ? [] : ["--config", toShellWord(file)];
  return [...settings, program, "send-sample", ...options].join(" ");
}

function logStart({ http, smtp, seedAddress, setUpLink, setUpCode }: Addresses, log: Log): void {
  log.info("ready", { http, smtp: smtp.join(","), seedAddress });
  // People who start it in a container find the link here.
  if (setUpLink !== null)
    log.info("finish setup: this server has no owner yet; the link works once and expires after 24 hours", {
      link: setUpLink,
      code: setUpCode,
    });
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

/**
 * Lets each thread collect its own young objects without helper threads. It would pause until the slowest helper got its
 * turn on a busy core, which takes longer than the work.
 */
export function collectWithoutHelpers(): void {
  setFlagsFromString("--no-parallel-scavenge");
}
