// A request in progress. Collects what the headers, metrics and log line of its answer need.

import type { IncomingMessage } from "node:http";
import { type H3Event, HTTPResponse } from "h3";
import { isBusyDatabase, messageOf, overloaded, Refusal } from "../errors.ts";
import type { Server } from "../server.ts";
import type { Client, Peer } from "./client-address.ts";
import { internalRefusal, pathNotFound, toErrorAnswer } from "./errors.ts";
import { answerNotFoundPage } from "./plain-page.ts";

export type Exchange = {
  readonly request: IncomingMessage;
  readonly client: Client;
  readonly startedMs: number;
  path: string;
  query: string;
  /** The same path without its trailing slash. */
  redirectTo: string | null;
  /** The template, never the path as sent. */
  route: string;
  /** False without a caller, and for a caller who was refused. */
  callerIsKnown: boolean;
  workspaceId: string | null;
  /** Complete Set-Cookie values. */
  readonly cookies: string[];
};

const noRoute = "(none)";
const countedMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

export function beginExchange(event: H3Event, readClient: (peer: Peer) => Client): Exchange {
  const request = event.runtime?.node?.req as IncomingMessage | undefined;
  if (request === undefined) throw new Error("HTTP requests must come from Node's server.");
  const exchange: Exchange = {
    request,
    client: readClient(peerOf(request)),
    startedMs: performance.now(),
    path: "",
    query: "",
    redirectTo: null,
    route: noRoute,
    callerIsKnown: false,
    workspaceId: null,
    cookies: [],
  };
  event.context.exchange = exchange;
  checkVersion(request);
  checkHost(request);
  return Object.assign(exchange, parseTarget(request.url ?? ""));
}

export function exchangeOf(event: H3Event): Exchange {
  return event.context.exchange as Exchange;
}

type Failed = { readonly method: string | undefined; readonly route: string };

/** The caller gets the message of a Refusal. Any other error is our fault: it is logged, and the caller gets its ID. */
export function answerError(cause: unknown, exchange: Exchange, terms: Server): HTTPResponse {
  const { request, route } = exchange;
  if (isPersonLost(cause, exchange)) return answerNotFoundPage();
  const { refusal, requestId } = toRefusal(cause, { method: request.method, route }, terms);
  return toResponse(refusal, requestId);
}

/** A browser at an address that doesn't exist. Programs, and everything below /api and /assets, get our error format. */
function isPersonLost(cause: unknown, { request }: Pick<Exchange, "request">): boolean {
  if (!(cause instanceof Refusal) || cause.code !== "not_found") return false;
  const { method, url = "", headersDistinct } = request;
  const isReading = method === "GET" || method === "HEAD";
  return (
    isReading &&
    !/^\/(?:api|assets)(?:\/|$)/.test(url) &&
    (headersDistinct.accept?.join().includes("text/html") ?? false)
  );
}

export function toRefusal(
  cause: unknown,
  failed: Failed,
  { system }: Pick<Server, "system">,
): { readonly refusal: Refusal; readonly requestId?: string } {
  if (cause instanceof Refusal) return { refusal: cause };
  if (isBusyDatabase(cause)) {
    system.log.warn("A request met a busy database.", { ...failed, problem: messageOf(cause) });
    return { refusal: overloaded("The database is busy") };
  }
  const requestId = Buffer.from(system.random(8)).toString("hex");
  system.log.error("Request failed.", { requestId, ...failed }, cause);
  return { refusal: internalRefusal(requestId), requestId };
}

export function finishExchange(response: Response, exchange: Exchange, server: Server): void {
  const { client, path, route, callerIsKnown } = exchange;
  const headers = securityHeaders({ secure: client.secure, path });
  if (callerIsKnown) {
    headers["x-assay-version"] = server.version;
    // Tells the app that there is something to show, so that pages need not ask.
    const trouble = server.summarizeTrouble(exchange.workspaceId);
    if (trouble !== "") headers["x-assay-trouble"] = trouble;
  }
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value);
  for (const cookie of exchange.cookies) response.headers.append("set-cookie", cookie);
  const sentMethod = exchange.request.method ?? "";
  const method = countedMethods.has(sentMethod) ? sentMethod : "other";
  const durationMs = performance.now() - exchange.startedMs;
  // As nginx counts it: a client that left made no mistake, and gets no answer. Pages close their events all the time.
  const status = response.status === 400 && exchange.request.socket.destroyed ? 499 : response.status;
  const answered = { method, route, status, durationMs };
  server.noteRequest(answered);
  server.system.log.debug("Request completed.", {
    ...answered,
    durationMs: Math.round(durationMs),
    client: client.address,
  });
}

