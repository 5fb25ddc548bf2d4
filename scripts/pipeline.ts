// Checks that a pipeline on another machine can use Assay: from a network namespace that reaches nothing but the HTTP and
// SMTP ports of a server in another one, it gets an address, sends mail with swaks, waits for the report, and ends with the
// right exit code. Usage: npm run script -- scripts/pipeline.ts [--all]
// Without root, ip, nsenter or swaks it is skipped with a note. With --all that is a failure.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startDnsServer } from "../test/dns-server.ts";
import { readXml } from "../test/features/tests/formats/xml.ts";
import { type Letter, toMessage } from "../test/fixtures/messages/letter.ts";
import { ownHost, signature, toMailDate } from "../test/fixtures/messages/sender.ts";
import { transactional } from "../test/fixtures/messages/transactional.ts";
import { type AssayProcess, builtProgram, startAssay } from "./assay-process.ts";
import { runAssay } from "./first-message.ts";

/** Documentation addresses, which count as public. The pipeline has the address of the fixtures' sender. */
const serverAddress = "203.0.113.1";
const pipelineAddress = ownHost.clientAddress;

const exitCodes = { pass: 0, fail: 1, nothingCame: 4, wrongToken: 5, serverAway: 6 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { all: { type: "boolean", default: false }, inside: { type: "boolean", default: false } },
  });
  if (values.inside) return await prove();
  const lack = findLack();
  if (lack !== null) {
    console.warn(`SKIPPED: a pipeline on another machine needs ${lack}.`);
    if (values.all) process.exitCode = 1;
    return;
  }
  // The server's machine is a namespace too. Both vanish with their last process.
  const self = [process.execPath, fileURLToPath(import.meta.url), "--inside"];
  const { status } = spawnSync("unshare", ["--net", ...self], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}

function findLack(): string | null {
  if (process.getuid?.() !== 0) return "root";
  const tools = { ip: "iproute2", nsenter: "util-linux", swaks: "swaks" };
  const missing = Object.entries(tools).find(([tool]) => spawnSync(tool, ["--version"]).error);
  if (missing) return `Debian's package ${missing[1]}`;
  if (spawnSync("unshare", ["--net", "true"]).status !== 0) return "the right to create network namespaces";
  return existsSync(builtProgram[1] ?? "") ? null : "the last build (npm run build)";
}

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** The other machine: its own network, an empty folder, and no settings but those given. */
type Machine = {
  readonly folder: string;
  readonly run: (argv: readonly string[], more?: { env?: Record<string, string>; input?: string }) => Promise<Ended>;
};

async function prove(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-pipeline-"));
  const holder = spawn("unshare", ["--net", "sleep", "600"], { stdio: "ignore" });
  const dns = await startDnsServer({ zone: transactional.zone });
  let server: AssayProcess | undefined;
  try {
    await connectMachines(holder.pid ?? 0);
    const environment = {
      ASSAY_HTTP_HOST: serverAddress,
      ASSAY_SMTP_LISTEN: `${serverAddress}:0`,
      ...dns.settings,
      ASSAY_MIN_FREE_BYTES: "0",
    };
    const program = { command: builtProgram, dataDir: join(folder, "data"), environment };
    server = await startAssay(program);
    const made = JSON.parse(runAssay(program, "token", "create", "--name", "ci", "--json")) as { token: string };
    const machine = createMachine(join(folder, "machine"), holder.pid ?? 0);
    await tryPipeline(machine, server, made.token);
  } finally {
    await server?.end("SIGTERM");
    await dns.close();
    holder.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  }
}

/** A cable between the two. There is no route to anywhere else, and no name server. */
async function connectMachines(pid: number): Promise<void> {
  const inside = (args: readonly string[]) => ["nsenter", `--net=/proc/${pid}/ns/net`, ...args];
  // Until the process has its own namespace, the cable would connect the server with itself.
  for (let tries = 0; readNamespace(pid) === readNamespace("self"); tries++) {
    if (tries > 100) throw new Error("The pipeline's namespace was not created.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  for (const argv of [
    ["ip", "link", "set", "lo", "up"],
    ["ip", "link", "add", "cable0", "type", "veth", "peer", "name", "cable1", "netns", String(pid)],
    ["ip", "addr", "add", `${serverAddress}/24`, "dev", "cable0"],
    ["ip", "link", "set", "cable0", "up"],
    inside(["ip", "link", "set", "lo", "up"]),
    inside(["ip", "addr", "add", `${pipelineAddress}/24`, "dev", "cable1"]),
    inside(["ip", "link", "set", "cable1", "up"]),
  ]) {
    const [command = "", ...args] = argv;
    const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
  }
}

function readNamespace(pid: number | "self"): string {
  return spawnSync("readlink", [`/proc/${pid === "self" ? process.pid : pid}/ns/net`], { encoding: "utf8" }).stdout;
}

function createMachine(folder: string, pid: number): Machine {
  mkdirSync(folder);
  return {
    folder,
    run: (argv, { env = {}, input = "" } = {}) =>
      new Promise((resolve, reject) => {
        const own = { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: folder, LANG: "C.UTF-8", ...env };
        const child = spawn("nsenter", [`--net=/proc/${pid}/ns/net`, ...argv], {
          cwd: folder,
          env: own,
          stdio: "pipe",
        });
        let [stdout, stderr] = ["", ""];
        child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk));
        child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk));
        child.on("error", reject);
        child.on("close", (status) => resolve({ status, stdout, stderr }));
        child.stdin?.on("error", () => {});
        child.stdin?.end(input, "latin1");
      }),
  };
}

