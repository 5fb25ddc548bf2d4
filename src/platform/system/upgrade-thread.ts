// Answers on the server's ports while its database is upgraded. In a thread, because a statement of SQLite blocks the main
// thread for as long as it takes (src/decisions.md, "Upgrades").

import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createMailServer, type Server, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { ListenAddress } from "../../analyzer/addresses.ts";
import type { PemPair } from "./self-signed.ts";

export type UpgradeThreadSetup = {
  /** Null: its port stays closed, because the certificate can't be read. */
  readonly http: ListenAddress | null;
  /** Null: plain HTTP. */
  readonly tls: PemPair | null;
  readonly smtp: readonly ListenAddress[];
  readonly hostname: string;
  readonly expectedMs: number;
};

/** The ports that are open. Those in use stay closed: the start that follows says so. */
export type UpgradeThreadNews =
  | { readonly type: "listening"; readonly http: number | null; readonly smtp: readonly number[] }
  | { readonly type: "closed" };

const { http, tls, smtp, hostname, expectedMs } = (workerData ?? {}) as UpgradeThreadSetup;
const began = performance.now();
const servers: Server[] = [];
const sockets = new Set<Socket>();

const bounds = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 1 };
const mostConnections = 200;
const patienceMs = 10_000;

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>Assay is being upgraded</title>
<h1>Assay is being upgraded</h1>
<p>TIME This page reloads automatically.</p>
</html>
`;

/** The estimate may be wrong, so there is always a moment left. */
function secondsLeft(): number {
  const left = (expectedMs - (performance.now() - began)) / 1_000;
  return Math.min(600, Math.max(5, Math.ceil(left)));
}

function timeWords(): string {
  const seconds = secondsLeft();
  if (seconds <= 5) return "It will be back soon.";
  return seconds < 60
    ? "It will be back in about a minute."
    : `It will be back in about ${Math.ceil(seconds / 60)} minutes.`;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  const path = (request.url ?? "").split("?")[0];
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  response.setHeader("connection", "close");
  // The process is alive. A supervisor that restarts it would begin the upgrade again.
  if (path === "/healthz") {
    response.setHeader("content-type", "application/json");
    return void response.end(JSON.stringify({ status: "ok" }));
  }
  response.statusCode = 503;
  response.setHeader("retry-after", String(secondsLeft()));
  const isPage = request.method === "GET" && /\btext\/html\b/.test(request.headers.accept ?? "");
  response.setHeader("content-type", isPage ? "text/html; charset=utf-8" : "application/json");
  const message = `Assay is being upgraded. ${timeWords()}`;
  response.end(isPage ? page.replace("TIME", timeWords()) : JSON.stringify({ error: "overloaded", message }));
}

/** RFC 5321 §3.8: a server may say 421 at any time, and the sender tries again later. */
function refuseMail(socket: Socket): void {
  socket.on("error", () => {});
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.resume();
  socket.end(`421 4.3.2 ${hostname} Assay is being upgraded. Try again in a few minutes.\r\n`);
}

function listen(server: Server, { host, port }: ListenAddress): Promise<number | null> {
  servers.push(server);
  server.maxConnections = mostConnections;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen({ host, port }, () => {
      server.on("error", () => {});
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function close(): Promise<void> {
  const closed = servers.filter(({ listening }) => listening).map((one) => new Promise((done) => one.close(done)));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
}

async function open(): Promise<void> {
  const webServer = tls === null ? createPlainServer(bounds, answer) : createTlsServer({ ...bounds, ...tls }, answer);
  const [httpPort = null, ...mailPorts] = await Promise.all([
    http && listen(webServer, http),
    ...smtp.map((address) => listen(createMailServer(refuseMail), address)),
  ]);
  parentPort?.once("message", async () => {
    await close();
    parentPort?.postMessage({ type: "closed" } satisfies UpgradeThreadNews);
  });
  parentPort?.postMessage({
    type: "listening",
    http: httpPort,
    smtp: mailPorts.filter((port) => port !== null),
  } satisfies UpgradeThreadNews);
}

if (parentPort) void open();
