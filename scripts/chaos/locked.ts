// Another process locks the database: a short lock is waited out, a long one defers the sender, who succeeds once the
// lock is gone. The web server keeps answering.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { openSession } from "../smtp-client.ts";
import type { Scene, Stage } from "./scene.ts";

const shortLockMs = 1_000;
const longLockMs = 10_000;
const patienceMs = 60_000;

export const locked: Scene = {
  name: "locked",
  promise: "While another process locks the database, senders are asked to retry, and the server answers.",
  play,
};

async function play({ folder }: Stage) {
  const dataDir = join(folder, "data");
  const server = await startAssay({ dataDir });
  const locker = new Database(join(dataDir, "assay.db"));
  const session = await openSession(server.smtp);
  const send = (subject: string) =>
    session.send({
      from: "a@sender.example",
      to: [server.seedAddress],
      body: `From: a@sender.example\nSubject: ${subject}\n\nHello.\n`,
    });
  const underLock = async (subject: string, leastMs: number, until: Promise<unknown> | null) => {
    locker.exec("begin immediate");
    const began = performance.now();
    const reply = send(subject).then((said) => ({ said, afterMs: performance.now() - began }));
    await sleep(leastMs / 2);
    await requireHealth(server);
    await Promise.all([sleep(leastMs / 2), until ?? reply]);
    locker.exec("rollback");
    return await reply;
  };

  const short = await underLock("short", shortLockMs, Promise.resolve());
  if (!short.said.startsWith("250")) throw new Error(`A lock of ${shortLockMs} ms was answered with: ${short.said}`);
  const patience = AbortSignal.timeout(patienceMs);
  patience.onabort = () => void server.end("SIGKILL");
  const long = await underLock("long", longLockMs, null);
  patience.onabort = null;
  if (!long.said.startsWith("451")) throw new Error(`A lock of ${longLockMs} ms was answered with: ${long.said}`);
  const again = await send("long");
  if (!again.startsWith("250")) throw new Error(`Without the lock the server said: ${again}`);
  session.close();
  await untilAnalysed(server.http, patienceMs);
  const kept = locker.prepare("select count(*) from tests where status = 'analyzed'").pluck().get();
  locker.close();
  const exit = await server.end("SIGTERM");
  if (exit !== 0) throw new Error(`The server ended with ${exit}.`);
  return {
    acknowledged: 2,
    lost: 2 - Number(kept),
    note: `Locked for ${shortLockMs} ms: "${short.said}". Locked for longer: "${long.said}" after ${Math.round(long.afterMs)} ms. Then the same sender: "${again}".`,
  };
}

async function requireHealth(server: AssayProcess): Promise<void> {
  const { status } = await fetch(`${server.http}/healthz`);
  if (status !== 200) throw new Error(`With a locked database /healthz answers ${status}.`);
}
