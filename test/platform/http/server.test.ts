import { once } from "node:events";
import { request as askTls } from "node:https";
import { connect, type Socket } from "node:net";
import { setImmediate as nextRound, setTimeout as pause } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { H3 } from "h3";
import { describe, expect, onTestFinished, test } from "vitest";
import { errorBody } from "../../../src/platform/contract/endpoint.ts";
import { createHttpServer } from "../../../src/platform/http/server.ts";
import { createSelfSigned } from "../../../src/platform/system/self-signed.ts";
import { askRaw, askRawAndEnd } from "../../http/ask-raw.ts";
import { holdReadiness } from "../../http/held-readiness.ts";
import { startHttpWorld } from "../../http/http-world.ts";
import { silentLog } from "../database/store-system.ts";

function expectRefusal(heard: string): void {
  const [head = "", body = ""] = heard.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toMatch(/^connection: close$/im);
  expect(head).toMatch(/^x-content-type-options: nosniff$/im);
  expect(errorBody.parse(JSON.parse(body)).error).toBe("invalid_request");
}

describe("an invalid HTTP request", () => {
  test.each([
    ["with plain text", "hello there\r\n\r\n"],
    ["with TLS on the plain port", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["with a header without a name", "GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n"],
    ["with two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"],
    [
      "with both a length and chunks",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["with a length that is not a number", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1e3\r\n\r\n"],
    ["with a header over the size limit", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["with a proxy's CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n"],
    ["with an unknown expectation", "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n"],
  ])("an invalid HTTP request %s gets an error in the usual form, and the connection ends", async (_name, bytes) => {
    const { port, ask } = await startHttpWorld();
    expectRefusal(await askRaw(port, bytes));
    expect((await ask("GET", "/healthz")).status).toBe(200);
  });

  test.each([
    ["no Host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["two Hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n"],
  ])("an invalid HTTP request with %s is rejected", async (_name, bytes) => {
    const { port } = await startHttpWorld();
    expectRefusal(await askRaw(port, bytes));
  });

  test("an invalid HTTP request with an endless header is rejected after a timeout", async () => {
    const { port } = await startHttpWorld({ bounds: { headersTimeoutMs: 100 } });
    expectRefusal(await askRaw(port, "GET /healthz HTTP/1.1\r\nHost: a\r\n", 20_000));
  });

  test("an invalid HTTP request with an endless body is rejected after a timeout", async () => {
    const world = await startHttpWorld({ bounds: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
    const { cookie } = await world.addPerson((await world.createWorkspace("Ours")).id, "owner");
    expectRefusal(
      await askRaw(
        world.port,
        `POST /api/workspaces HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nOrigin: http://a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"name":`,
        20_000,
      ),
    );
  });
});

describe("an HTTP request with a slow body", () => {
  async function post(bodyBytes: number, bounds: Record<string, number>) {
    const world = await startHttpWorld({ bounds });
    const { cookie } = await world.addPerson((await world.createWorkspace("Ours")).id, "owner");
    const socket = await opened(world.port);
    let heard = "";
    socket.on("data", (chunk) => (heard += chunk));
    socket.write(
      `POST /api/workspaces HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nOrigin: http://a\r\nContent-Type: application/json\r\nContent-Length: ${bodyBytes}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    await once(socket, "data");
    return {
      socket,
      heard: () => heard.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ""),
      closed: once(socket, "close"),
    };
  }

  test("an HTTP request with a slow body is rejected, however often a byte comes", async () => {
    const { socket, heard, closed } = await post(100_000, { bodyGraceMs: 100, bodyBytesPerSecond: 100_000 });
    const trickle = setInterval(() => socket.write(" "), 5);
    await closed;
    clearInterval(trickle);
    expectRefusal(heard());
    expect(heard()).toContain("took too long to arrive");
  });

  test("an HTTP request with a slow body is answered if it has the minimum rate", async () => {
    const { socket, heard, closed } = await post(60, { bodyGraceMs: 1_000, bodyBytesPerSecond: 1 });
    socket.write(`{"name":"${"x".repeat(20)}"`);
    await pause(2_000);
    socket.write(`${" ".repeat(29)}}`);
    await closed;
    expect(heard()).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe("starting the HTTP server", () => {
  test("starting the HTTP server on a port in use fails with a helpful sentence", async () => {
    const { port } = await startHttpWorld();
    const system = { random: () => new Uint8Array(8), log: silentLog };
    const second = createHttpServer(new H3(), { host: "127.0.0.1", port, tls: null }, system);
    await expect(second.start()).rejects.toThrow(
      `Cannot listen on the web address 127.0.0.1:${port}: it is in use. Stop the other program, or set ASSAY_HTTP_PORT to another port.`,
    );
  });
});

describe("pipelined HTTP requests", () => {
  test("pipelined HTTP requests are answered in order, and too many end the connection", async () => {
    const { port, ask } = await startHttpWorld();
    const call = "GET /api/me HTTP/1.1\r\nHost: a\r\n\r\n";
    const last = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const statuses = async (bytes: string) =>
      [...(await askRaw(port, bytes)).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    expect(await statuses(call.repeat(31) + last)).toEqual([...Array(31).fill("401"), "200"]);
    expect(await statuses(call.repeat(200) + last)).not.toContain("200");
    expect((await ask("GET", "/healthz")).status).toBe(200);
  });

  test("pipelined HTTP requests start after the previous one is answered, so that no responses are stored", async () => {
    const world = await startHttpWorld();
    const { id } = await world.createWorkspace("Ours");
    const { token } = await world.issueToken(id);
    const large = "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";
    const body = '{"name":"Renamed"}';
    const rename = `PATCH /api/workspaces/${id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    const names = async () => {
      const { json } = await world.ask("GET", "/api/workspaces", { token });
      return json.items.map(({ name }: { name: string }) => name);
    };
    const socket = await opened(world.port);
    socket.pause();
    socket.write(large.repeat(30) + rename);
    for (let turn = 0; turn < 30; turn++) expect(await names()).toEqual(["Ours"]);
    let heard = "";
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.resume();
    await once(socket, "close");
    expect([...heard.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual([...Array(31).fill("200")]);
    expect(await names()).toEqual(["Renamed"]);
  });

  test("pipelined HTTP requests are all answered for a client that has half-closed its connection", async () => {
    const { readiness, asked, release } = holdReadiness();
    const { port, ask } = await startHttpWorld({ readiness });
    const large = "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";
    const heard = askRawAndEnd(port, `GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n${large.repeat(5)}`);
    await asked;
    await ask("GET", "/metrics"); // so that the server has seen the end
    release();
    expect((await heard).match(/HTTP\/1\.1 200 /g)).toHaveLength(6);
    expect(await heard).toMatch(/\}$/);
  });

  test("pipelined HTTP requests do not block other clients", async () => {
    const { port } = await startHttpWorld();
    const call = "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";
    const [many, one] = await Promise.all([opened(port), opened(port)]);
    let heard = "";
    many.on("data", (chunk) => {
      heard += chunk;
    });
    many.write(call.repeat(31));
    await once(many, "data");
    one.write(call);
    await once(one, "data");
    expect(heard.match(/HTTP\/1\.1 200 /g)?.length).toBeLessThan(16);
    many.destroy();
    one.destroy();
  });

  test("pipelined HTTP requests are dropped if their connection ends before", async () => {
    const { readiness, asked, release } = holdReadiness();
    const world = await startHttpWorld({ readiness });
    const socket = await opened(world.port);
    socket.write("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await asked;
    socket.resetAndDestroy();
    await world.ask("GET", "/metrics"); // so that the server has seen it
    release();
    const { text } = await world.ask("GET", "/metrics");
    expect(text).not.toMatch(/healthz/);
    expect(world.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});

test("a request whose client left before the answer isn't counted as a mistake", async () => {
  const world = await startHttpWorld();
  const client = await opened(world.port);
  client.write("POST /api/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n");
  await once(client, "data");
  client.destroy();
  await expect
    .poll(() => world.lines.find(({ message }) => message === "Request completed."))
    .toMatchObject({ fields: { route: "/api/auth/login", status: 499 } });
});

describe("stopping the HTTP server", () => {
  test("stopping the HTTP server does not affect waiting calls whose connections are closed", async () => {
    const world = await startHttpWorld();
    const { token } = await world.issueToken((await world.createWorkspace("Ours")).id);
    const call = `GET /api/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const sockets = await Promise.all(Array.from({ length: 50 }, () => opened(world.port)));
    for (const socket of sockets) socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await Promise.all(sockets.map((socket) => once(socket, "data"))); // so that all are taken
    for (const socket of sockets) socket.write(call.repeat(32));
    await once(sockets[0] as Socket, "data");
    await world.server.stop(0);
    await world.store.close();
    for (let round = 0; round < 1_000; round++) await nextRound();
    expect(world.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("stopping the HTTP server closes idle connections immediately, completes running requests, and accepts no new ones", async () => {
    const { readiness, asked, release } = holdReadiness();
    const world = await startHttpWorld({ readiness });
    const silent = await opened(world.port);
    const kept = await opened(world.port);
    kept.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(kept, "data");
    const inFlight = askRaw(world.port, "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n", 20_000);
    await asked;
    const closings = [once(silent, "close"), once(kept, "close")];
    const stopped = world.server.stop(60_000);
    await Promise.all(closings);
    await expect(opened(world.port)).rejects.toThrow("ECONNREFUSED");
    release();
    expect(await inFlight).toContain('{"status":"ready"}');
    await stopped;
  });

  test("stopping the HTTP server ends at the deadline, even with running requests", async () => {
    const { readiness, asked } = holdReadiness();
    const world = await startHttpWorld({ readiness });
    const inFlight = askRaw(world.port, "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n", 20_000);
    await asked;
    await world.server.stop(50);
    expect(await inFlight).toBe("");
  });
});

describe("HTTPS", () => {
  const nowMs = Date.now();
  const first = createSelfSigned(["first.example"], nowMs);
  const second = createSelfSigned(["second.example"], nowMs);

  test("HTTPS sends Strict-Transport-Security, unlike plain HTTP", async () => {
    const { port } = await startHttpWorld({ tls: first });
    const asking = askTls({ port, host: "127.0.0.1", path: "/healthz", rejectUnauthorized: false }).end();
    const [answer] = await once(asking, "response");
    answer.resume();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["strict-transport-security"]).toMatch(/^max-age=\d+$/);
    const plain = await startHttpWorld();
    expect((await plain.ask("GET", "/healthz")).headers.get("strict-transport-security")).toBeNull();
  });

  test("HTTPS answers a client that has half-closed its connection", async () => {
    const { readiness, asked, release } = holdReadiness();
    const { port } = await startHttpWorld({ tls: first, readiness });
    const address = { port, host: "127.0.0.1", allowHalfOpen: true };
    const client = connectTls({ ...address, rejectUnauthorized: false });
    onTestFinished(() => void client.destroy());
    let heard = "";
    client.on("data", (chunk) => {
      heard += chunk;
    });
    client.end("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n");
    await asked;
    await pause(50); // so that the server has seen the end
    release();
    await once(client, "close");
    expect(heard).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("HTTPS uses a renewed certificate for new connections, and keeps existing ones", async () => {
    const { port, server } = await startHttpWorld({ tls: first });
    const early = await handshake(port);
    server.useTls(second);
    expect((await handshake(port)).name).toBe("second.example");
    early.socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(String((await once(early.socket, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("HTTPS supports no TLS before 1.2", async () => {
    const { port } = await startHttpWorld({ tls: first });
    await expect(handshake(port, "TLSv1.1")).rejects.toThrow();
    await expect(handshake(port, "TLSv1.2")).resolves.toMatchObject({ name: "first.example" });
  });
});

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.on("error", () => {});
  return socket;
}

async function handshake(port: number, version: "TLSv1.1" | "TLSv1.2" | "TLSv1.3" = "TLSv1.3") {
  const socket = connectTls({
    port,
    host: "127.0.0.1",
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    ciphers: "DEFAULT@SECLEVEL=0",
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return { socket, name: socket.getPeerCertificate().subject.CN };
}
