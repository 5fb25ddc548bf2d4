// Runs another program to its end with a message on its standard input.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

export function findProgramLack(program: string, debianPackage: string): string | null {
  return spawnSync(program, ["--version"]).error ? `Debian's package ${debianPackage}` : null;
}

/** Rejects with its output if it fails. */
export async function runProgram(program: string, args: readonly string[], input: Buffer): Promise<void> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  const note = (chunk: Buffer) => {
    said = (said + chunk.toString("latin1")).slice(-2_000);
  };
  child.stdout.on("data", note);
  child.stderr.on("data", note);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`);
}
