// A real Assay process for scripts and tests: started in its own directory on free ports, which are read from its ready
// line.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type AssayProcess = {
  readonly http: string;
  readonly smtp: { readonly host: string; readonly port: number };
  readonly seedAddress: string;
  readonly child: ChildProcess;
  /** Log lines as parsed JSON, newest last. */
  readonly log: readonly Record<string, unknown>[];
  /** Sends the signal and waits for the end. Returns the exit code or the signal's name. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
};

export type AssayProcessOptions = {
  readonly dataDir: string;
  /** The command to run. `dist/main.cjs` under this Node by default. */
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
};

export const builtProgram: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL("../dist/main.cjs", import.meta.url)),
];

export function assayEnvironment(dataDir: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    ASSAY_DATA_DIR: dataDir,
    ASSAY_HTTP_PORT: "0",
    ASSAY_SMTP_LISTEN: "127.0.0.1:0",
    ASSAY_DNS_SERVERS: "127.0.0.1:9",
    ...more,
  };
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** A script that fails must not leave a server or a command running. */
export function endWithUs<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  return child.once("exit", () => running.delete(child));
}

/** Those that a part which failed left running. */
export async function endAllAssays(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, "SIGKILL")));
}

export async function startAssay({
  dataDir,
  command = builtProgram,
  environment = {},
}: AssayProcessOptions): Promise<AssayProcess> {
  const [program = "", ...args] = [...command, "serve"];
  const child = endWithUs(
    spawn(program, args, { env: assayEnvironment(dataDir, environment), stdio: ["ignore", "pipe", "pipe"] }),
  );
  const log: Record<string, unknown>[] = [];
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-4_000);
  });
  const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
    if (!child.stdout) return reject(new Error("no standard output"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry = toEntry(line);
      log.push(entry);
      if (entry.message === "ready") resolve(entry);
    });
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      reject(new Error(`Assay exited before it was ready (${code ?? signal}). ${complaint}`)),
    );
  });
  const [host = "", port = ""] = String(ready.smtp).split(/:(?=\d+$)/);
  return {
    http: String(ready.http),
    smtp: { host, port: Number(port) },
    seedAddress: String(ready.seedAddress),
    child,
    log,
    end: (signal) => end(child, signal),
  };
}

/** Runs one command of the program to its end, next to a running server. */
export async function runProgram(
  { dataDir, command = builtProgram, environment = {} }: AssayProcessOptions,
  args: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }> {
  const [program = "", ...before] = command;
  const child = endWithUs(spawn(program, [...before, ...args], { env: assayEnvironment(dataDir, environment) }));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, stdout, stderr };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
  if (child.exitCode !== null) return child.exitCode;
  if (child.signalCode !== null) return child.signalCode;
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  child.kill(signal);
  const [code, killedBy] = await ended;
  return code ?? killedBy ?? 1;
}

function toEntry(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { message: line };
  }
}
