import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FetchOutcome, FetchRequest } from "../../../src/analyzer/facts/fetch.ts";
import { createFetchOperator, createFetchStranger } from "../../../src/platform/system/fetch-doors.ts";
import { createSelfSigned } from "../../../src/platform/system/self-signed.ts";
import { createHostResolver } from "../../../src/platform/system/target-guard.ts";
import { type Answer, dnsFrom } from "../../analyzer/dns/answers.ts";

const bounds: FetchRequest = { timeoutMs: 5_000, maxBytes: 10_000 };
const loopback = { all: false, networks: ["127.0.0.0/8"] };
const nothing = { all: false, networks: [] };
const fetchOperator = createFetchOperator();

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.on("close", () => {
    for (const socket of sockets) socket.destroy();
  });
  const close = server.close.bind(server);
  server.close = (...given) => {
    for (const socket of sockets) socket.destroy();
    return close(...given);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const serveHttp = (answer: RequestListener) => listen(createServer(answer));
const serveRaw = (answer: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => socket.once("data", () => answer(socket))));

function strangerDoor(zone: Record<string, Answer | { inTurn: Answer[] }> = {}, allow = loopback) {
  return createFetchStranger({ allow, resolveHost: createHostResolver(dnsFrom(zone)) });
}

function failureOf(outcome: FetchOutcome): string {
  return outcome.ok ? `answered ${outcome.status}` : outcome.failure;
}

function textOf(outcome: FetchOutcome): string {
  return outcome.ok ? Buffer.from(outcome.body).toString() : outcome.problem;
}

