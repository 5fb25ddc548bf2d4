// Builds an older commit in `build/`, once.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/** Returns how to run it. A command is run in its data directory, so the path is absolute. */
export function buildOlder(commit: string, say: (line: string) => void): readonly string[] {
  const hash = runTool("git", ["rev-parse", "--verify", `${commit}^{commit}`]);
  const folder = join("build", `older-${hash.slice(0, 12)}`);
  const program = resolve(folder, "dist", "main.cjs");
  if (!existsSync(program)) {
    rmSync(folder, { recursive: true, force: true });
    runTool("git", ["clone", "--quiet", "--shared", ".", folder]);
    runTool("git", ["checkout", "--quiet", hash], folder);
    cpSync("node_modules", join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
    runTool(process.execPath, ["scripts/bootstrap.mjs", "build"], folder);
  }
  say(`The older version is ${runTool("git", ["log", "-1", "--format=%h of %ad, %s", "--date=iso", hash])}.`);
  return [process.execPath, program];
}

export function runTool(command: string, args: readonly string[], cwd = "."): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed. ${stderr}`);
  return stdout.trim();
}
