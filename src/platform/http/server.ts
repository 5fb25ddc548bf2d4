// Node's server around the h3 application. It limits what a stranger can keep open, answers in our error format where
// the application isn't reached, and finishes open requests before it stops.

import { once } from "node:events";
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type H3, toNodeHandler } from "h3";
import { Refusal } from "../errors.ts";
import { toListenRefusal } from "../system/listening.ts";
import type { PemPair } from "../system/self-signed.ts";
import type { System } from "../system/system.ts";
import { type Connections, followConnections } from "./connections.ts";
import { type ErrorAnswer, internalRefusal, toErrorAnswer } from "./errors.ts";
import { securityHeaders } from "./exchange.ts";

const oldestTls = "TLSv1.2";

export type HttpBounds = {
  readonly maxHeaderBytes: number;
  readonly headersTimeoutMs: number;
  /** For the whole request, including its body. */
  readonly requestTimeoutMs: number;
  /** After this time, a body must have arrived at the minimum rate on average. */
  readonly bodyGraceMs: number;
  readonly bodyBytesPerSecond: number;
  readonly keepAliveTimeoutMs: number;
  /** Silence in both directions while an answer is being sent. A client that doesn't read is disconnected. */
  readonly idleTimeoutMs: number;
  readonly maxConnections: number;
  /** How long to keep reading an unwanted body, so that its sender can read the error. */
  readonly lingerMs: number;
};

export const httpBounds: HttpBounds = {
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  bodyGraceMs: 10_000,
  bodyBytesPerSecond: 500,
  // Longer than the 60 s after which common proxies close idle connections, so that they never send into a closing
  // connection.
  keepAliveTimeoutMs: 75_000,
  idleTimeoutMs: 120_000,
  maxConnections: 2_000,
  lingerMs: 2_000,
};

type HttpListen = {
  readonly host: string;
  readonly port: number;
  /** Without a certificate and key: plain HTTP. */
  readonly tls: PemPair | null;
};

export type HttpServer = {
  /** Resolves with the bound address: port 0 becomes a real one. */
  readonly start: () => Promise<AddressInfo>;
  /** Accepts no more requests. Resolves when open ones have been answered, or at the deadline. */
  readonly stop: (deadlineMs: number) => Promise<void>;
  /** For new connections. */
  readonly useTls: (pair: PemPair) => void;
};

export function createHttpServer(
  app: H3,
  listen: HttpListen,
  system: Pick<System, "log" | "random">,
  bounds: HttpBounds = httpBounds,
): HttpServer {
  const server = createNodeServer(listen, bounds);
  const connections = followConnections(server, bounds.lingerMs);
  answerRequests(server, connections, app, system);
  server.on("request", (request) => endSlowBody(request, server, bounds));
  return {
    start: async () => {
      await bind(server, listen);
      // For example, too many open files. Open connections continue.
      server.on("error", (cause) => system.log.error("Could not accept a connection.", {}, cause));
      return server.address() as AddressInfo;
    },
    stop: connections.end,
    useTls: (pair) => {
      if (server instanceof TlsServer) server.setSecureContext({ ...pair, minVersion: oldestTls });
    },
  };
}

function createNodeServer({ tls }: HttpListen, bounds: HttpBounds): Server | TlsServer {
  const options: ServerOptions = {
    maxHeaderSize: bounds.maxHeaderBytes,
    headersTimeout: bounds.headersTimeoutMs,
    requestTimeout: bounds.requestTimeoutMs,
    keepAliveTimeout: bounds.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, bounds.headersTimeoutMs),
    // The application itself refuses a request without Host, in our error format.
    requireHostHeader: false,
  };
  const server =
    tls === null
      ? createPlainServer(options)
      : createTlsServer({
          ...options,
          ...tls,
          minVersion: oldestTls,
          allowHalfOpen: true,
          handshakeTimeout: bounds.headersTimeoutMs,
        });
  server.maxConnections = bounds.maxConnections;
  server.setTimeout(bounds.idleTimeoutMs);
  // Missing in Node's types. Without it (and over TLS without the option above), clients that close their side early
  // get no answer.
  return Object.assign(server, { httpAllowHalfOpen: true });
}

const notHttp = "The request is not valid HTTP (RFC 9112).";
const clientErrorMessages: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive.",
  HPE_HEADER_OVERFLOW: "The headers are too large.",
};

/** Requests that never reach the application get an answer in the same format here. */
function answerRequests(
  server: Server,
  connections: Connections,
  app: H3,
  system: Pick<System, "log" | "random">,
): void {
  const answer = toNodeHandler(app);
  server.on("request", async (request, response) => {
    if (!(await connections.awaitTurn(request, response))) return;
    try {
      await answer(request, response);
    } catch (cause) {
      const requestId = Buffer.from(system.random(8)).toString("hex");
      system.log.error("Could not respond to a request.", { requestId }, cause);
      refuse(response, internalRefusal(requestId), requestId);
    }
  });
  server.on("checkExpectation", async (request, response) => {
    if (!(await connections.awaitTurn(request, response))) return;
    refuse(response, new Refusal("invalid_request", "Unsupported Expect header. Use 100-continue."));
  });
  server.on("connect", (_request, socket) => refuseOnSocket(socket, "This server is not a proxy."));
  server.on("clientError", async (error: NodeJS.ErrnoException, socket) => {
    socket.on("error", () => socket.destroy());
    await connections.wholeRequestsAnswered(socket);
    if (connections.hasBegunAnswer(socket)) socket.destroy();
    else refuseOnSocket(socket, clientErrorMessages[error.code ?? ""] ?? notHttp);
  });
}

/** The time in which the application doesn't read isn't the client's. */
function endSlowBody(request: IncomingMessage, server: Server, { bodyGraceMs, bodyBytesPerSecond }: HttpBounds): void {
  const { headers, socket } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const before = socket.bytesRead;
  const everyMs = Math.min(bodyGraceMs, 1_000);
  let readingMs = 0;
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer);
    if (request.readableFlowing) readingMs += everyMs;
    if (readingMs <= bodyGraceMs + ((socket.bytesRead - before) / bodyBytesPerSecond) * 1_000) return;
    clearInterval(timer);
    server.emit("clientError", Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  }, everyMs).unref();
  request.once("close", () => clearInterval(timer));
}

async function bind(server: Server, address: HttpListen): Promise<void> {
  server.listen({ host: address.host, port: address.port });
  try {
    await once(server, "listening");
  } catch (cause) {
    const settings = { hostSetting: "ASSAY_HTTP_HOST", portSetting: "ASSAY_HTTP_PORT" };
    throw toListenRefusal(cause, { what: "web", address, ...settings });
  }
}

// Errors for requests that don't reach the application, in the same format.

function refuse(response: ServerResponse, refusal: Refusal, requestId?: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const answer = toErrorAnswer(refusal, requestId);
  response.writeHead(answer.status, headersOf(answer)).end(answer.body);
}

/** For bytes that aren't a valid request. */
function refuseOnSocket(socket: Duplex, message: string): void {
  socket.on("error", () => socket.destroy());
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const answer = toErrorAnswer(new Refusal("invalid_request", message));
  const lines = Object.entries(headersOf(answer)).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join("")}\r\n`;
  socket.end(head + answer.body, () => socket.destroy());
}

/** Closes the connection, because the rest of its data may belong to the refused request. */
function headersOf({ headers, body }: ErrorAnswer): Record<string, string> {
  return {
    ...headers,
    ...securityHeaders({ secure: false, path: "" }),
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
}
