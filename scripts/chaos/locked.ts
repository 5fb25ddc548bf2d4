// Another process locks the database: a short lock is waited out, a long one defers the sender, who succeeds once the
// lock is gone. The web server keeps answering.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { startAssay } from "../assay-process.ts";
import { untilAnalysed } from "../backlog.ts";
import { openSession } from "../smtp-client.ts";
import { readDatabase, stop } from "./kills.ts";
import type { Scene, Stage } from "./scene.ts";

const shortLockMs = 1_000;
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
  const send = async (subject: string) => {
    const body = `From: a@sender.example\nSubject: ${subject}\n\nHello.\n`;
    const began = performance.now();
    const reply = await session.send({ from: "a@sender.example", to: [server.seedAddress], body });
    return { reply, seconds: ((performance.now() - began) / 1_000).toFixed(1) };
  };
  /** Returns what a sender got who came meanwhile. */
  const underLock = async (ms: number) => {
    locker.exec("begin immediate");
    const sending = send(`${ms}`);
    await sleep(shortLockMs / 2);
    const { status } = await fetch(`${server.http}/healthz`);
    if (status !== 200) throw new Error(`With a locked database /healthz answers ${status}.`);
    await Promise.race([sleep(ms - shortLockMs / 2), ms === patienceMs ? sending : sleep(ms)]);
    locker.exec("rollback");
    return await sending;
  };
  const [short, long, again] = [await underLock(shortLockMs), await underLock(patienceMs), await send("again")];
  locker.close();
  session.close();
  const said = `Locked for ${shortLockMs / 1_000} s: "${short.reply}". Locked for longer: "${long.reply}" after ${long.seconds} s. Then: "${again.reply}".`;
  if (!short.reply.startsWith("250") || !long.reply.startsWith("451") || !again.reply.startsWith("250"))
    throw new Error(said);
  await untilAnalysed(server.http, patienceMs);
  await stop(server);
  const analyzed = "select count(*) from tests where status = 'analyzed'";
  const kept = readDatabase(dataDir, (database) => Number(database.prepare(analyzed).pluck().get()));
  return { acknowledged: 2, lost: Math.max(0, 2 - kept), twice: Math.max(0, kept - 2), note: said };
}
