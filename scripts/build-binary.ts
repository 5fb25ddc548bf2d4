// npm run build:binary [-- --target linux-x64|linux-arm64] [--without-code-cache] → dist/assay: Node itself, stripped, with the bundle's
// parts, SQLite's addon, the web app's files and the handbook inside. src/platform/system/assets.ts reads them back by the names given here.
// For another processor Node comes from the registry, held against the lock file, and V8's code cache is left out,
// because it holds this processor's instructions. Two caches of the same code differ, so packages leave it out, too.

import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { build } from "tsup";
import { bundle } from "../tsup.config.ts";

type LockEntry = {
  readonly version: string;
  readonly integrity: string;
  readonly bin?: { readonly node?: string };
  readonly os?: unknown;
  readonly cpu?: unknown;
};

const entry = join("scripts", "binary-entry.cjs");
const own = `${process.platform}-${process.arch}`;
/** In this order. GNU's strip supports only its own processor. */
const stripTools: Readonly<Record<string, readonly string[]>> = {
  "linux-x64": ["x86_64-linux-gnu-strip", "llvm-strip", ...(own === "linux-x64" ? ["strip"] : [])],
  "linux-arm64": ["aarch64-linux-gnu-strip", "llvm-strip", ...(own === "linux-arm64" ? ["strip"] : [])],
};

const { values } = parseArgs({
  options: { target: { type: "string", default: own }, "without-code-cache": { type: "boolean", default: false } },
});
try {
  const file = await buildBinary(values.target);
  console.log(`${file}  ${(statSync(file).size / 1e6).toFixed(1)} MB`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function buildBinary(target: string): Promise<string> {
  const addon = join("node_modules", "better-sqlite3", "prebuilds", `${target}.node`);
  if (target !== own && !(target in stripTools))
    throw new Error(
      `--target takes ${Object.keys(stripTools).join(" or ")}. To build for another system, run this on that system.`,
    );
  if (!existsSync(addon)) throw new Error(`better-sqlite3 has no addon for ${target}.`);
  const folder = join("build", `binary-${target}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    await build({ ...bundle("binary"), config: false, outDir: folder });
    const node = join(folder, "node");
    stripInto(node, target === own ? process.execPath : fetchNode(target, folder), target);
    const unfinished = join(folder, "assay");
    if (target === own && !values["without-code-cache"]) compile(folder, addon);
    const files = { ...filesIn(join("dist", "web"), "web"), ...filesIn(join("src", "handbook"), "handbook") };
    embed(node, unfinished, { "better_sqlite3.node": addon, ...parts(folder), ...files });
    const finished = join("dist", target === own ? "assay" : `assay-${target}`);
    mkdirSync("dist", { recursive: true });
    renameSync(unfinished, finished);
    return finished;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function embed(executable: string, output: string, assets: Readonly<Record<string, string>>): void {
  const folder = join(executable, "..");
  const settings = {
    main: entry,
    mainFormat: "commonjs",
    executable,
    output,
    disableExperimentalSEAWarning: true,
    // NODE_OPTIONS is meant for another Node.
    execArgvExtension: "none",
    assets,
  };
  const file = join(folder, "sea.json");
  writeFileSync(file, JSON.stringify(settings));
  succeed(spawnSync(process.execPath, ["--build-sea", file]), "node --build-sea");
  chmodSync(output, 0o755);
  // macOS refuses executables with an invalid signature.
  if (process.platform === "darwin") succeed(spawnSync("codesign", ["--sign", "-", "--force", output]), "codesign");
}

/** Writes V8's code cache beside each part that a start loads. */
function compile(folder: string, addon: string): void {
  copyFileSync(addon, join(folder, "better_sqlite3.node"));
  succeed(spawnSync(process.execPath, ["scripts/warm-code.ts", folder]), "scripts/warm-code.ts");
}

/** Strips before embedding, because afterwards it would remove what was embedded. */
function stripInto(output: string, node: string, target: string): void {
  const tool = stripTools[target]?.find((name) => spawnSync(name, ["--version"]).status === 0);
  if (tool) {
    succeed(spawnSync(tool, ["-o", output, node]), tool);
  } else {
    const advice = target === own ? "binutils" : "binutils-aarch64-linux-gnu, or llvm";
    console.error(`No strip for ${target} is installed (Debian: ${advice}). The file will be 30 MB larger.`);
    copyFileSync(node, output);
  }
}

function fetchNode(target: string, folder: string): string {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, LockEntry> };
  const found = Object.entries(packages).find(([, { bin, os, cpu }]) => bin?.node && `${os}-${cpu}` === target);
  if (!found) throw new Error(`package-lock.json has no Node for ${target}.`);
  const [path, { version, integrity }] = found;
  const name = path.replace("node_modules/", "");
  const archive = join("build", `${name}-${version}.tgz`);
  if (!existsSync(archive) || !isWhole(archive, integrity)) {
    console.error(`Fetching ${name} ${version} …`);
    succeed(
      spawnSync("npm", ["pack", `${name}@${version}`, "--loglevel=error", "--pack-destination", folder]),
      "npm pack",
    );
    const fetched = join(folder, `${name}-${version}.tgz`);
    if (!isWhole(fetched, integrity))
      throw new Error(`The registry's ${name} ${version} does not match package-lock.json.`);
    renameSync(fetched, archive);
  }
  succeed(spawnSync("tar", ["-xzf", archive, "-C", folder, "package/bin/node"]), "tar");
  return join(folder, "package", "bin", "node");
}

function isWhole(archive: string, integrity: string): boolean {
  return `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}` === integrity;
}

/** Threads start from the same file as the program. */
function parts(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => /\.(?:cjs|code)$/.test(name));
  return { "binary-entry.cjs": entry, ...Object.fromEntries(names.map((name) => [name, join(folder, name)])) };
}

/** What the program serves as it is; `name` is the folder that it reads them from. */
function filesIn(folder: string, name: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.endsWith(".ts"),
  );
  return Object.fromEntries(
    files.map((entry) => join(entry.parentPath, entry.name)).map((file) => [`${name}/${relative(folder, file)}`, file]),
  );
}

function succeed({ status, error, stderr }: SpawnSyncReturns<Buffer>, what: string): void {
  if (status !== 0) throw new Error(`${what} failed. ${error?.message ?? stderr.toString()}`);
}
