// A full disk: senders are asked to retry and nothing is lost. /readyz says why, and the log has two lines. A person can
// log in and delete tests, after which mail is accepted again.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AssayProcess, builtProgram, endAllAssays, startAssay } from "../assay-process.ts";
import { runAssay } from "../first-message.ts";
import { openSession } from "../smtp-client.ts";
import { until } from "../until.ts";
import { readDatabase, stop } from "./kills.ts";
import { findLeftovers } from "./leftovers.ts";
import type { Scene, Seen } from "./scene.ts";

const diskMegabytes = 128;
const mostMessages = 3_000;
const person = { name: "Ann", email: "ann@example.com", password: "four unrelated words here" };
const environment = { ASSAY_MIN_FREE_BYTES: "0" };

export const fullDisk: Scene = {
  name: "full-disk",
  promise: "On a full disk, senders are asked to retry. A person can log in and delete, and mail is accepted again.",
  lacks: () => (process.getuid?.() === 0 ? undefined : "root's right to mount a small file system"),
  play: ({ folder }) => onSmallDisk(folder, (disk) => fillAll(join(disk, "data"), join(disk, "ballast"))),
};

/** Also counts what is left, which would be gone with the disk. */
async function onSmallDisk(folder: string, play: (disk: string) => Promise<Seen>): Promise<Seen> {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=0700`, "assay", disk]);
  const unmount = () => execFileSync("umount", ["--lazy", disk]);
  process.once("exit", unmount);
  try {
    const seen = await play(disk);
    const left = await findLeftovers(folder);
    return { ...seen, leftovers: left.length, note: [seen.note, ...left].join("\n") };
  } finally {
    await endAllAssays();
    unmount();
    process.off("exit", unmount);
  }
}

async function fillAll(dataDir: string, ballast: string): Promise<Seen> {
  const server = await startAssay({ dataDir, environment });
  await setUp(server, dataDir);
  await until("the reserve file exists", () => existsSync(join(dataDir, "reserve")));
  // What else is on the disk, and stays there.
  writeFileSync(ballast, Buffer.alloc(16_000_000));
  const seen = await fill(server, dataDir, async () => {
    await expectNotReady(server);
    return await deleteAll(server);
  });
  const logged = (wanted: RegExp) => server.log.filter(({ message }) => wanted.test(String(message)));
  const ended = logged(/^mail is accepted again$/);
  const others = logged(/could not be stored/);
  if (logged(/^new mail is deferred$/).length !== 1 || ended[0]?.reason !== "disk_full" || others.length > 0)
    throw new Error(`The log does not say it once: ${JSON.stringify([...ended, ...others])}`);
  if (!existsSync(join(dataDir, "reserve"))) throw new Error("The reserve file was not created again.");
  return { ...seen, note: `${seen.note} /readyz said so, and the log once.` };
}

/** `makeRoom` returns how many of the tests it deleted. */
async function fill(server: AssayProcess, dataDir: string, makeRoom: () => Promise<number>): Promise<Seen> {
  const session = await openSession(server.smtp);
  const send = (number: number) => {
    // Random characters don't compress.
    const letters = Buffer.from(crypto.getRandomValues(new Uint8Array(50_000))).toString("base64");
    const body = `From: a@sender.example\nSubject: ${number}\n\n${letters.replace(/.{76}/g, "$&\n")}\n`;
    return session.send({ from: `${number}@sender.example`, to: [server.seedAddress], body });
  };
  let taken = 0;
  let reply = await send(taken);
  for (; reply.startsWith("250") && taken < mostMessages; reply = await send(taken)) taken += 1;
  const full = taken;
  if (!/^45\d /.test(reply)) throw new Error(`With a full disk, the server said: ${reply}`);
  for (let more = 0; more < 100; more++) if ((await send(taken)).startsWith("250")) taken += 1;
  const deleted = await makeRoom();
  await until("mail is accepted", async () => (await send(taken)).startsWith("250"));
  await until("it is ready", async () => (await fetch(`${server.http}/readyz`)).status === 200);
  session.close();
  await stop(server);
  const count = "select count(*) from tests";
  const kept = readDatabase(dataDir, (database) => Number(database.prepare(count).pluck().get()));
  const note = `The disk was full after ${full} messages: "${reply}". ${deleted} tests were deleted.`;
  const missing = taken + 1 - deleted - kept;
  return { acknowledged: taken + 1, lost: Math.max(0, missing), twice: Math.max(0, -missing), note };
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

async function deleteAll(server: AssayProcess): Promise<number> {
  const { email, password } = person;
  const login = await post(server, "/api/auth/login", { email, password });
  const cookie = login.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const { workspaces } = (await login.json()) as { workspaces: { id: string }[] };
  const headers = { cookie, "x-workspace-id": workspaces[0]?.id ?? "" };
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
