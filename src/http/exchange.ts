// One request on its way. What becomes known of it is written down here, for the headers, the figures and the log line
// of its answer.

import type { IncomingMessage } from "node:http";
import { type H3Event, HTTPResponse } from "h3";
import { Refusal } from "../errors.ts";
import type { Client, Peer } from "./client-address.ts";
import type { Dependencies } from "./dependencies.ts";
import { internalRefusal, pathNotFound, toErrorAnswer } from "./errors.ts";

export type Exchange = {
  readonly request: IncomingMessage;
  readonly client: Client;
  readonly startedMs: number;
  path: string;
  query: string;
  /** Where the same thing is, for a path with one slash too many. */
  redirectTo: string | null;
  /** The template, never the path as sent. */
  route: string;
  /** False for nobody, and for one whom we refused to know. */
  callerIsKnown: boolean;
  /** Whole Set-Cookie values. */
  readonly cookies: string[];
};

const noRoute = "(none)";
const countedMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

export function beginExchange(event: H3Event, readClient: (peer: Peer) => Client): Exchange {
  const request = event.runtime?.node?.req as IncomingMessage | undefined;
  if (request === undefined) throw new Error("The HTTP room stands on Node's own server.");
  const exchange: Exchange = {
    request,
    client: readClient(peerOf(request)),
    startedMs: performance.now(),
    path: "",
    query: "",
    redirectTo: null,
    route: noRoute,
    callerIsKnown: false,
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

/** A refusal is told; anything else is our fault, which the log has and the caller gets the number of. */
export function answerError(cause: unknown, exchange: Exchange, { system }: Dependencies): HTTPResponse {
  if (cause instanceof Refusal) return toResponse(cause);
  const requestId = Buffer.from(system.random(8)).toString("hex");
  const { method } = exchange.request;
  system.log.error("A request failed.", { requestId, method, route: exchange.route }, cause);
  return toResponse(internalRefusal(requestId), requestId);
}

export function finishExchange(response: Response, exchange: Exchange, dependencies: Dependencies): void {
  const { client, path, route, callerIsKnown } = exchange;
  const headers = securityHeaders({ secure: client.secure, path });
  if (callerIsKnown) headers["x-assay-version"] = dependencies.version;
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value);
  for (const cookie of exchange.cookies) response.headers.append("set-cookie", cookie);
  const sentMethod = exchange.request.method ?? "";
  const method = countedMethods.has(sentMethod) ? sentMethod : "other";
  const durationMs = performance.now() - exchange.startedMs;
  const answered = { method, route, status: response.status, durationMs };
  dependencies.metrics.noteRequest(answered);
  dependencies.system.log.debug("Answered a request.", { ...answered, client: client.address });
}

function toResponse(refusal: Refusal, requestId?: string): HTTPResponse {
  const { status, headers, body } = toErrorAnswer(refusal, requestId);
  return new HTTPResponse(body, { status, headers });
}

function peerOf({ socket, headersDistinct }: IncomingMessage): Peer {
  return {
    address: socket.remoteAddress,
    encrypted: "encrypted" in socket,
    forwardedFor: headersDistinct["x-forwarded-for"]?.join(","),
    forwardedProto: headersDistinct["x-forwarded-proto"]?.join(","),
    forwardedHost: headersDistinct["x-forwarded-host"]?.join(","),
    host: headersDistinct.host?.[0],
    agent: headersDistinct["user-agent"]?.[0],
  };
}

/** HTTP/0.9 has no header, and so no end that two programs in a row would agree on. */
function checkVersion({ httpVersion }: IncomingMessage): void {
  if (httpVersion !== "1.1" && httpVersion !== "1.0")
    throw new Refusal("invalid_request", "This is HTTP/1.1, and 1.0 is understood.");
}

/** RFC 9112 §3.2. Node would answer this by itself, but without our form of errors. */
function checkHost({ httpVersion, headersDistinct }: IncomingMessage): void {
  const hosts = headersDistinct.host?.length ?? 0;
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    throw new Refusal("invalid_request", "A request bears one Host header.");
}

// One rule for paths: a path names something only as it is written in the table. A doubled slash, a dot segment or an
// escape names nothing (404), because every tolerance is a second name for a thing and a way around some check. One slash
// at the end names nothing either, but redirects to the path without it. What is no address at all is refused (400).

const longestTarget = 4096;
const plainPath = /^\/$|^(?:\/(?!\.\.?(?:\/|$))[\w.~!$&'()*+,;=:@-]+)+$/;

type Target = {
  /** Without the slash at its end. */
  readonly path: string;
  readonly query: string;
  /** Where a request with one slash too many at its end is sent; null for the others. */
  readonly redirectTo: string | null;
};

/** `target` is the request line's (RFC 9112 §3.2): a path, or a whole address. */
function parseTarget(target: string): Target {
  if (target.length > longestTarget)
    throw malformed(`The address is longer than ${longestTarget} characters.`);
  const local = target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
  const [path = "", ...rest] = local.split("?");
  const query = rest.join("?");
  if (!path.startsWith("/")) throw malformed("The address does not begin with a slash.");
  if (!isDecodable(path) || !isDecodable(query))
    throw malformed("The address has a percent sign that is no escape of UTF-8 text, or a NUL.");
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

// Headers that every answer bears. A handler that must differ (a page with a style, a preview) sets its own value first.

const always: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Two years, as browsers' preload lists ask; subdomains are the operator's own to decide. */
const strictTransport = "max-age=63072000";

export function securityHeaders(request: { secure: boolean; path: string }): Record<string, string> {
  return {
    ...always,
    ...(request.path.startsWith("/api/") ? { "cache-control": "no-store" } : {}),
    ...(request.secure ? { "strict-transport-security": strictTransport } : {}),
  };
}
