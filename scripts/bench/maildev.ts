// Installs the nearest peer in TypeScript once, next to the builds.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const maildevVersion = "3.0.0";
const folder = resolve("build", `maildev-${maildevVersion}`);
export const maildevProgram = join(folder, "node_modules", "maildev", "dist", "bin", "maildev.js");

export function installMaildev(): void {
  if (existsSync(maildevProgram)) return;
  console.log(`Installing MailDev ${maildevVersion} into ${folder} …`);
  mkdirSync(folder, { recursive: true });
  // It shares packages with us, so our overrides apply to it too.
  const { overrides } = JSON.parse(readFileSync("package.json", "utf8")) as { overrides: object };
  const manifest = { private: true, dependencies: { maildev: maildevVersion }, overrides };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", ["install", "--prefix", folder, ...flags], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("MailDev could not be installed.");
}
