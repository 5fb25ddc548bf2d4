// Node's server around the h3 application: bounds on what a stranger may hold open, answers in our form where the
// application is never asked, and an end that lets what is in flight finish.

import { once } from "node:events";
import {
  createServer as createPlainServer,
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
  /** For the whole request, its body included. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Silence in both directions while an answer is under way: a client that does not read is let go. */
  readonly idleTimeoutMs: number;
  readonly maxConnections: number;
  /** How long the rest of a body that nobody wants is taken in, so that its sender can read why. */
  readonly lingerMs: number;
};

export const httpBounds: HttpBounds = {
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  // Longer than the 60 s after which common proxies let go, so that they never send into a closing connection.
  keepAliveTimeoutMs: 75_000,
  idleTimeoutMs: 120_000,
  maxConnections: 2_000,
  lingerMs: 2_000,
};

type HttpListen = {
  readonly host: string;
  readonly port: number;
  /** Without a pair: plain HTTP. */
  readonly tls: PemPair | null;
};

export type HttpServer = {
  /** Resolves with the address that was bound: port 0 becomes a real one. */
  readonly start: () => Promise<AddressInfo>;
  /** Takes no more; resolves when what is in flight has been answered, or at the deadline. */
  readonly stop: (deadlineMs: number) => Promise<void>;
  /** For connections from now on. */
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
  return {
    start: async () => {
      await bind(server, listen);
      // Such as too many open files: what is open goes on.
      server.on("error", (cause) => system.log.error("A connection could not be taken.", {}, cause));
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
    // The application refuses a request without Host itself, in our form of errors.
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
  // Node's types do not know it. Without it (and over TLS without the option above), what was asked is not answered to a
  // client that closes its half meanwhile.
  return Object.assign(server, { httpAllowHalfOpen: true });
}

const notHttp = "This is not HTTP as RFC 9112 has it.";
const clientErrorMessages: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive.",
  HPE_HEADER_OVERFLOW: "The header is too large.",
};

/** Whatever the application is not asked about is answered here, in the same form. */
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
      system.log.error("A request could not be answered.", { requestId }, cause);
      refuse(response, internalRefusal(requestId), requestId);
    }
  });
  server.on("checkExpectation", async (request, response) => {
    if (!(await connections.awaitTurn(request, response))) return;
    refuse(response, new Refusal("invalid_request", "The one expectation known here is 100-continue."));
  });
  server.on("connect", (_request, socket) => refuseOnSocket(socket, "This is no proxy."));
  server.on("clientError", async (error: NodeJS.ErrnoException, socket) => {
    socket.on("error", () => socket.destroy());
    await connections.wholeRequestsAnswered(socket);
    if (connections.hasBegunAnswer(socket)) socket.destroy();
    else refuseOnSocket(socket, clientErrorMessages[error.code ?? ""] ?? notHttp);
  });
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

// Refusals for what never gets as far as the application, in the same form as its own.

function refuse(response: ServerResponse, refusal: Refusal, requestId?: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const answer = toErrorAnswer(refusal, requestId);
  response.writeHead(answer.status, headersOf(answer)).end(answer.body);
}

/** Where there is no request, only bytes that are none. */
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

/** The connection ends with it: what else it carries cannot be told apart from what was refused. */
function headersOf({ headers, body }: ErrorAnswer): Record<string, string> {
  return {
    ...headers,
    ...securityHeaders({ secure: false, path: "" }),
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
}
