// The servers that are compared: each a separate process on loopback, under the same Node.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { builtProgram, startAssay } from "../assay-process.ts";
import { readBacklog } from "../backlog.ts";
import { findFreePort, greets } from "../ports.ts";
import { processorSeconds, untilQuiet } from "../processor-time.ts";
import { until } from "../until.ts";
import { maildevProgram } from "./maildev.ts";

export type Contestant = {
  readonly port: number;
  readonly recipient: string;
  readonly pid: number;
  /** Messages that were accepted and aren't finished. */
  readonly backlog: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

export type Surroundings = {
  /** All files that it writes go in here. */
  readonly folder: string;
  readonly dnsServer: string;
};

/** A benchmark's client opens all its connections from one address. */
export const benchEnvironment = (dnsServer: string) => ({
  ASSAY_DNS_SERVERS: dnsServer,
  ASSAY_SMTP_MAX_CLIENTS: "400",
  ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "400",
  ASSAY_LOG_LEVEL: "warn",
});

const nothingWaits = async () => 0;

/** Processor time for each message, in milliseconds, until all of its work is done. */
export async function costOfMessage(
  { pid, backlog }: Pick<Contestant, "pid" | "backlog">,
  messages: number,
  take: () => Promise<unknown>,
): Promise<number> {
  const before = processorSeconds(pid);
  await take();
  do await untilQuiet(pid);
  while ((await backlog()) > 0);
  return ((processorSeconds(pid) - before) * 1_000) / messages;
}

/** smtp-server with mailparser. */
export async function startParser(): Promise<Contestant> {
  return await startListener(["parsing-listener.ts"], process.env);
}

export async function startDurable(
  { folder, dnsServer }: Surroundings,
  maxTogether = 256,
  more: Readonly<Record<string, string>> = {},
): Promise<Contestant> {
  const env = { PATH: process.env.PATH, ASSAY_SMTP_LISTEN: "127.0.0.1:0", ...benchEnvironment(dnsServer), ...more };
  return await startListener(["durable-listener.ts", join(folder, `durable-${maxTogether}`), `${maxTogether}`], env);
}

export async function startProgram({ folder, dnsServer }: Surroundings, program = builtProgram): Promise<Contestant> {
  const environment = { ...benchEnvironment(dnsServer), ASSAY_LOG_LEVEL: "info", ASSAY_RETENTION_DAYS: "0" };
  const server = await startAssay({ dataDir: join(folder, "program"), command: program, environment });
  return {
    port: server.smtp.port,
    recipient: server.seedAddress,
    pid: server.child.pid ?? 0,
    backlog: () => readBacklog(server.http),
    stop: async () => void (await server.end("SIGKILL")),
  };
}

/** Without its web interface. Keeps mail in memory, as it does by default. */
export async function startMaildev({ folder }: Surroundings): Promise<Contestant> {
  const port = await findFreePort();
  const cwd = join(folder, "maildev");
  mkdirSync(cwd, { recursive: true });
  const args = [maildevProgram, "--ip", "127.0.0.1", "--smtp", `${port}`, "--disable-web", "--silent"];
  const child = spawnQuietly(args, { cwd, env: { ...process.env, TMPDIR: cwd } });
  await until("MailDev listens", () => greets(port), 10_000, 50);
  return contestant(child, port, "anyone@seed.example");
}

async function startListener(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Contestant> {
  const [script = "", ...rest] = args;
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawnQuietly([file, ...rest], { env });
  if (!child.stdout) throw new Error("no standard output");
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${script} ended.`)));
  const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
  ended.catch(() => {});
  const { port, recipient } = JSON.parse(line) as { port: number; recipient: string };
  return contestant(child, port, recipient);
}

function spawnQuietly(args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  // A script that fails must not leave processes running.
  const endWithUs = () => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  return child;
}

function contestant(child: ChildProcess, port: number, recipient: string): Contestant {
  return {
    port,
    recipient,
    pid: child.pid ?? 0,
    backlog: nothingWaits,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
