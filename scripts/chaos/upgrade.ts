// Builds an older commit, lets its server receive mail, and replaces it by this version while mail keeps coming. On SQLite
// one process is replaced, and the older version is then refused if the schema is another one. On PostgreSQL three
// processes are killed, stopped, and replaced one by one (scale.ts). Nothing is lost, and nothing is analyzed twice.
// Usage: npm run script -- scripts/chaos/upgrade.ts [--commits 10 | --before <dist/main.cjs>]

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { builtProgram, runProgram, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { makeToken } from "../first-message.ts";
import { findFreePorts } from "../ports.ts";
import { checkAll, type Sent, sendThrough } from "./numbered-mail.ts";

const connections = 4;
const paceMs = 100;
const stageMs = 4_000;
const patienceMs = 300_000;

const { values } = parseArgs({ options: { commits: { type: "string", default: "10" }, before: { type: "string" } } });
const before = values.before ?? buildOlder(values.commits);
await proveSqlite([process.execPath, before]);
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "scale.ts"), "--before", before], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;

function buildOlder(commits: string): string {
  const run = (command: string, args: string[], cwd = ".") => {
    const done = spawnSync(command, args, { cwd, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${command} ${args.join(" ")} failed. ${done.stderr}`);
    return done.stdout.trim();
  };
  // Not a commit of a branch that was merged later: its migrations were never on a server.
  const commit = run("git", ["rev-list", "--first-parent", `--skip=${commits}`, "--max-count=1", "HEAD"]);
  if (commit === "") throw new Error(`There are no ${commits} older commits.`);
  const folder = join("build", `older-${commit.slice(0, 12)}`);
  // A command is run in its data directory.
  const program = resolve(folder, "dist", "main.cjs");
  if (!existsSync(program)) {
    rmSync(folder, { recursive: true, force: true });
    run("git", ["clone", "--quiet", "--shared", ".", folder]);
    run("git", ["checkout", "--quiet", commit], folder);
    cpSync("node_modules", join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
    run(process.execPath, ["scripts/bootstrap.mjs", "build"], folder);
  }
  console.log(`The older version is ${run("git", ["log", "-1", "--format=%h of %ad, %s", "--date=iso", commit])}.`);
  return program;
}

async function proveSqlite(older: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-upgrade-"));
  const [smtp = 0, http = 0] = await findFreePorts(2);
  const environment = { ASSAY_SMTP_LISTEN: `127.0.0.1:${smtp}`, ASSAY_HTTP_PORT: String(http) };
  const sent: Sent = { acknowledged: new Set(), inDoubt: new Set() };
  const stopping = new AbortController();
  try {
    const first = await startAssay({ dataDir, command: older, environment });
    const access = makeToken({ dataDir, command: older, environment });
    const senders = Array.from({ length: connections }, (_, index) =>
      sendThrough(first, `c${index}`, sent, { stopping: stopping.signal, paceMs }),
    );
    await sleep(stageMs);
    if ((await first.end("SIGTERM")) !== 0) throw new Error("The older version did not stop in order.");
    const atUpgrade = sent.acknowledged.size;
    const second = await startAssay({ dataDir, command: builtProgram, environment });
    const upgrade = second.log.find(({ message }) => message === "upgrading the database");
    const steps = upgrade
      ? `${upgrade.from} → ${upgrade.to}, expected to take ${upgrade.expected}`
      : "the schema is the same";
    await sleep(stageMs);
    stopping.abort();
    const outcomes = await Promise.all(senders);
    await untilAnalysed(second.http, patienceMs);
    await checkAll({ http: second.http, ...access }, second.seedAddress, sent);
    const analyzed = [first, second].flatMap(({ log }) =>
      log.filter(({ message }) => message === "message analyzed").map(({ test }) => test),
    );
    if (new Set(analyzed).size < analyzed.length) throw new Error("A message was analyzed twice.");
    await second.end("SIGTERM");
    const waited = outcomes.reduce((sum, { deferred, broken }) => sum + deferred + broken, 0);
    console.log(
      `SQLite: ${steps}. ${atUpgrade} messages before and ${sent.acknowledged.size - atUpgrade} after it, none lost, none analyzed twice. Senders tried ${waited} times again.`,
    );
    if (upgrade) await proveRefusal(dataDir, older);
  } finally {
    stopping.abort();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Going back is refused, and nothing changes by it. */
async function proveRefusal(dataDir: string, older: readonly string[]): Promise<void> {
  const hash = () =>
    createHash("sha256")
      .update(readFileSync(join(dataDir, "assay.db")))
      .digest("hex");
  const kept = hash();
  const { exitCode, stderr } = await runProgram({ dataDir, command: older }, ["serve"]);
  if (exitCode === 0 || !stderr.includes("newer version")) throw new Error(`It was not refused: ${stderr}`);
  if (hash() !== kept) throw new Error("The refused version changed the database.");
  const [copy] = readdirSync(dataDir).filter((name) => name.startsWith("assay.db.before-"));
  if (copy === undefined) throw new Error("There is no copy from before the upgrade.");
  const back = await runProgram({ dataDir, command: builtProgram }, ["restore", join(dataDir, copy), "--check"]);
  if (back.exitCode !== 0) throw new Error(`The copy is not good: ${back.stderr}`);
  console.log(`The older version ended with ${exitCode} and said: ${stderr.trim()}\n${copy} can be restored.`);
}
