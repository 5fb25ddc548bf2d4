// A full disk: senders are asked to retry and nothing is lost. /readyz says why, and the log has two lines. A person can
// log in and delete tests, after which mail is accepted again. In the second scene only the raw messages are on that disk.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AssayProcess,
  type AssayProcessOptions,
  builtProgram,
  endAllAssays,
  startAssay,
} from "../assay-process.ts";
import { runAssay } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";
import { readDatabase } from "./kills.ts";
import { findLeftovers } from "./leftovers.ts";
import type { Scene, Seen, Stage } from "./scene.ts";

const diskMegabytes = 128;
const mostMessages = 3_000;
const person = { name: "Ann", email: "ann@example.com", password: "four unrelated words here" };
const environment = { ASSAY_MIN_FREE_BYTES: "0" };
const lacks = () => (process.getuid?.() === 0 ? undefined : "root's right to mount a small file system");

export const fullDisk: Scene = {
  name: "full-disk",
  promise: "On a full disk, senders are asked to retry. A person can log in and delete, and mail is accepted again.",
  lacks,
  play: (stage) =>
    onSmallDisk(stage, (disk) => fillAndRecover({ dataDir: join(disk, "data"), environment }, join(disk, "ballast"))),
};

export const fullMessages: Scene = {
  name: "full-messages",
  promise: "If only the disk of the raw messages is full, senders are asked to retry, and nothing is lost.",
  lacks,
  play: (stage) =>
    onSmallDisk(stage, (disk) => {
      const dataDir = join(stage.folder, "data");
      mkdirSync(dataDir, { mode: 0o700 });
      mkdirSync(join(disk, "messages"));
      symlinkSync(join(disk, "messages"), join(dataDir, "messages"));
      return fillMessages({ dataDir, environment: { ...environment, ASSAY_MESSAGES: "directory" } }, disk);
    }),
};

