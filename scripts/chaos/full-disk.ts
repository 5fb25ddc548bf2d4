// A full disk: senders are asked to retry and nothing is lost. /readyz says why, and the log has two lines. A person can
// log in and delete tests, after which mail is accepted again. Runs the server on a small separate file system, which
// needs root.
// With "directory", only the raw messages are on that disk.
// Usage: npm run script -- scripts/chaos/full-disk.ts [directory]

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { type AssayProcess, type AssayProcessOptions, builtProgram, runProgram, startAssay } from "../assay-process.ts";
import { runAssay } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";

const diskMegabytes = 128;
const person = { name: "Ann", email: "ann@example.com", password: "four unrelated words here" };
const environment = { ASSAY_MIN_FREE_BYTES: "0" };

async function main(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error("Run this as root, because it mounts a file system.");
  const disk = mkdtempSync(join(tmpdir(), "assay-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=0700`, "assay", disk]);
  const isOutside = process.argv[2] === "directory";
  const dataDir = isOutside ? mkdtempSync(join(tmpdir(), "assay-data-")) : join(disk, "data");
  try {
    if (isOutside) {
      mkdirSync(join(disk, "messages"));
      symlinkSync(join(disk, "messages"), join(dataDir, "messages"));
      await fillMessages({ dataDir, environment: { ...environment, ASSAY_MESSAGES: "directory" } }, disk);
    } else await fillAndRecover(dataDir, join(disk, "ballast"));
  } finally {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Only the raw messages are on the full disk. */
async function fillMessages(place: AssayProcessOptions, disk: string): Promise<void> {
  const ballast = join(disk, "ballast");
  const server = await startAssay(place);
  const session = await openSession(server.smtp);
  const send = (number: number) => session.send(toMail(number, server.seedAddress));
  let taken = 0;
  writeFileSync(ballast, Buffer.alloc(8_000_000));
  let reply = await send(taken);
  for (; reply.startsWith("250") && taken < 3_000; reply = await send(taken)) taken += 1;
  if (!/^45\d /.test(reply)) throw new Error(`With a full disk, the server said: ${reply}`);
  console.log(`The disk was full after ${taken} messages: ${reply}`);
  rmSync(ballast);
  await until("mail is accepted", async () => (await send(taken)).startsWith("250"));
  session.close();
  const left = readdirSync(disk, { recursive: true }).filter((name) => String(name).endsWith(".new"));
  if (left.length > 0) throw new Error(`Unfinished files are left: ${left.join(", ")}.`);
  const checked = await runProgram(place, ["messages", "check"]);
  if (checked.exitCode !== 0) throw new Error(checked.stdout);
  const exit = await server.end("SIGTERM");
  if (exit !== 0) throw new Error(`The server ended with ${exit}.`);
  expectSound(place.dataDir, taken + 1);
}

async function fillAndRecover(dataDir: string, ballast: string): Promise<void> {
  const server = await startAssay({ dataDir, environment });
  await setUp(server, dataDir);
  await until("the reserve file exists", async () => existsSync(join(dataDir, "reserve")));
  const session = await openSession(server.smtp);
  const send = (number: number) => session.send(toMail(number, server.seedAddress));
  const taken = new Set<number>();
  let number = 0;
  // What else is on the disk.
  writeFileSync(ballast, Buffer.alloc(16_000_000));
  let reply = await send(number);
  for (; reply.startsWith("250") && number < 3_000; reply = await send(++number)) taken.add(number);
  if (!/^45\d /.test(reply)) throw new Error(`With a full disk, the server said: ${reply}`);
  console.log(`The disk was full after ${taken.size} messages: ${reply}`);
  for (let more = 0; more < 100; more++) await send(number);
  await expectNotReady(server);
  const { cookie, workspaceId } = await logIn(server);
  const deleted = await deleteAll(server, cookie, workspaceId);
  console.log(`Logged in and deleted ${deleted} tests on the full disk.`);
  await until("mail is accepted", async () => (await send(number)).startsWith("250"));
  console.log("Mail is accepted again, with the other file still there.");
  await until("it is ready", async () => (await fetch(`${server.http}/readyz`)).status === 200);
  if (!existsSync(join(dataDir, "reserve"))) throw new Error("The reserve file was not created again.");
  session.close();
  await until("it is logged", async () => linesAbout(server, "mail is accepted again").length === 1);
  const begun = linesAbout(server, "new mail is deferred");
  const others = server.log.filter(({ message }) => /could not be stored/.test(String(message)));
  if (begun.length !== 1 || others.length > 0)
    throw new Error(`Logged ${begun.length} times, and ${others.length} other lines.`);
  console.log(`Logged: ${JSON.stringify(linesAbout(server, "mail is accepted again")[0])}`);
  const exit = await server.end("SIGTERM");
  if (exit !== 0) throw new Error(`The server ended with ${exit}.`);
  expectSound(dataDir, taken.size - deleted + 1);
}

function toMail(number: number, to: string) {
  // Random characters don't compress.
  const letters = Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))).toString("base64");
  const body = `From: a@sender.example\nSubject: ${number}\n\n${letters.replace(/.{76}/g, "$&\n")}\n`;
  return { from: `${number}@sender.example`, to: [to], body };
}

async function setUp(server: AssayProcess, dataDir: string): Promise<void> {
  const printed = runAssay({ command: builtProgram, dataDir, environment }, "setup-link", "--json");
  const { link } = JSON.parse(printed) as { link: string };
  const [, token] = link.split("#");
  const answer = await post(server, "/api/auth/setup", { token, ...person });
  if (answer.status !== 201) throw new Error(`Setup returned ${answer.status}: ${await answer.text()}`);
}

async function post(server: AssayProcess, path: string, body: unknown, more: Record<string, string> = {}) {
  const headers = { "content-type": "application/json", origin: server.http, ...more };
  return await fetch(`${server.http}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function expectNotReady(server: AssayProcess): Promise<void> {
  const answer = await fetch(`${server.http}/readyz`);
  const text = await answer.text();
  if (answer.status !== 503 || !text.includes('"disk_full"'))
    throw new Error(`With a full disk, /readyz returned ${answer.status}: ${text}`);
  console.log(`/readyz: ${text}`);
  for (const path of ["/healthz", "/readyz?for=web", "/metrics"])
    if ((await fetch(`${server.http}${path}`)).status !== 200)
      throw new Error(`With a full disk, ${path} does not return 200.`);
}

async function logIn(server: AssayProcess): Promise<{ cookie: string; workspaceId: string }> {
  const { email, password } = person;
  const answer = await post(server, "/api/auth/login", { email, password });
  if (!answer.ok) throw new Error(`Login returned ${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const { workspaces } = (await answer.json()) as { workspaces: { id: string }[] };
  return { cookie, workspaceId: workspaces[0]?.id ?? "" };
}

async function deleteAll(server: AssayProcess, cookie: string, workspaceId: string): Promise<number> {
  const headers = { cookie, "x-workspace-id": workspaceId };
  const page = await fetch(`${server.http}/api/tests?limit=100`, { headers });
  const { total } = (await page.json()) as { total: number };
  const answer = await post(server, "/api/tests/delete", { search: "", expected: total }, headers);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`Deleting returned ${answer.status}: ${text}`);
  return (JSON.parse(text) as { deleted: number }).deleted;
}

function linesAbout(server: AssayProcess, message: string) {
  return server.log.filter((line) => line.message === message && line.reason === "disk_full");
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 120; tries++, await sleep(500)) if (await holds()) return;
  throw new Error(`A minute was not enough until ${what}.`);
}

function expectSound(dataDir: string, tests: number): void {
  const database = new Database(join(dataDir, "assay.db"));
  const integrity = database.pragma("integrity_check", { simple: true });
  const kept = database.prepare("select count(*) from tests").pluck().get();
  database.close();
  if (integrity !== "ok" || kept !== tests)
    throw new Error(`integrity_check: ${String(integrity)}; ${String(kept)} of ${tests} messages are there.`);
  console.log("Nothing that was acknowledged and not deleted is missing; integrity_check is ok.");
}

await main();
