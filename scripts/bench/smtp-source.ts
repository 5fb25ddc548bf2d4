// Postfix's load generator, which is the client for every server compared.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

type Load = {
  readonly port: number;
  readonly sender: string;
  readonly recipient: string;
  /** Headers and body, sent unchanged. */
  readonly file: string;
  readonly connections: number;
  readonly messages: number;
};

const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
const program = folders.map((folder) => join(folder, "smtp-source")).find((file) => existsSync(file));

/** Prints a warning if it is missing, because that part isn't measured then. */
export function hasSmtpSource(): boolean {
  if (program === undefined) {
    console.log("Skipped: smtp-source is missing; install Debian's package postfix to measure this.");
    if (process.env.CI) process.exitCode = 1;
  }
  return program !== undefined;
}

/** Sends all messages over open connections and returns the seconds taken. Any refusal is an error. */
export async function send({ port, sender, recipient, file, connections, messages }: Load): Promise<number> {
  const began = performance.now();
  const options = { s: connections, m: messages, f: sender, t: recipient, F: file, M: "client.example" };
  const args = Object.entries(options).flatMap(([name, value]) => [`-${name}`, String(value)]);
  const child = spawn(program ?? "smtp-source", ["-d", ...args, `127.0.0.1:${port}`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-1_000);
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`smtp-source ended with ${code}: ${complaint.trim()}`);
  return (performance.now() - began) / 1_000;
}
