import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { streamToOperator } from "../../../src/platform/system/stream-exchange.ts";

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function serve(answer: (socket: Socket) => void) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    answer(socket);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

const request = { pieces: [Buffer.from("ping")], timeoutMs: 5_000, maxBytes: 1_000 };

test("a TCP client sends its request, half-closes the connection, and returns the whole response", async () => {
  const address = await serve((socket) => {
    const heard: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => heard.push(chunk));
    socket.on("end", () => socket.end(`${Buffer.concat(heard)} pong`));
  });
  const outcome = await streamToOperator(address, request);
  expect(outcome.ok && Buffer.from(outcome.bytes).toString()).toBe("ping pong");
});

test("a server that never stops is disconnected", async () => {
  const address = await serve((socket) => {
    const pour = () => {
      while (socket.write("x".repeat(10_000)));
    };
    socket.on("drain", pour);
    pour();
  });
  expect(await streamToOperator(address, request)).toEqual({ ok: false, failure: "too_large" });
});

test("a server that sends a byte now and then times out", async () => {
  const address = await serve((socket) => {
    const drip = setInterval(() => socket.write("x"), 10);
    socket.on("close", () => clearInterval(drip));
  });
  expect(await streamToOperator(address, { ...request, timeoutMs: 100 })).toEqual({ ok: false, failure: "timeout" });
});

test("a closed port, a broken connection, and an invalid name are unreachable", async () => {
  const unreachable = { ok: false, failure: "unreachable" };
  const broken = await serve((socket) => socket.resetAndDestroy());
  expect(await streamToOperator(broken, request)).toEqual(unreachable);
  expect(await streamToOperator({ host: "127.0.0.1", port: 1 }, request)).toEqual(unreachable);
  expect(await streamToOperator({ host: "no-such-host.invalid", port: 1 }, request)).toEqual(unreachable);
});
