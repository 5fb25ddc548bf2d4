import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serverChain } from "../../../src/audit/entry.ts";
import { appendEntry, bySystem } from "../../../src/store/audit/append.ts";
import { createSyslogSender, type SendSyslog } from "../../../src/system/syslog.ts";
import { createSyslogFeed } from "../../../src/tasks/audit/syslog-feed.ts";
import { openSqliteStore, temporaryFolder } from "../../store/temporary.ts";
import { testSystem } from "../../test-system.ts";

async function feedWith(send: SendSyslog, isFramed = false) {
  const store = await openSqliteStore(join(temporaryFolder(), "assay.db"));
  const system = testSystem();
  const feed = createSyslogFeed({ store, system, send, isFramed, host: "mail.example" });
  onTestFinished(() => feed.stop(1_000));
  const append = (name: string) =>
    store.write((db) =>
      appendEntry(db, [serverChain], {
        ...bySystem,
        ...{ at: system.now(), action: "workspace.create", object_kind: "workspace" },
        ...{ object_id: "wsp_1", object_name: name, details: "{}" },
      }),
    );
  return { append, feed, system };
}

test("sends each entry once over UDP, and none is lost while the server is away", async () => {
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
  expect(lines.map((line) => /created the workspace “(.*)”$/.exec(line)?.[1])).toEqual([
    "one",
    "two",
    "three\\nfour",
  ]);
  receiver.close();
});

test("UDP to a port where nothing listens is an error", async () => {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  const send = createSyslogSender({ protocol: "udp", host: "127.0.0.1", port });
  await expect(send([Buffer.from("x")])).rejects.toThrow("ECONNREFUSED");
});

test("sends over TCP with the length of each message", async () => {
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
  const { append, feed } = await feedWith(
    createSyslogSender({ protocol: "tcp", host: "127.0.0.1", port }),
    true,
  );
  await append("one");
  await append("two");
  await feed.untilIdle();
  await expect.poll(() => text).toMatch(/^\d+ <110>1 .*“one”\d+ <110>1 .*“two”$/);
});
