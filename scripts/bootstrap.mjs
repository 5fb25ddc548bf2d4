// All scripts in package.json run this. It installs missing packages, builds stale files, then becomes the program under the
// Node of the lock file. If nothing has changed, it does neither. What only tests and checks need is installed for those.
// Plain JavaScript without packages, because an old Node must be able to run it before anything is installed.
// An install is made in another folder and leaves a stamp, so a broken install has none. An install by hand counts as
// well: npm writes node_modules/.package-lock.json last.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const inRoot = (...parts) => join(root, ...parts);
const majorVersion = Number(process.versions.node.split(".")[0]);
const installedLock = inRoot("node_modules", ".package-lock.json");
const linkedNode = inRoot("node_modules", ".bin", "node");
const installedFrom = inRoot("node_modules", ".installed-from");
const builtFrom = inRoot("dist", ".built-from");
/** The server's build needs no other tools. tsup loads the second, but never compiles with it. */
const builders = ["tsup", "typescript"];
const say = (sentence) => process.stderr.write(`${sentence}\n`);
const isTerminal = process.stderr.isTTY === true && process.env.TERM !== "dumb";

class Stop extends Error {}

class Interrupted extends Stop {
  constructor(signal) {
    super(signal);
    this.status = 128 + constants.signals[signal];
  }
}

const verbs = {
  start: (args) => withBuild(["dist/main.cjs", "serve", ...args]),
  assay: (args) => withBuild(["dist/main.cjs", ...args]),
  build: () => prepare({ build: true }),
  test: (args) => runTests(args, namesFile(args) ? "all" : "usual"),
  "test:quick": (args) => runTests(args, "quick"),
  "test:all": (args) => runTests(args, "all"),
  "test:rest": (args) => runTests(args, "rest"),
  dev: (args) => withTools(["scripts/dev.ts", ...args]),
  chaos: (args) => withTools(["scripts/chaos.ts", ...args], { build: true }),
  check: (args) => withTools(["scripts/check.ts", ...args]),
  "build:binary": (args) => withTools(["scripts/build-binary.ts", ...args], { tools: false, build: true }),
  run: (args) => runTool(args),
};

try {
  const [verb, ...args] = process.argv.slice(2);
  if (majorVersion < 20) {
    throw new Stop(
      `Assay needs Node 20 or newer to install, and this is ${process.version}. It then downloads the Node that it runs on.`,
    );
  }
  if (!Object.hasOwn(verbs, verb ?? ""))
    throw new Stop(`Usage: node scripts/bootstrap.mjs ${Object.keys(verbs).join("|")} …`);
  await verbs[verb](args);
} catch (error) {
  if (error instanceof Interrupted) process.exit(error.status);
  if (!(error instanceof Stop) && !error.syscall) throw error;
  say(error.message);
  process.exit(1);
}

async function withBuild([entry, ...args]) {
  await prepare({ build: true });
  await become(runtime(), [inRoot(entry), ...args]);
}

async function withTools([entry, ...args], wanted = {}) {
  await prepare({ tools: true, ...wanted });
  process.chdir(root);
  await become(runtime(), [inRoot(entry), ...args]);
}

/** A file or folder that is named runs whole. */
function namesFile(args) {
  return args.some((arg) => arg.startsWith("test/") && fs.existsSync(inRoot(arg)));
}

