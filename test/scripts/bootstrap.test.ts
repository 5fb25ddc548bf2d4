// The real script in a separate folder, where node_modules is linked (so it counts as installed) and contains a
// builder that records its start and waits while a file named hold exists.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const builder = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
appendFileSync("builds", "begun ");
while (existsSync("hold")) await new Promise((resolve) => setTimeout(resolve, 20));
mkdirSync(process.argv[3], { recursive: true });
writeFileSync(process.argv[3] + "/main.cjs", "");
`;

let root: string;
let children: ChildProcess[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "assay-bootstrap-"));
  children = [];
  for (const folder of ["scripts", "src", "build", "packages/tsup/dist"])
    mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(join(import.meta.dirname, "../../scripts/bootstrap.mjs"), join(root, "scripts", "bootstrap.mjs"));
  for (const name of ["package.json", "package-lock.json", "tsup.config.ts"]) write(name, "{}");
  write("packages/package.json", '{ "type": "module" }');
  write("packages/tsup/dist/cli-default.js", builder);
  write("scripts/build-web.ts", "");
  symlinkSync("packages", join(root, "node_modules"));
});

afterEach(() => {
  rmSync(join(root, "hold"), { force: true });
  for (const child of children) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

const lock = () => join(root, "build", "bootstrap.lock");
const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const builds = () => (existsSync(join(root, "builds")) ? readFileSync(join(root, "builds"), "utf8") : "");

function begin(verb = "build") {
  const env = { ...process.env, npm_execpath: join(root, "npm-cli.js") };
  const child = spawn(process.execPath, [join(root, "scripts", "bootstrap.mjs"), verb], { env });
  children.push(child);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const ended = new Promise((resolve) => child.on("close", (status, signal) => resolve(status ?? signal)));
  return { child, ended, said: () => said };
}

async function until(isSo: () => boolean) {
  while (!isSo()) await sleep(20);
}

describe("a lock left by a dead build", () => {
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  test.each([
    ["is empty", ""],
    ["contains no number", "nonsense"],
    ["contains 0, which means our own process group", "0"],
    ["contains a number that is not a process ID", "1e300"],
    ["names a process that has ended", `${ended} 1`],
  ])("a lock left by a dead build is taken over if it %s", async (_name, text) => {
    writeFileSync(lock(), text);
    expect(await begin().ended).toBe(0);
    expect(readdirSync(join(root, "build"))).toEqual([]);
  });

  test.runIf(existsSync("/proc/self/stat")).each([
    ["another start time", `${process.pid} 1`],
    ["no start time", `${process.pid}`],
  ])("a lock left by a dead build is taken over if its process ID was reused: %s", async (_name, text) => {
    writeFileSync(lock(), text);
    expect(await begin().ended).toBe(0);
  });

  test("a lock left by a dead build is taken over if the build that took it over died too", async () => {
    writeFileSync(lock(), "");
    writeFileSync(`${lock()}.stale`, `${ended} 1`);
    expect(await begin().ended).toBe(0);
    expect(readdirSync(join(root, "build"))).toEqual([]);
  });

  test("a lock left by a dead build is taken over by one of several waiting builds", async () => {
    writeFileSync(lock(), "");
    const runs = Array.from({ length: 5 }, () => begin());
    expect(await Promise.all(runs.map((run) => run.ended))).toEqual([0, 0, 0, 0, 0]);
    expect(builds()).toBe("begun ");
  });
});

describe("a running build", () => {
  test("a running build makes others wait, which name the file that they wait for", async () => {
    write("hold", "");
    const first = begin();
    await until(() => builds() !== "");
    const killed = begin();
    const second = begin();
    await until(() => killed.said().includes(lock()) && second.said().includes(lock()));
    killed.child.kill("SIGKILL");
    await killed.ended;
    rmSync(join(root, "hold"));
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
    expect(builds()).toBe("begun ");
    expect(readdirSync(join(root, "build"))).toEqual([]);
  });

  test("a running build writes its steps to a pipe without control characters", async () => {
    const run = begin();
    expect(await run.ended).toBe(0);
    expect(run.said()).toBe("Building the server …\nBuilding the web app …\n");
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("a running build leaves no files after %s", async (signal, status) => {
    write("hold", "");
    const run = begin();
    await until(() => builds() !== "");
    run.child.kill(signal);
    expect(await run.ended).toBe(status);
    expect(readdirSync(join(root, "build"))).toEqual([]);
  });

  test("a running build that was killed is followed by the next one", async () => {
    write("hold", "");
    const killed = begin();
    await until(() => builds() !== "");
    killed.child.kill("SIGKILL");
    await killed.ended;
    rmSync(join(root, "hold"));
    expect(await begin().ended).toBe(0);
    expect(builds()).toBe("begun begun ");
  });
});

/** Stands for npm: installs what the lock file beside it names, and notes what that was. */
const npm = `
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
if (process.argv.includes("config")) {
  console.log("https://packages.example");
  process.exit();
}
const folder = process.argv[process.argv.indexOf("--prefix") + 1];
const lock = JSON.parse(readFileSync(folder + "/package-lock.json", "utf8"));
const { devDependencies } = JSON.parse(readFileSync(folder + "/package.json", "utf8"));
if (existsSync("has-other-addresses") && Object.values(lock.packages).some(({ resolved }) => resolved)) {
  console.error("404 Not Found");
  process.exit(1);
}
const paths = Object.keys(lock.packages).filter(Boolean);
appendFileSync("installs", [...paths, "for", ...Object.keys(devDependencies)].join(" ") + "\\n");
mkdirSync(folder + "/node_modules");
cpSync("packages", folder + "/node_modules", { recursive: true });
writeFileSync(folder + "/node_modules/.package-lock.json", JSON.stringify(lock));
`;

function needInstall(added: Readonly<Record<string, object>> = {}) {
  rmSync(join(root, "node_modules"));
  const devDependencies = { linter: "1.0.0", tsup: "1.0.0", typescript: "1.0.0" };
  const dependencies = { server: "1.0.0" };
  const packages = { "": { dependencies, devDependencies }, ...added };
  write("package-lock.json", JSON.stringify({ packages }));
  write("package.json", JSON.stringify({ dependencies, devDependencies }));
  write("npm-cli.js", npm);
  return packages;
}

const installs = () => readFileSync(join(root, "installs"), "utf8").trim().split("\n");

test("what only tests and checks need is installed for those", async () => {
  const packages = needInstall({
    "node_modules/compiler": { version: "1.0.0" },
    "node_modules/linter": { version: "1.0.0", dependencies: { shared: "^1.0.0" } },
    "node_modules/server": { version: "1.0.0", dependencies: { shared: "^2.0.0" } },
    "node_modules/server/node_modules/shared": { version: "2.0.0" },
    "node_modules/shared": { version: "1.0.0" },
    "node_modules/tsup": { version: "1.0.0", peerDependencies: { typescript: "*" } },
    "node_modules/typescript": { version: "1.0.0", optionalDependencies: { compiler: "1.0.0" } },
  });
  write("scripts/check.ts", "");
  for (const verb of ["build", "build", "check", "build"]) expect(await begin(verb).ended).toBe(0);
  expect(installs()).toEqual([
    "node_modules/server node_modules/tsup node_modules/typescript node_modules/server/node_modules/shared for tsup typescript",
    `${Object.keys(packages).filter(Boolean).join(" ")} for linter tsup typescript`,
  ]);
  expect(readdirSync(join(root, "build"))).toEqual([]);
});

const smallest = { "node_modules/tsup": { version: "1.0.0" }, "node_modules/typescript": { version: "1.0.0" } };

test("packages are looked up in a registry that doesn't have them at npm's addresses", async () => {
  needInstall(smallest);
  write("has-other-addresses", "");
  const run = begin();
  expect(await run.ended).toBe(0);
  expect(installs()).toEqual(["node_modules/tsup node_modules/typescript for tsup typescript"]);
  expect(run.said()).not.toContain("404");
});

const inMounts = ["--user", "--map-root-user", "--mount"];
const canMount = spawnSync("unshare", [...inMounts, "true"]).status === 0;

test.runIf(canMount)("packages are installed into a node_modules that is a mount and cannot be replaced", async () => {
  needInstall(smallest);
  for (const folder of ["volume", "node_modules"]) mkdirSync(join(root, folder));
  write("volume/.package-lock.json", "left by an install that failed");
  write("volume/old", "");
  const script = "mount --bind volume node_modules && exec node scripts/bootstrap.mjs build";
  const env = { ...process.env, npm_execpath: join(root, "npm-cli.js") };
  const run = spawnSync("unshare", [...inMounts, "sh", "-c", script], { cwd: root, env, encoding: "utf8" });
  expect(run).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Installing .*\nBuilding the server/) });
  expect(readdirSync(join(root, "volume"))).not.toContain("old");
  expect(readdirSync(join(root, "build"))).toEqual([]);
});

test("a build keeps the parts that a server of the last build may still load, and removes older ones", async () => {
  mkdirSync(join(root, "dist"));
  const monthAgo = Date.now() / 1_000 - 2_600_000;
  for (const [name, age] of [
    ["main.cjs", 0],
    ["chunk-LAST.cjs", 2],
    ["chunk-OLD.cjs", 86_400],
    ["chunk-OLD.cjs.map", 86_400],
    ["assay", 86_400],
  ] as const) {
    write(join("dist", name), "");
    utimesSync(join(root, "dist", name), monthAgo - age, monthAgo - age);
  }
  expect(await begin().ended).toBe(0);
  expect(readdirSync(join(root, "dist")).sort()).toEqual([".built-from", "assay", "chunk-LAST.cjs", "main.cjs"]);
});