function toResponse(refusal: Refusal, requestId?: string): HTTPResponse {
  const { status, headers, body } = toErrorAnswer(refusal, requestId);
  return new HTTPResponse(body, { status, headers });
}

const proxyHeader = /^(?:x-forwarded|x-real-ip$|x-client-ip$|x-original-|forwarded$|via$|cf-|true-client-ip$)/;

function peerOf({ socket, headersDistinct }: IncomingMessage): Peer {
  return {
    address: socket.remoteAddress,
    encrypted: "encrypted" in socket,
    forwardedFor: headersDistinct["x-forwarded-for"]?.join(","),
    forwardedProto: headersDistinct["x-forwarded-proto"]?.join(","),
    forwardedHost: headersDistinct["x-forwarded-host"]?.join(","),
    isForwarded: Object.keys(headersDistinct).some((name) => proxyHeader.test(name)),
    host: headersDistinct.host?.[0],
    agent: headersDistinct["user-agent"]?.[0],
  };
}

/** HTTP/0.9 has no headers, so programs could disagree on where a message ends. */
function checkVersion({ httpVersion }: IncomingMessage): void {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") throw new Refusal("invalid_request", "Use HTTP/1.1 or HTTP/1.0.");
}

/** RFC 9112 §3.2. Node would refuse this itself, but not in our error format. */
function checkHost({ httpVersion, headersDistinct }: IncomingMessage): void {
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    throw new Refusal("invalid_request", "A request must have exactly one Host header.");
}

// A path is valid only as written in the route table. A double slash, a dot segment or an escape is not found (404),
// because every tolerance adds a second name for a resource and may bypass a check. A trailing slash redirects to the
// path without it. Malformed URLs are refused (400).

const longestTarget = 4096;
const plainPath = /^\/$|^(?:\/(?!\.\.?(?:\/|$))[\w.~!$&'()*+,;=:@-]+)+$/;

type Target = {
  /** Without a trailing slash. */
  readonly path: string;
  readonly query: string;
  /** Where to redirect a request with a trailing slash; null for the others. */
  readonly redirectTo: string | null;
};

/** `target` is from the request line (RFC 9112 §3.2): a path, or an absolute URL. */
function parseTarget(target: string): Target {
  if (target.length > longestTarget) throw malformed(`The URL is longer than ${longestTarget} characters.`);
  const local = target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
  const [path = "", ...rest] = local.split("?");
  const query = rest.join("?");
  if (!path.startsWith("/")) throw malformed("The path must begin with a slash.");
  if (!isDecodable(path) || !isDecodable(query))
    throw malformed("The URL contains a NUL character or a percent sign that is not part of a valid UTF-8 escape.");
  const plain = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  if (!plainPath.test(plain)) throw pathNotFound();
  const redirectTo = plain === path ? null : plain + (query === "" ? "" : `?${query}`);
  return { path: plain, query, redirectTo };
}

function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes("\0");
  } catch {
    return false;
  }
}

function malformed(message: string): Refusal {
  return new Refusal("invalid_request", message);
}

// Headers of every answer. A handler that needs another value (a page with a style, a preview) sets it first.

const always: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Two years, as browsers' preload lists require. Subdomains are up to the operator. */
const strictTransport = "max-age=63072000";

export function securityHeaders(request: { secure: boolean; path: string }): Record<string, string> {
  return {
    ...always,
    ...(request.path.startsWith("/api/") ? { "cache-control": "no-store" } : {}),
    ...(request.secure ? { "strict-transport-security": strictTransport } : {}),
  };
}
