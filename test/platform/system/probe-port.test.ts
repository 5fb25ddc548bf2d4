import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { probePort, tryBind } from "../../../src/platform/system/probe-port.ts";
import { createSelfSigned } from "../../../src/platform/system/self-signed.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(server: Server): Promise<{ host: string; port: number }> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

const answering = (answer: (socket: Socket) => void) =>
  listen(createServer((socket) => answer(socket.on("error", () => {}))));

describe("probing a port", () => {
  it("probing a port reads a greeting", async () => {
    const door = await answering((socket) => socket.write("220 mx.example ESMTP Assay\r\n"));
    expect(await probePort(door)).toEqual({ state: "answered", firstLine: "220 mx.example ESMTP Assay" });
  });

  it("probing a port reads the response to its request, over TLS too", async () => {
    const server = createHttpsServer(createSelfSigned(["a.example"], Date.now()), (_, response) => response.end());
    const door = await listen(server);
    const say = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    expect(await probePort({ ...door, tls: true, say })).toEqual({ state: "answered", firstLine: "HTTP/1.1 200 OK" });
  });

  it("probing a port distinguishes a server that hangs up from a closed port", async () => {
    expect(await probePort(await answering((socket) => socket.destroy()))).toEqual({ state: "silent" });
    const door = await answering(() => {});
    await new Promise((resolve) => servers.at(-1)?.close(resolve));
    expect(await probePort(door)).toEqual({ state: "closed" });
  });

  it("probing a port limits the length of a line", async () => {
    const outcome = await probePort(await answering((socket) => socket.write("x".repeat(1_000_000))));
    expect(outcome.state === "answered" && outcome.firstLine.length).toBe(512);
  });
});

describe("trying to listen on a port", () => {
  it("trying to listen on a port distinguishes a free port from one that is taken or not local", async () => {
    const { port } = await answering(() => {});
    expect(await tryBind("127.0.0.1", port)).toBe("EADDRINUSE");
    expect(await tryBind("127.0.0.1", 0)).toBeNull();
    expect(await tryBind("192.0.2.1", 2525)).toBe("EADDRNOTAVAIL");
  });
});
