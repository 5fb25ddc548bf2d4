import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSyslogFeed } from "../../../../src/features/audit-log/work/syslog-feed.ts";
import { appendEntry, bySystem } from "../../../../src/platform/audit/rows/append.ts";
import { serverChain } from "../../../../src/platform/audit/rules/entry.ts";
import { createSyslogSender, type SendSyslog } from "../../../../src/platform/system/syslog.ts";
import { openSqliteStore, temporaryFolder } from "../../../platform/database/temporary.ts";
import { testSystem } from "../../../test-system.ts";

async function feedWith(send: SendSyslog, isFramed = false) {
  const store = await openSqliteStore(join(temporaryFolder(), "assay.db"));
  const system = testSystem();
  const feed = createSyslogFeed({ store, system, send, isFramed, host: "mail.example" });
  onTestFinished(() => feed.stop(1_000));
  const append = (name: string) =>
    store.write((db) =>
      appendEntry(db, [serverChain], {
        ...bySystem,
        at: system.now(),
        action: "workspace.create",
        object_kind: "workspace",
        object_id: "wsp_1",
        object_name: name,
        details: "{}",
      }),
    );
  return { append, feed, system };
}

test("audit entries are sent once over UDP, and none is lost while the server is down", async () => {
  const receiver = createSocket("udp4");
  receiver.bind(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address();
  const lines: string[] = [];
  receiver.on("message", (message) => void lines.push(message.toString()));
  const send = createSyslogSender({ protocol: "udp", host: "127.0.0.1", port });
  let isAway = true;
  const { append, feed, system } = await feedWith(async (messages) => {
    if (isAway) throw new Error("connect ECONNREFUSED");
    await send(messages);
  });
  await append("one");
  await append("two");
  await feed.untilIdle();
  await feed.untilIdle();
  expect(system.logged.map(({ message, fields }) => [message, fields.notSent])).toEqual([
    ["the audit log cannot be sent to syslog, and is kept until it can", 2],
  ]);
  isAway = false;
  await append("three\nfour");
  await feed.untilIdle();
  await feed.untilIdle();
  await expect.poll(() => lines.length).toBe(3);
  expect(lines.map((line) => /created the workspace “(.*)”$/.exec(line)?.[1])).toEqual(["one", "two", "three\\nfour"]);
  receiver.close();
});

test("UDP to a port without a listener is an error", async () => {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  const send = createSyslogSender({ protocol: "udp", host: "127.0.0.1", port });
  await expect(send([Buffer.from("x")])).rejects.toThrow("ECONNREFUSED");
});

test("audit entries are sent over TCP with the length of each message", async () => {
  let text = "";
  const server = createServer((socket) =>
    socket.on("data", (piece) => {
      text += piece;
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { append, feed } = await feedWith(createSyslogSender({ protocol: "tcp", host: "127.0.0.1", port }), true);
  await append("one");
  await append("two");
  await feed.untilIdle();
  await expect.poll(() => text).toMatch(/^\d+ <110>1 .*“one”\d+ <110>1 .*“two”$/);
});

test("hostile names never break a syslog message over UDP or TCP", async () => {
  const hostile = [
    "one\r\ntwo\n<34>1 forged",
    "\u001b[2J\u0007\u202e",
    `"]\\ [x@1 a="b"]`,
    "é".repeat(10_240),
    "\0\ud800",
    "12 <34>1 - - -",
  ];
  const receiver = createSocket("udp4");
  receiver.bind(0, "127.0.0.1");
  await once(receiver, "listening");
  const datagrams: Buffer[] = [];
  receiver.on("message", (message) => void datagrams.push(message));
  onTestFinished(() => void receiver.close());
  const chunks: Buffer[] = [];
  const server = createServer((socket) => socket.on("data", (piece: Buffer) => void chunks.push(piece)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const udp = createSyslogSender({ protocol: "udp", host: "127.0.0.1", port: receiver.address().port });
  const { port } = server.address() as AddressInfo;
  const tcp = createSyslogSender({ protocol: "tcp", host: "127.0.0.1", port });
  for (const [send, isFramed] of [
    [udp, false],
    [tcp, true],
  ] as const) {
    const { append, feed } = await feedWith(send, isFramed);
    for (const name of hostile) await append(name);
    await feed.untilIdle();
  }
  const readFrames = () => {
    const all = Buffer.concat(chunks);
    const frames: Buffer[] = [];
    for (let at = 0; at < all.length; ) {
      const space = all.indexOf(" ", at);
      const length = Number(all.subarray(at, space).toString());
      frames.push(all.subarray(space + 1, space + 1 + length));
      at = space + 1 + length;
    }
    return frames;
  };
  await expect.poll(() => [datagrams.length, readFrames().length]).toEqual([hostile.length, hostile.length]);
  for (const message of [...datagrams, ...readFrames()]) {
    const text = message.toString();
    expect(text).toMatch(/^<110>1 \S+ mail\.example assay - workspace\.create \[assay@32473 /);
    expect(text).not.toMatch(/\p{Cc}|\u202e/u);
    expect(message.length).toBeLessThanOrEqual(2_000);
  }
});