/** Also counts what is left, which would be gone with the disk. */
async function onSmallDisk({ folder }: Stage, play: (disk: string) => Promise<Seen>): Promise<Seen> {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=0700`, "assay", disk]);
  try {
    const seen = await play(disk);
    const left = await findLeftovers(folder);
    return { ...seen, leftovers: left.length, note: [seen.note, ...left].join("\n") };
  } finally {
    await endAllAssays();
    execFileSync("umount", [disk]);
  }
}

async function fillMessages(place: AssayProcessOptions, disk: string): Promise<Seen> {
  const ballast = join(disk, "ballast");
  const server = await startAssay(place);
  const { send, fill, close } = await openFiller(server);
  writeFileSync(ballast, Buffer.alloc(8_000_000));
  const { taken, reply } = await fill();
  rmSync(ballast);
  await until("mail is accepted", async () => (await send(taken)).startsWith("250"));
  close();
  const lost = await stopAndCount(server, place.dataDir, taken + 1);
  return { acknowledged: taken + 1, lost, note: `The disk was full after ${taken} messages: "${reply}".` };
}

async function fillAndRecover(place: AssayProcessOptions, ballast: string): Promise<Seen> {
  const { dataDir } = place;
  const server = await startAssay(place);
  await setUp(server, dataDir);
  await until("the reserve file exists", async () => existsSync(join(dataDir, "reserve")));
  const { send, fill, close } = await openFiller(server);
  // What else is on the disk, and stays there.
  writeFileSync(ballast, Buffer.alloc(16_000_000));
  const { taken, reply } = await fill();
  for (let more = 0; more < 100; more++) await send(taken);
  await expectNotReady(server);
  const { cookie, workspaceId } = await logIn(server);
  const deleted = await deleteAll(server, cookie, workspaceId);
  await until("mail is accepted", async () => (await send(taken)).startsWith("250"));
  await until("it is ready", async () => (await fetch(`${server.http}/readyz`)).status === 200);
  if (!existsSync(join(dataDir, "reserve"))) throw new Error("The reserve file was not created again.");
  close();
  await until("it is logged", async () => linesAbout(server, "mail is accepted again").length === 1);
  const begun = linesAbout(server, "new mail is deferred");
  const others = server.log.filter(({ message }) => /could not be stored/.test(String(message)));
  if (begun.length !== 1 || others.length > 0)
    throw new Error(`Logged ${begun.length} times, and ${others.length} other lines.`);
  const lost = await stopAndCount(server, dataDir, taken - deleted + 1);
  const note = `The disk was full after ${taken} messages: "${reply}". /readyz said so, and the log once. A person logged in and deleted ${deleted} tests.`;
  return { acknowledged: taken + 1, lost, note };
}

/** `fill` sends until a message is deferred. */
async function openFiller(server: AssayProcess) {
  const session = await openSession(server.smtp);
  const send = (number: number) => {
    // Random characters don't compress.
    const letters = Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))).toString("base64");
    const body = `From: a@sender.example\nSubject: ${number}\n\n${letters.replace(/.{76}/g, "$&\n")}\n`;
    return session.send({ from: `${number}@sender.example`, to: [server.seedAddress], body });
  };
  const fill = async () => {
    let taken = 0;
    let reply = await send(taken);
    for (; reply.startsWith("250") && taken < mostMessages; reply = await send(taken)) taken += 1;
    if (!/^45\d /.test(reply)) throw new Error(`With a full disk, the server said: ${reply}`);
    return { taken, reply };
  };
  return { send, fill, close: session.close };
}

async function setUp(server: AssayProcess, dataDir: string): Promise<void> {
  const printed = runAssay({ command: builtProgram, dataDir, environment }, "setup-link", "--json");
  const [, token] = (JSON.parse(printed) as { link: string }).link.split("#");
  await post(server, "/api/auth/setup", { token, ...person });
}

async function expectNotReady(server: AssayProcess): Promise<void> {
  const answer = await fetch(`${server.http}/readyz`);
  const text = await answer.text();
  if (answer.status !== 503 || !text.includes('"disk_full"'))
    throw new Error(`With a full disk, /readyz returned ${answer.status}: ${text}`);
  for (const path of ["/healthz", "/readyz?for=web", "/metrics"])
    if ((await fetch(`${server.http}${path}`)).status !== 200)
      throw new Error(`With a full disk, ${path} does not return 200.`);
}

async function logIn(server: AssayProcess): Promise<{ cookie: string; workspaceId: string }> {
  const { email, password } = person;
  const answer = await post(server, "/api/auth/login", { email, password });
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const { workspaces } = (await answer.json()) as { workspaces: { id: string }[] };
  return { cookie, workspaceId: workspaces[0]?.id ?? "" };
}

async function deleteAll(server: AssayProcess, cookie: string, workspaceId: string): Promise<number> {
  const headers = { cookie, "x-workspace-id": workspaceId };
  const page = await fetch(`${server.http}/api/tests?limit=100`, { headers });
  const { total } = (await page.json()) as { total: number };
  const answer = await post(server, "/api/tests/delete", { search: "", expected: total }, headers);
  return ((await answer.json()) as { deleted: number }).deleted;
}

async function post(server: AssayProcess, path: string, body: unknown, more: Record<string, string> = {}) {
  const headers = { "content-type": "application/json", origin: server.http, ...more };
  const answer = await fetch(`${server.http}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`);
  return answer;
}

function linesAbout(server: AssayProcess, message: string) {
  return server.log.filter((line) => line.message === message && line.reason === "disk_full");
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 120; tries++, await sleep(500)) if (await holds()) return;
  throw new Error(`A minute was not enough until ${what}.`);
}

/** Returns how many of the tests are missing. */
async function stopAndCount(server: AssayProcess, dataDir: string, tests: number): Promise<number> {
  const exit = await server.end("SIGTERM");
  if (exit !== 0) throw new Error(`The server ended with ${exit}.`);
  const count = "select count(*) from tests";
  return tests - readDatabase(dataDir, (database) => Number(database.prepare(count).pluck().get()));
}
