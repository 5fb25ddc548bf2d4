// Connections that send one byte every 4 s inside DATA, and connect again when they are closed: first many from a few
// addresses of one network, then five times as many from as many networks. Meanwhile other clients deliver mail.

import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { sendMail } from "../smtp-client.ts";
import { stop } from "./kills.ts";
import type { Scene, Stage } from "./scene.ts";

const attacks = [
  { connections: 200, addresses: 10, toAddress: (number: number) => `127.0.1.${number + 1}` },
  { connections: 1_000, addresses: 50, toAddress: (number: number) => `127.1.${number + 1}.1` },
];
const byteEveryMs = 4_000;
const returnAfterMs = 1_000;
const settleMs = 8_000;
const goodEveryMs = 5_000;
/** A good client that is asked to retry does so at once. */
const retryMs = 1_000;
const servedWithinMs = 30_000;

export const slowSenders: Scene = {
  name: "slow-senders",
  promise: "While hundreds of connections send a byte now and then, another client's mail is accepted within 30 s.",
  lacks: () => (process.platform === "linux" ? undefined : "Linux, where all of 127.0.0.0/8 is loopback"),
  play,
};

async function play({ folder, isSmall, say }: Stage) {
  const server = await startAssay({ dataDir: join(folder, "data") });
  const goodMs = isSmall ? 15_000 : 120_000;
  let [acknowledged, lost] = [0, 0];
  const notes: string[] = [];
  for (const { connections, addresses, toAddress } of isSmall ? attacks.slice(-1) : attacks) {
    const stopping = new AbortController();
    const ends = Array.from({ length: connections }, (_, number) =>
      sendSlowly(server, toAddress(number % addresses), stopping.signal),
    );
    await sleep(settleMs);
    const good: Promise<number | undefined>[] = [];
    for (let waitedMs = 0; waitedMs < goodMs; waitedMs += goodEveryMs) {
      good.push(deliver(server, good.length));
      await sleep(goodEveryMs);
    }
    const tookMs = await Promise.all(good);
    stopping.abort();
    const closed = (await Promise.all(ends)).reduce((sum, count) => sum + count, 0);
    const served = tookMs.filter((ms) => ms !== undefined);
    acknowledged += served.length;
    lost += tookMs.length - served.length;
    notes.push(
      `${connections} connections from ${addresses} addresses were closed ${closed} times. Of ${tookMs.length} good clients ${served.length} were served, after ${(Math.max(0, ...served) / 1_000).toFixed(1)} s at most.`,
    );
    say(notes.at(-1) ?? "");
  }
  const { status } = await fetch(`${server.http}/healthz`);
  if (status !== 200) throw new Error(`/healthz answered ${status}.`);
  await stop(server);
  return { acknowledged, lost, note: notes.join("\n") };
}

/** Returns how often it was closed or turned away. */
async function sendSlowly({ smtp, seedAddress }: AssayProcess, localAddress: string, stopping: AbortSignal) {
  const lines = ["EHLO slow.example", "MAIL FROM:<a@slow.example>", `RCPT TO:<${seedAddress}>`, "DATA"];
  let closed = 0;
  while (!stopping.aborted) {
    const socket = connect({ ...smtp, localAddress });
    let step = 0;
    let timer: NodeJS.Timeout | undefined;
    socket.on("data", (reply: Buffer) => {
      if (!/^[23]\d\d /m.test(reply.toString()) || timer) return;
      const line = lines[step++];
      if (line !== undefined) socket.write(`${line}\r\n`);
      else timer = setInterval(() => socket.write("x"), byteEveryMs);
    });
    const stop = () => socket.destroy();
    stopping.addEventListener("abort", stop, { once: true });
    await new Promise<void>((resolve) => socket.on("error", () => {}).on("close", () => resolve()));
    stopping.removeEventListener("abort", stop);
    clearInterval(timer);
    if (stopping.aborted) break;
    closed += 1;
    await sleep(returnAfterMs);
  }
  return closed;
}

/** Each from its own address. Returns after how long it was accepted, or undefined if not in time. */
async function deliver({ smtp, seedAddress }: AssayProcess, number: number): Promise<number | undefined> {
  const began = performance.now();
  const passed = () => performance.now() - began;
  const mail = { from: "good@sender.example", to: [seedAddress], body: `Subject: good ${number}\n\nHello.\n` };
  while (passed() < servedWithinMs) {
    const sending = sendMail({ ...smtp, localAddress: `127.2.${number % 250}.1` }, mail).catch(() => "");
    const reply = await Promise.race([sending, sleep(servedWithinMs - passed(), "")]);
    if (reply.startsWith("250")) return passed();
    await sleep(retryMs);
  }
  return undefined;
}
