// Builds the packages of this commit in two clones in different directories, and compares every byte.
// Usage: npm run script -- scripts/package/reproduce.ts [--target x64|arm64]

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { succeed } from "./archives.ts";

const top = join(import.meta.dirname, "..", "..");
const { values } = parseArgs({ options: { target: { type: "string", multiple: true } } });
const targets = (values.target ?? []).flatMap((target) => ["--target", target]);
const folders = ["one", "another-place"].map((name) => mkdtempSync(join(tmpdir(), `assay-${name}-`)));
// Read once, because the repository may get another commit between the two builds.
const commit = execFileSync("git", ["-C", top, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
try {
  const [first = "", second = ""] = folders.map(build);
  console.log(first);
  if (first !== second) {
    console.error(`The second build differs:\n${second}`);
    process.exitCode = 1;
  } else console.log("Both builds have the same bytes.");
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Returns the checksums. */
function build(folder: string): string {
  const clone = join(folder, "assay");
  succeed(spawnSync("git", ["clone", "--quiet", "--shared", "--no-checkout", top, clone]), "git clone");
  succeed(spawnSync("git", ["-C", clone, "checkout", "--quiet", "--detach", commit]), "git checkout");
  cpSync(join(top, "node_modules"), join(clone, "node_modules"), { recursive: true, verbatimSymlinks: true });
  const args = ["scripts/bootstrap.mjs", "run", "scripts/package/build.ts", ...targets];
  succeed(spawnSync(process.execPath, args, { cwd: clone, stdio: ["ignore", "inherit", "inherit"] }), "package");
  return readFileSync(join(clone, "dist", "packages", "SHA256SUMS"), "utf8");
}
