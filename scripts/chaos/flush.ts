// Acknowledged writes were flushed, which a page cache can't fake: the server runs under strace, and for each
// acknowledged write the trace must show a completed flush of the database between the last byte of input and the
// acknowledgement.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtProgram, startAssay } from "../assay-process.ts";
import { openSession } from "../smtp-client.ts";
import { until } from "../until.ts";
import { stop } from "./kills.ts";
import type { Scene, Stage } from "./scene.ts";
import { findUnflushed, parseTrace } from "./trace.ts";

const messages = 50;
const tracedCalls = "read,recvfrom,readv,write,writev,sendto,sendmsg,fdatasync,fsync,sync_file_range";

export const flush: Scene = {
  name: "flush",
  promise: "A message is on the disk before it is acknowledged.",
  lacks: () => (spawnSync("strace", ["-V"]).error ? "strace" : undefined),
  play,
};

async function play({ folder }: Stage) {
  const traceFile = join(folder, "trace");
  // -D: the server is our child, and gets our signals.
  const strace = `strace -D -f -yy -s 65536 -e trace=${tracedCalls} -o`.split(" ");
  const command = [...strace, traceFile, ...builtProgram];
  const server = await startAssay({ dataDir: join(folder, "data"), command });
  const session = await openSession(server.smtp);
  for (let count = 0; count < messages; count++) {
    const body = `From: a@sender.example\nSubject: flushed ${count}\n\n${"x".repeat(count * 500)}\n`;
    const reply = await session.send({ from: "a@sender.example", to: [server.seedAddress], body });
    if (!reply.startsWith("250")) throw new Error(`The server rejected message ${count}: ${reply}`);
  }
  session.close();
  const synchronous = /^assay_database_synchronous (\d)/m.exec(
    await (await fetch(`${server.http}/metrics`)).text(),
  )?.[1];
  await stop(server);
  const read = () => findUnflushed(parseTrace(readFileSync(traceFile, "utf8")), server.smtp.port);
  await until("strace has written down all replies", () => read().acknowledged === messages);
  if (synchronous !== "2") throw new Error(`PRAGMA synchronous on the live writer is ${synchronous ?? "not shown"}.`);
  const { unflushed } = read();
  const note = "A flush of the database ended between the last byte of DATA and each 250, as strace shows.";
  return { acknowledged: messages, lost: unflushed.length, note: [note, ...unflushed].join("\n") };
}