async function runTests(args, lane) {
  process.env.ASSAY_TESTS = lane;
  await withTools(["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...args]);
}

async function runTool([tool, ...args]) {
  if (!tool) throw new Stop("Usage: npm run script -- scripts/<file> …");
  await prepare({ tools: true, build: /^scripts\/(bench|scale)\//.test(tool) });
  process.chdir(root);
  if (tool.endsWith(".ts")) return become(runtime(), [inRoot(tool), ...args]);
  const file = inRoot("node_modules", ".bin", tool);
  if (!fs.existsSync(file)) throw new Stop(`No such tool in node_modules/.bin: ${tool}`);
  await become(file, args);
}

async function prepare({ tools = false, build: wantsBuild = false }) {
  const isReady = () => isInstalled(tools) && (!wantsBuild || isBuilt());
  if (isReady()) return;
  await withLock(async () => {
    if (!isInstalled(tools)) await install(tools);
    if (wantsBuild && !isBuilt()) await build();
  });
}

function isInstalled(tools) {
  // A linked node_modules belongs to another checkout, which must not lose it.
  if (fs.lstatSync(inRoot("node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  const stamp = readIfThere(installedFrom);
  if (stamp === stampOfInstall(true) || (!tools && stamp === stampOfInstall(false))) return true;
  const present = packages(installedLock);
  if (!present) return false;
  return Object.entries(wantedLock(tools).packages).every(
    ([path, entry]) =>
      path === "" || (entry.optional && !isNodeForHere(entry)) || present[path]?.version === entry.version,
  );
}

function packages(lockFile) {
  if (!fs.existsSync(lockFile)) return undefined;
  try {
    return JSON.parse(fs.readFileSync(lockFile, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function isNodeForHere(entry) {
  return entry.bin?.node !== undefined && String(entry.os) === process.platform && String(entry.cpu) === process.arch;
}

async function install(tools) {
  // NODE_ENV=production would leave out the packages that build and test. Install scripts are not needed, and an older npm
  // would try to compile SQLite.
  const flags = [
    "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--loglevel=error",
    "--no-audit",
    "--no-fund",
  ];
  const [, npmVersion] = /^npm\/(\d+)/.exec(process.env.npm_config_user_agent ?? "") ?? [];
  if (Number(npmVersion) < 10) {
    throw new Stop(
      "Assay needs npm 10 or newer, because older versions skip packages for this system. To update: npm install --global npm",
    );
  }
  const aside = inRoot("build", "install");
  const modules = inRoot("node_modules");
  try {
    fs.rmSync(aside, { recursive: true, force: true });
    fs.mkdirSync(aside, { recursive: true });
    const [file, ...args] = npmCommand();
    const npmInstall = (failure) => runQuietly(file, [...args, "ci", "--prefix", aside, ...flags], failure);
    const registry = readRegistry(file, args);
    writeManifest(aside, wantedLock(tools), (path, entry) => registry && toAddress(registry, path, entry));
    await withProgress(`Installing dependencies (${whyInstall()})`, () =>
      npmInstall(null).catch((error) => {
        if (error instanceof Interrupted) throw error;
        // Not every registry has its packages at npm's addresses. Then npm looks them up.
        writeManifest(aside, wantedLock(tools), () => undefined);
        return npmInstall("npm could not install the dependencies. Its output is above.");
      }),
    );
    linkNode(join(aside, "node_modules"));
    fs.writeFileSync(join(aside, "node_modules", ".installed-from"), stampOfInstall(tools));
    putInPlace(join(aside, "node_modules"), modules, join(aside, "before"));
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** A mount, or a folder that came with a container's image, can't be renamed and is filled. */
function putInPlace(fresh, modules, before) {
  try {
    if (fs.existsSync(modules)) fs.renameSync(modules, before);
    return fs.renameSync(fresh, modules);
  } catch (error) {
    if (error.code !== "EBUSY" && error.code !== "EXDEV") throw error;
  }
  // What shows that an install is whole goes first and comes last.
  const marks = [".package-lock.json", ".installed-from"];
  const others = (folder) => fs.readdirSync(folder).filter((name) => !marks.includes(name));
  for (const name of [...marks, ...others(modules)]) fs.rmSync(join(modules, name), { recursive: true, force: true });
  for (const name of [...others(fresh), ...marks])
    fs.cpSync(join(fresh, name), join(modules, name), { recursive: true, verbatimSymlinks: true });
}

function whyInstall() {
  if (!fs.existsSync(inRoot("node_modules"))) return "first run only";
  return readIfThere(installedFrom) === stampOfInstall(false) ? "for tests and checks" : "they have changed";
}

/** npm looks nothing up if it knows where each package is. */
function writeManifest(folder, lock, addressOf) {
  for (const [path, entry] of Object.entries(lock.packages)) if (path) entry.resolved = addressOf(path, entry);
  fs.writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  const { devDependencies } = lock.packages[""];
  const manifest = JSON.parse(fs.readFileSync(inRoot("package.json"), "utf8"));
  fs.writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, devDependencies }));
  // A copy of the sources may lack files whose names begin with a dot.
  if (fs.existsSync(inRoot(".npmrc"))) fs.copyFileSync(inRoot(".npmrc"), join(folder, ".npmrc"));
}

/** The lock file, or its part that running needs. */
function wantedLock(tools) {
  const lock = JSON.parse(fs.readFileSync(inRoot("package-lock.json"), "utf8"));
  if (tools) return lock;
  const all = lock.packages;
  const devDependencies = Object.fromEntries(builders.map((name) => [name, all[""].devDependencies[name]]));
  // The compiler, a package for each system.
  delete all["node_modules/typescript"].optionalDependencies;
  const wanted = { "": { ...all[""], devDependencies } };
  // A set that grows is walked to its new end.
  const paths = new Set([""]);
  for (const from of paths) {
    for (const name of importsOf(wanted[from])) {
      const path = foldersAround(from)
        .map((folder) => `${folder}node_modules/${name}`)
        .find((one) => all[one]);
      if (!path || paths.has(path)) continue;
      paths.add(path);
      wanted[path] = all[path];
    }
  }
  return { ...lock, packages: wanted };
}

function importsOf({ dependencies, devDependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  const own = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return [...own, ...peers];
}

/** Where Node looks for what a package imports, nearest first. */
function foldersAround(path) {
  if (path === "") return [""];
  return [`${path}/`, ...foldersAround(path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))))];
}

/** As npm's settings name it. Undefined if it doesn't say: then npm looks the packages up. */
function readRegistry(file, args) {
  const { stdout } = spawnSync(file, [...args, "config", "get", "registry"], { cwd: root, encoding: "utf8" });
  return /^https?:.*$/m.exec(stdout ?? "")?.[0].replace(/\/?$/, "/");
}

function toAddress(registry, path, { version }) {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  return `${registry}${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
}

function stampOfInstall(tools) {
  const lock = createHash("sha256").update(fs.readFileSync(inRoot("package-lock.json")));
  return `${process.platform} ${process.arch} ${lock.digest("hex")}${tools ? "" : " without tools"}`;
}

/**
 * npm 9 and 10 lose the link to the packaged Node, because the packages for other systems use the same name. If that Node
 * does not start because a library is missing, a link would hide the system's own Node.
 */
function linkNode(modules) {
  const lock = packages(join(modules, ".package-lock.json")) ?? {};
  const found = Object.entries(lock).find(([, entry]) => isNodeForHere(entry));
  if (!found) return;
  const [path, entry] = found;
  const trial = spawnSync(join(modules, "..", path, entry.bin.node), ["--version"], { encoding: "utf8" });
  const link = join(modules, ".bin", "node");
  fs.rmSync(link, { force: true });
  if (trial.status === 0) return fs.symlinkSync(join("..", "..", path, entry.bin.node), link);
  if (isNewEnough()) return;
  throw new Stop(
    `The Node 26 that comes with Assay does not start here: ${trial.error?.message ?? trial.stderr.trim()}\nInstall the missing library (Debian and Ubuntu: apt-get install libatomic1) or Node 26, and start again.`,
  );
}

/** Under `npm start`, the same npm and the Node that runs it, because the Node in node_modules is replaced. */
function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script?.endsWith("npm-cli.js") && fs.existsSync(script))
    return [node && fs.existsSync(node) ? node : process.execPath, script];
  return ["npm"];
}

function runtime() {
  if (fs.existsSync(linkedNode)) return linkedNode;
  if (isNewEnough()) return process.execPath;
  throw new Stop(
    `Assay has no Node 26 for this system (${process.platform} ${process.arch}), and this is ${process.version}. Install Node 26 and start again.`,
  );
}

/** Below Node-API 10, the SQLite addon crashes when it is loaded. */
function isNewEnough() {
  return majorVersion >= 24 && Number(process.versions.napi) >= 10;
}

function isBuilt() {
  return fs.existsSync(builtFrom) && fs.readFileSync(builtFrom, "utf8") === hashOfSources();
}

function hashOfSources() {
  const hash = createHash("sha256");
  const sources = fs
    .readdirSync(inRoot("src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
  const files = sources.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
  for (const file of [
    ...files,
    inRoot("tsup.config.ts"),
    inRoot("scripts", "build-web.ts"),
    inRoot("package.json"),
    inRoot("package-lock.json"),
  ]) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(fs.readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/** Builds in another folder, then moves the files. The stamp is removed first and written last, so that a broken build is repeated. */
async function build() {
  const hash = hashOfSources();
  const aside = inRoot("build", `dist-${process.pid}`);
  try {
    const tsup = inRoot("node_modules", "tsup", "dist", "cli-default.js");
    const failure = "The build failed. Its output is above.";
    await withProgress("Building the server", () => runQuietly(runtime(), [tsup, "--out-dir", aside], failure));
    await withProgress("Building the web app", () =>
      runQuietly(runtime(), [inRoot("scripts", "build-web.ts"), join(aside, "web")], failure),
    );
    copyHandbook(join(aside, "handbook"));
    fs.mkdirSync(inRoot("dist"), { recursive: true });
    fs.rmSync(builtFrom, { force: true });
    removeOldParts();
    for (const name of fs.readdirSync(aside)) {
      if (fs.statSync(join(aside, name)).isDirectory())
        fs.rmSync(inRoot("dist", name), { recursive: true, force: true });
      fs.renameSync(join(aside, name), inRoot("dist", name));
    }
    fs.writeFileSync(builtFrom, hash);
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** The last build's parts stay, because a server that still runs loads some of them later. */
function removeOldParts() {
  const timeOf = (name) => fs.statSync(inRoot("dist", name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const lastBuild = timeOf("main.cjs") - 60_000;
  const parts = fs.readdirSync(inRoot("dist")).filter((name) => /\.cjs(?:\.map)?$/.test(name));
  for (const name of parts.filter((one) => timeOf(one) < lastBuild)) fs.rmSync(inRoot("dist", name));
}

/** The pages and images that the server shows under /docs. */
function copyHandbook(folder) {
  const source = inRoot("src", "handbook");
  if (!fs.existsSync(source)) return;
  fs.cpSync(source, folder, { recursive: true, filter: (name) => !name.endsWith(".ts") });
}

/** Only one process installs or builds at a time. The lock is a file that is linked into place with its owner's process ID. */
async function withLock(work) {
  const lock = inRoot("build", "bootstrap.lock");
  fs.mkdirSync(dirname(lock), { recursive: true });
  for (let isFirstTry = true; !tryLock(lock); isFirstTry = false) {
    if (isFirstTry) say(`Waiting for another install or build. If none is running, remove ${lock}`);
    await sleep(200);
  }
  try {
    await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/** A stale lock is removed under a second lock. Otherwise a slower process could remove the next owner's lock. */
function tryLock(lock) {
  if (tryLink(lock)) return true;
  const guard = `${lock}.stale`;
  if (!isStale(lock) || !tryLock(guard)) return false;
  try {
    if (isStale(lock)) fs.rmSync(lock, { force: true });
  } finally {
    fs.rmSync(guard, { force: true });
  }
  return tryLink(lock);
}

function tryLink(lock) {
  const mine = `${lock}.${process.pid}`;
  // A file from a killed run may still be linked to the lock. Writing to it would take over that lock.
  fs.rmSync(mine, { force: true });
  fs.writeFileSync(mine, `${process.pid} ${birthOf(process.pid) ?? ""}`);
  try {
    fs.linkSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

/** The lock may be empty after a power cut. Process IDs are reused, after a restart or in a container even by the same program. */
function isStale(lock) {
  const owner = readIfThere(lock);
  if (owner === undefined) return false;
  const [word, birth] = owner.split(" ");
  const pid = Number(word);
  if (pid !== (pid | 0) || pid < 1 || pid === process.pid || !isAlive(pid)) return true;
  const birthNow = birthOf(pid);
  return birthNow !== undefined && birthNow !== birth;
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

/** Start time of a process in ticks since boot (proc_pid_stat(5), field 22). Undefined without /proc. */
function birthOf(pid) {
  try {
    const [state, ...fields] = fs.readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1).split(" ");
    return state === "Z" ? "ended" : fields[18];
  } catch {
    return undefined;
  }
}

/** On a terminal, one line that counts the seconds. In a pipe, one line without control characters. */
async function withProgress(doing, work) {
  if (!isTerminal) {
    say(`${doing} …`);
    return work();
  }
  const began = Date.now();
  const draw = (outcome) => {
    const seconds = Math.round((Date.now() - began) / 1000);
    process.stderr.write(`\r\x1b[K${doing} … ${outcome}${seconds} s`);
  };
  draw("");
  const timer = setInterval(() => draw(""), 1000);
  let outcome = "stopped after ";
  try {
    await work();
    outcome = "done in ";
  } finally {
    clearInterval(timer);
    draw(outcome);
    process.stderr.write("\n");
  }
}

/** Shows the output only if it fails, because standard output belongs to the program. `failure`: null if another try follows. */
function runQuietly(file, args, failure) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stderr.on("data", (chunk) => chunks.push(chunk));
    let interrupted;
    // Signals may arrive twice, from the terminal and from npm. The lock is released when the child has ended.
    const stop = (signal) => {
      child.kill(signal);
      interrupted = new Interrupted(signal);
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
    child.on("error", (error) => reject(new Stop(`Cannot start ${file}: ${error.message}`)));
    child.on("close", (status) => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeListener(signal, stop);
      if (interrupted) return reject(interrupted);
      if (status === 0) return resolve();
      if (failure !== null) process.stderr.write(Buffer.concat(chunks));
      reject(new Stop(failure));
    });
  });
}

/**
 * Replaces this process if Node can (from the second run on, it is Node 26), so that signals and exit status are the
 * program's own. An older Node waits and passes signals on, because npm signals only its child. If the whole process group
 * was signaled, the program gets the signal twice and treats it as one.
 */
async function become(file, args) {
  const path = [dirname(linkedNode), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path };
  if (process.execve) process.execve(file, [file, ...args], env);
  const child = spawn(file, args, { env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    say(`Cannot start ${file}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
}