describe("an HTTP request to a stranger's server", () => {
  it("an HTTP request to a stranger's server returns status, headers, body, and the IP that answered", async () => {
    const port = await serveHttp((_, response) => response.writeHead(201, { "X-Kind": "a" }).end("hello"));
    const outcome = await strangerDoor({ "hook.example": ["127.0.0.1"] })(`http://hook.example:${port}/`, bounds);
    expect(outcome).toMatchObject({ ok: true, status: 201, headers: { "x-kind": "a" }, address: "127.0.0.1" });
    expect(textOf(outcome)).toBe("hello");
  });

  it("an HTTP request to a stranger's server returns only the status if the body is ignored, at any length", async () => {
    const port = await serveHttp((_, response) => {
      response.writeHead(202);
      const timer = setInterval(() => response.write("x".repeat(20_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const outcome = await strangerDoor()(`http://127.0.0.1:${port}/`, { ...bounds, ignoresBody: true });
    expect(outcome).toMatchObject({ ok: true, status: 202, body: new Uint8Array() });
  });

  it("an HTTP request to a stranger's server returns only the status if the ignored body does not end in time", async () => {
    const port = await serveHttp((_, response) => void response.writeHead(202).write("x"));
    const outcome = await strangerDoor()(`http://127.0.0.1:${port}/`, { ...bounds, timeoutMs: 300, ignoresBody: true });
    expect(outcome).toMatchObject({ ok: true, status: 202 });
  });

  it("an HTTP request to a stranger's server keeps what came of a body that does not end, if asked to", async () => {
    const port = await serveHttp((_, response) => void response.writeHead(200).write("begun"));
    const request = { ...bounds, timeoutMs: 300, keepsPart: true };
    const outcome = await strangerDoor()(`http://127.0.0.1:${port}/`, request);
    expect(outcome).toMatchObject({ ok: true, status: 200, body: Buffer.from("begun"), isPart: true });
  });

  it("an HTTP request to a stranger's server can be canceled", async () => {
    const stop = new AbortController();
    const port = await serveHttp(() => stop.abort());
    const outcome = await strangerDoor()(`http://127.0.0.1:${port}/`, { ...bounds, signal: stop.signal });
    expect(failureOf(outcome)).toBe("timeout");
  });

  it("an HTTP request to a stranger's server sends method, headers, and body, with the host's own name", async () => {
    const port = await serveHttp(async (request, response) => {
      const body = (await request.toArray()).join("");
      response.end(JSON.stringify([request.method, request.url, request.headers.host, request.headers["x-a"], body]));
    });
    const outcome = await strangerDoor({ "hook.example": ["127.0.0.1"] })(`http://hook.example:${port}/p?q=1#f`, {
      ...bounds,
      method: "POST",
      headers: { "X-A": "1", Host: "elsewhere.example" },
      body: "{}",
    });
    expect(JSON.parse(textOf(outcome))).toEqual(["POST", "/p?q=1", `hook.example:${port}`, "1", "{}"]);
  });

  it("an HTTP request to a stranger's server tries the host's next address if one is unreachable", async () => {
    const port = await serveHttp((_, response) => response.end("alive"));
    const fetch = strangerDoor({ "two.example": ["127.0.0.2", "127.0.0.1"] });
    expect(await fetch(`http://two.example:${port}/`, bounds)).toMatchObject({ ok: true, address: "127.0.0.1" });
  });

  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.0.0.1./",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.100.100.200/",
    "http://[fd00:ec2::254]/",
    "http://10.0.0.1/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost/",
    "http://①②⑦.⓪.⓪.①/",
  ])("an HTTP request to a stranger's server rejects %s", async (url) => {
    expect(failureOf(await strangerDoor({}, nothing)(url, bounds))).toBe("refused_address");
  });

  it("an HTTP request to a stranger's server rejects a name with any non-public address, without naming it", async () => {
    const fetch = strangerDoor(
      { "mixed.example": ["8.8.8.8", "10.1.2.3"], "six.example": ["2606:4700::1", "fd00::1"] },
      nothing,
    );
    const outcome = await fetch("https://mixed.example/", bounds);
    expect(failureOf(outcome)).toBe("refused_address");
    expect(textOf(outcome)).not.toContain("10.1.2.3");
    expect(failureOf(await fetch("https://six.example/", bounds))).toBe("refused_address");
  });

  it("an HTTP request to a stranger's server connects only to the checked address, even if DNS changes", async () => {
    let visits = 0;
    const port = await serveHttp((_, response) => response.end(String(++visits)));
    const zone = { "rebind.example": { inTurn: [["192.0.2.1"] as Answer, ["127.0.0.1"] as Answer] } };
    const dns = dnsFrom(zone);
    const fetch = createFetchStranger({
      allow: { all: false, networks: ["192.0.2.0/24"] },
      resolveHost: createHostResolver(dns),
    });
    const first = await fetch(`http://rebind.example:${port}/`, { ...bounds, timeoutMs: 300 });
    expect(["timeout", "unreachable"]).toContain(failureOf(first));
    expect(dns.asked).toEqual(["rebind.example A", "rebind.example AAAA"]);
    expect(failureOf(await fetch(`http://rebind.example:${port}/`, bounds))).toBe("refused_address");
    expect(visits).toBe(0);
  });

  it.each([
    "ftp://a.example/",
    "file:///etc/passwd",
    "gopher://a.example/",
    "javascript:1",
    "//a.example",
    "http://",
    "",
    "http://a b/",
  ])("an HTTP request to a stranger's server rejects %j as an invalid URL", async (url) =>
    expect(failureOf(await strangerDoor()(url, bounds))).toBe("invalid_url"),
  );

  it("an HTTP request to a stranger's server rejects a user name or password in the URL", async () => {
    expect(failureOf(await strangerDoor()("http://user:pw@a.example/", bounds))).toBe("invalid_url");
  });

  it("an HTTP request to a stranger's server distinguishes a name without addresses from a DNS error", async () => {
    const fetch = strangerDoor({ "ill.example": "servfail" });
    expect(textOf(await fetch("http://none.example/", bounds))).toBe("none.example has no IP address in DNS.");
    expect(textOf(await fetch("http://ill.example/", bounds))).toBe(
      "The DNS lookup for ill.example failed (servfail).",
    );
  });

  it("an HTTP request to a stranger's server limits the time for DNS", async () => {
    const never = createFetchStranger({ allow: nothing, resolveHost: () => new Promise(() => {}) });
    const keepAlive = setInterval(() => {}, 1_000);
    expect(failureOf(await never("http://slow.example/", { ...bounds, timeoutMs: 50 }))).toBe("timeout");
    clearInterval(keepAlive);
  });
});

describe("an HTTP redirect", () => {
  it("an HTTP redirect is returned by default, not followed", async () => {
    const port = await serveHttp((_, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end());
    expect(await strangerDoor()(`http://127.0.0.1:${port}/`, bounds)).toMatchObject({ ok: true, status: 302 });
  });

  it("an HTTP redirect is followed at most as often as requested", async () => {
    const port = await serveHttp((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const fetch = (hops: number) => strangerDoor()(`http://127.0.0.1:${port}/${hops}`, { ...bounds, redirects: 3 });
    expect(textOf(await fetch(3))).toBe("there");
    expect(failureOf(await fetch(4))).toBe("redirect");
  });

  it.each([
    ["http://10.0.0.1/", "refused_address"],
    ["http://inside.example/", "refused_address"],
    ["http://[::1]/", "refused_address"],
    ["file:///etc/passwd", "redirect"],
    ["http://user:pw@a.example/", "redirect"],
    ["http://", "redirect"],
  ])("an HTTP redirect to %s is not followed", async (location, failure) => {
    const port = await serveHttp((_, response) => response.writeHead(302, { location }).end());
    const fetch = strangerDoor({ "inside.example": ["10.9.8.7"] });
    expect(failureOf(await fetch(`http://127.0.0.1:${port}/`, { ...bounds, redirects: 5 }))).toBe(failure);
  });

  it("an HTTP redirect sends no headers to another origin, and never a body", async () => {
    const echo = await serveHttp((request, response) => response.end(request.headers.authorization ?? "none"));
    const port = await serveHttp((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${echo}/` }).end(),
    );
    const request = { ...bounds, redirects: 1, headers: { authorization: "Bearer x" } };
    const fetch = strangerDoor();
    expect(textOf(await fetch(`http://127.0.0.1:${port}/`, request))).toBe("none");
    expect(failureOf(await fetch(`http://127.0.0.1:${port}/`, { ...request, method: "POST", body: "x" }))).toBe(
      "redirect",
    );
  });
});

describe("a hostile HTTP server", () => {
  it.each([
    ["announces more than is allowed", "HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n", "too_large"],
    ["floods with headers", `HTTP/1.1 200 OK\r\n${"X-A: 0123456789\r\n".repeat(5_000)}\r\n`, "too_large"],
    ["sends one endless header", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(100_000)}`, "too_large"],
    ["does not speak HTTP", "220 mail.example ESMTP\r\n", "unreachable"],
    ["disconnects in the middle", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", "unreachable"],
    [
      "switches the protocol without a request",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      "unreachable",
    ],
    ["sends two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "unreachable"],
    ["smuggles a control character into a header", "HTTP/1.1 200 OK\r\nX: a\u0001b\r\n\r\n", "unreachable"],
  ])("a hostile HTTP server that %s causes a failure", async (_, reply, failure) => {
    const port = await serveRaw((socket) => socket.end(reply, "latin1"));
    expect(failureOf(await strangerDoor()(`http://127.0.0.1:${port}/`, bounds))).toBe(failure);
  });

  it("a hostile HTTP server may send a hundred headers, and its cookies are dropped", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `X-${i}: v\r\nSet-Cookie: a=${i}\r\n`).join("");
    const port = await serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${lines}\r\n`));
    const outcome = await strangerDoor()(`http://127.0.0.1:${port}/`, bounds);
    expect(outcome.ok && Object.keys(outcome.headers).length).toBe(101);
  });

  it("a hostile HTTP server that never ends its response is cut at the size limit", async () => {
    const port = await serveHttp((_, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(4_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(failureOf(await strangerDoor()(`http://127.0.0.1:${port}/`, bounds))).toBe("too_large");
  });

  it("a hostile HTTP server may send exactly the maximum size", async () => {
    const port = await serveHttp((_, response) => response.end(Buffer.alloc(10_000, 65)));
    const outcome = await strangerDoor()(`http://127.0.0.1:${port}/`, bounds);
    expect(outcome.ok && outcome.body.length).toBe(10_000);
  });

  it.each([
    ["does not answer", () => {}],
    ["sends its headers a byte at a time", (socket: Socket) => drip(socket, "HTTP/1.1 200 OK\r\nX: ")],
    [
      "sends its body a byte at a time",
      (socket: Socket) => drip(socket, "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"),
    ],
    ["sends a body without a length a byte at a time", (socket: Socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n")],
    ["sends 100 Continue forever", (socket: Socket) => drip(socket, "", "HTTP/1.1 100 Continue\r\n\r\n")],
  ])("a hostile HTTP server that %s is abandoned after a timeout", async (_, answer) => {
    const port = await serveRaw(answer);
    const outcome = await strangerDoor()(`http://127.0.0.1:${port}/`, { ...bounds, timeoutMs: 150 });
    expect(failureOf(outcome)).toBe("timeout");
  });

  it("a hostile HTTP server cannot send a decompression bomb", async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    const asked: (string | undefined)[] = [];
    const port = await serveHttp((request, response) => {
      asked.push(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    const outcome = await strangerDoor()(`http://127.0.0.1:${port}/`, bounds);
    expect(outcome.ok && outcome.body.length).toBe(bomb.length);
    expect(asked).toEqual(["identity"]);
  });

  it("a hostile HTTP server that resets or refuses the connection is unreachable", async () => {
    const port = await serveRaw((socket) => socket.resetAndDestroy());
    expect(textOf(await strangerDoor()(`http://127.0.0.1:${port}/`, bounds))).toBe("127.0.0.1 reset the connection.");
    const closed = await serveHttp(() => {});
    await new Promise((resolve) => servers.at(-1)?.close(resolve));
    expect(textOf(await strangerDoor()(`http://127.0.0.1:${closed}/`, bounds))).toBe(
      "127.0.0.1 refused the connection.",
    );
  });

  it("a hostile HTTP server gets no request with a forbidden header, which is a failure and not an exception", async () => {
    const outcome = await strangerDoor()("http://127.0.0.1:1/", { ...bounds, headers: { "x-a": "a\r\nb" } });
    expect(failureOf(outcome)).toBe("unreachable");
  });
});

describe("TLS for HTTP requests", () => {
  const now = Date.now();
  const trusted = createSelfSigned(["good.example"], now);
  const expired = createSelfSigned(["good.example"], now - 4_000 * 86_400_000);
  const before = getCACertificates("default");
  beforeAll(() => setDefaultCACertificates([...before, trusted.cert, expired.cert]));
  afterAll(() => setDefaultCACertificates(before));

  const zone = { "good.example": ["127.0.0.1"], "other.example": ["127.0.0.1"] };
  const serveTls = (pair: { cert: string; key: string }) =>
    listen(createSecureServer(pair, (_, response) => response.end("secret")));

  it("TLS for HTTP requests succeeds if the certificate is trusted and names the host", async () => {
    const port = await serveTls(trusted);
    expect(textOf(await strangerDoor(zone)(`https://good.example:${port}/`, bounds))).toBe("secret");
    expect(textOf(await strangerDoor(zone)(`https://good.example.:${port}/`, bounds))).toBe("secret");
  });

  it.each([
    ["names another host", trusted, "other.example"],
    ["names no address", trusted, "127.0.0.1"],
    ["has expired", expired, "good.example"],
    ["comes from an untrusted authority", createSelfSigned(["good.example"], now), "good.example"],
  ])("TLS for HTTP requests fails if the certificate %s", async (_, pair, host) => {
    const port = await serveTls(pair);
    expect(failureOf(await strangerDoor(zone)(`https://${host}:${port}/`, bounds))).toBe("tls");
  });

  it("TLS for HTTP requests fails if the server speaks plain HTTP", async () => {
    const port = await serveHttp((_, response) => response.end());
    expect(failureOf(await strangerDoor()(`https://127.0.0.1:${port}/`, bounds))).toBe("tls");
  });

  it("TLS for HTTP requests is not abandoned for plain HTTP by a redirect", async () => {
    const port = await listen(
      createSecureServer(trusted, (_, response) => response.writeHead(301, { location: "http://good.example/" }).end()),
    );
    const outcome = await strangerDoor(zone)(`https://good.example:${port}/`, { ...bounds, redirects: 1 });
    expect(textOf(outcome)).toBe("good.example redirects from https to http.");
  });
});

describe("an HTTP request to the operator's server", () => {
  it("an HTTP request to the operator's server may go to private addresses and local names", async () => {
    const port = await serveHttp((_, response) => response.end("scanner"));
    expect(textOf(await fetchOperator(`http://127.0.0.1:${port}/`, bounds))).toBe("scanner");
    expect(textOf(await fetchOperator(`http://localhost:${port}/`, bounds))).toBe("scanner");
  });

  it("an HTTP request to the operator's server has the same limits", async () => {
    const port = await serveHttp((_, response) => response.end(Buffer.alloc(10_001)));
    expect(failureOf(await fetchOperator(`http://127.0.0.1:${port}/`, bounds))).toBe("too_large");
  });

  it("an HTTP request to the operator's server reports a name without an address", async () => {
    expect(failureOf(await fetchOperator("http://nowhere.invalid/", bounds))).toBe("unresolved");
  });
});

function drip(socket: Socket, start: string, bit = "a"): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(bit), 5);
  socket.on("close", () => clearInterval(timer));
}
