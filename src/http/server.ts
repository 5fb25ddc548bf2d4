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
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type H3, toNodeHandler } from "h3";
import { Refusal } from "../errors.ts";
import {
  type Certificate,
  type CertificateFiles,
  readCertificate,
  watchCertificate,
} from "../system/certificate-files.ts";
import type { System } from "../system/system.ts";
import { type Connections, followConnections } from "./connections.ts";
import { internalRefusal, toErrorAnswer } from "./errors.ts";
import { securityHeaders } from "./headers.ts";

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
  readonly certificatePollMs: number;
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
  certificatePollMs: 10_000,
};

export type HttpListen = {
  readonly host: string;
  readonly port: number;
  readonly certificate: CertificateFiles | null;
};

export type HttpServer = {
  /** Resolves with the address that was bound: port 0 becomes a real one. */
  readonly start: () => Promise<AddressInfo>;
  /** Takes no more; resolves when what is in flight has been answered, or at the deadline. */
  readonly stop: (deadlineMs: number) => Promise<void>;
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
  let unwatch = () => {};
  return {
    start: async () => {
      await bind(server, listen);
      if (listen.certificate !== null) {
        const renew = (pair: Certificate) =>
          (server as TlsServer).setSecureContext({ ...pair, minVersion: oldestTls });
        unwatch = watchCertificate(listen.certificate, system.log, renew, bounds.certificatePollMs);
      }
      return server.address() as AddressInfo;
    },
    stop: async (deadlineMs) => {
      unwatch();
      await connections.end(deadlineMs);
    },
  };
}

function createNodeServer({ certificate }: HttpListen, bounds: HttpBounds): Server | TlsServer {
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
    certificate === null
      ? createPlainServer(options)
      : createTlsServer({
          ...options,
          ...readCertificate(certificate),
          minVersion: oldestTls,
          handshakeTimeout: bounds.headersTimeoutMs,
        });
  server.maxConnections = bounds.maxConnections;
  server.setTimeout(bounds.idleTimeoutMs);
  return server;
}

function answerRequests(
  server: Server,
  connections: Connections,
  app: H3,
  system: Pick<System, "log" | "random">,
): void {
  const answer = toNodeHandler(app);
  server.on("request", async (request, response) => {
    connections.noteRequest(request, response);
    try {
      await answer(request, response);
    } catch (cause) {
      const requestId = Buffer.from(system.random(8)).toString("hex");
      system.log.error("A request could not be answered.", { requestId }, cause);
      refuse(response, internalRefusal(requestId), requestId);
    }
  });
  server.on("checkExpectation", (_request, response) =>
    refuse(response, new Refusal("invalid_request", "The one expectation known here is 100-continue.")),
  );
  server.on("connect", (_request, socket) => refuseOnSocket(socket, "This is no proxy."));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (connections.hasBegunAnswer(socket)) socket.destroy();
    else
      refuseOnSocket(socket, clientErrorMessages[error.code ?? ""] ?? "This is not HTTP as RFC 9112 has it.");
  });
}

const clientErrorMessages: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive.",
  HPE_HEADER_OVERFLOW: "The header is too large.",
};

function refuse(response: ServerResponse, refusal: Refusal, requestId?: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = toErrorAnswer(refusal, requestId);
  response.writeHead(status, { ...headers, ...securityHeaders({ secure: false, path: "" }) }).end(body);
}

/** Where there is no request to answer, only bytes that are none. */
function refuseOnSocket(socket: Duplex, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = toErrorAnswer(new Refusal("invalid_request", message));
  const all = {
    ...headers,
    ...securityHeaders({ secure: false, path: "" }),
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () =>
    socket.destroy(),
  );
}

/** What stands in the way of listening is told as the operator can mend it. */
async function bind(server: Server, { host, port }: HttpListen): Promise<void> {
  server.listen({ host, port });
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const problem = listenProblems[code ?? ""];
    if (problem === undefined) throw cause;
    throw new Refusal("conflict", `The web address ${host} port ${port} cannot be used: ${problem}.`);
  }
}

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there; stop it or set ASSAY_HTTP_PORT to another port",
  EACCES: "this user may not; set ASSAY_HTTP_PORT to a port above 1023 or grant the right",
  EADDRNOTAVAIL: "this machine does not have that address; set ASSAY_HTTP_HOST to one that it has",
  ENOTFOUND: "that name has no address; set ASSAY_HTTP_HOST to an address of this machine",
};