async function tryPipeline(machine: Machine, server: AssayProcess, token: string): Promise<void> {
  const env = { ASSAY_URL: server.http, ASSAY_TOKEN: token };
  const assay = (args: readonly string[], more: Record<string, string> = {}) =>
    machine.run([...builtProgram, ...args], { env: { ...env, ...more } });
  const getAddress = async () => {
    const { status, stdout, stderr } = await assay(["address", "--label", "build-42"]);
    if (status !== 0) throw new Error(`assay address: ${status} ${stderr}`);
    return stdout.trim();
  };
  const sendTo = (address: string, letter: Letter) => sendBySwaks(machine, server, address, letter);

  const healthy = await getAddress();
  await sendTo(healthy, transactional);
  const files = ["--save", "assay.xml", "--save", "summary.md"];
  const passed = await assay(["wait", "--address", healthy, "--fail-under", "90", ...files]);
  expectExit("pass", passed, exitCodes.pass);
  readJunit(join(machine.folder, "assay.xml"));
  const summary = readFileSync(join(machine.folder, "summary.md"), "utf8");
  if (!/^## .*: \d+(\.\d)? of 100, grade A/.test(summary) || !summary.includes("**Passed:**"))
    throw new Error(`The summary does not say that it passed:\n${summary}`);
  console.log(`  ${summary.split("\n")[0]?.slice(3)}`);

  const unsigned = await getAddress();
  await sendTo(unsigned, { ...transactional, signatures: [] });
  expectExit("fail", await assay(["wait", "--address", unsigned, "--fail-under", "90"]), exitCodes.fail);
  const none = await assay(["wait", "--address", await getAddress(), "--timeout", "2"]);
  expectExit("nothing came", none, exitCodes.nothingCame);
  const wrong = await assay(["wait", "--address", healthy], { ASSAY_TOKEN: `asy_${"0".repeat(40)}` });
  expectExit("wrong token", wrong, exitCodes.wrongToken);

  await tryTwoAtOnce(getAddress, sendTo, assay);
  await server.end("SIGTERM");
  expectExit("server away", await assay(["wait", "--address", healthy]), exitCodes.serverAway);
}

type Assay = (args: readonly string[]) => Promise<Ended>;
type SendTo = (address: string, letter: Letter) => Promise<void>;

/** The later address gets its message first. */
async function tryTwoAtOnce(getAddress: () => Promise<string>, sendTo: SendTo, assay: Assay): Promise<void> {
  const [one, other] = [await getAddress(), await getAddress()];
  const waits = [one, other].map((address) => assay(["wait", "--address", address, "--json"]));
  await sendTo(other, withHeader("Subject", "The other run"));
  await sendTo(one, withHeader("Subject", "This run"));
  const subjects = (await Promise.all(waits)).map(({ stdout }) => (JSON.parse(stdout) as { subject: string }).subject);
  if (subjects.join() !== "This run,The other run") throw new Error(`Two runs at once got: ${subjects}`);
  console.log("two runs at once: each got its own message");
}

function withHeader(name: string, value: string): Letter {
  const headers = transactional.headers.map(([key, old]) => [key, key === name ? value : old] as const);
  return { ...transactional, headers };
}

/** As if it had been written now. */
async function sendBySwaks(machine: Machine, server: AssayProcess, to: string, letter: Letter): Promise<void> {
  const now = Date.now();
  const fresh: Readonly<Record<string, string>> = { Date: toMailDate(now), To: to };
  const written = toMessage({
    ...letter,
    headers: letter.headers
      .filter(([name]) => name !== "Received")
      .map(([name, value]) => [name, fresh[name] ?? value] as const),
    signatures: letter.signatures.map(() => ({ ...signature, tags: { t: String(Math.floor(now / 1_000)) } })),
  });
  const { helo, mailFrom } = letter.heard;
  const place = ["--server", server.smtp.host, "--port", String(server.smtp.port), "--helo", helo, "--tls"];
  const data = ["--data", "-", "--no-data-fixup", "--no-strip-from"];
  const argv = ["swaks", ...place, "--from", mailFrom, "--to", to, ...data];
  const { status, stdout } = await machine.run(argv, { input: `${written.replace(/^\./gm, "..")}\r\n.` });
  if (status !== 0) throw new Error(`swaks: ${status} ${stdout.slice(-500)}`);
}

function expectExit(name: string, { status, stdout, stderr }: Ended, wanted: number): void {
  if (status !== wanted) throw new Error(`${name}: exit code ${status}, not ${wanted}.\n${stdout}\n${stderr}`);
  console.log(`${name}: exit code ${status}`);
}

function readJunit(path: string): void {
  const xml = readFileSync(path, "utf8");
  const elements = readXml(xml);
  const cases = elements.filter(({ name }) => name === "testcase").length;
  const [root] = elements;
  if (root?.name !== "testsuites" || root.attributes.failures !== "0" || cases < 50)
    throw new Error(`Not the JUnit report of a healthy message:\n${xml.slice(0, 500)}`);
}

await main();
