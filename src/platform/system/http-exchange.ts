// One HTTP request and its response, with limits. Uses the runtime's own client and not undici. Its `lookup` passes the
// checked addresses to the connection, which is all that the guard needs, and the server loads it anyway. undici costs 50 ms
// and 8 MB more at each start. The runtime's `fetch` does not accept a custom connector.

import { type Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { TLSSocket } from "node:tls";
import type { FetchFailure, FetchOutcome, FetchRequest } from "../../analyzer/facts/fetch.ts";
import { createBoundedBytes } from "./bounded-bytes.ts";
import { hostOf } from "./target-guard.ts";

type Answered = Extract<FetchOutcome, { readonly ok: true }>;

type Exchange = {
  readonly url: URL;
  readonly request: FetchRequest;
  /** The only addresses that may be connected to. Null: the system's resolver decides. */
  readonly addresses: readonly string[] | null;
  readonly signal: AbortSignal;
  /** Keeps connections open, for a server that is asked all the time. Without one, each request has its own. */
  readonly agent?: Agent;
};

/** Limit of the header section: more than services send, and too little to do harm. */
const maxHeaderBytes = 16_384;

/** Compressed responses are not requested, because a small one could expand to a huge one. */
const ownHeaders = { "user-agent": "Assay", "accept-encoding": "identity" };

export async function exchangeHttp(exchange: Exchange): Promise<FetchOutcome> {
  const host = hostOf(exchange.url);
  try {
    const response = await sendRequest(exchange, host);
    const address = response.socket.remoteAddress ?? "";
    const certificate = certificateOf(response);
    const { ignoresBody } = exchange.request;
    const body = ignoresBody ? await throwAwayBody(response, exchange.request) : await readBody(response, exchange);
    if (!body)
      return failed("too_large", `The response from ${host} is larger than ${exchange.request.maxBytes} bytes.`);
    const status = response.statusCode ?? 0;
    const cookie = response.headers["set-cookie"] === undefined ? {} : { setsCookie: true as const };
    return { ok: true, status, headers: headersOf(response), ...body, address, ...certificate, ...cookie };
  } catch (error) {
    return exchange.signal.aborted ? timedOut(host, exchange.request) : describeError(host, error);
  }
}

export function failed(failure: FetchFailure, problem: string): FetchOutcome {
  return { ok: false, failure, problem };
}

export function timedOut(host: string, request: FetchRequest): FetchOutcome {
  return failed("timeout", `${host} did not respond within ${request.timeoutMs / 1000} s.`);
}

function sendRequest(
  { url, request, addresses, signal, agent = undefined }: Exchange,
  host: string,
): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send({
      host,
      port: url.port || undefined,
      path: url.pathname + url.search,
      method: request.method ?? "GET",
      headers: { ...ownHeaders, ...lowerCased(request.headers), host: url.host },
      agent: agent ?? false,
      maxHeaderSize: maxHeaderBytes,
      rejectUnauthorized: true,
      signal,
      ...(addresses && { lookup: lookupIn(addresses) }),
    });
    outgoing.on("response", resolve);
    outgoing.on("error", reject);
    outgoing.on("close", () => reject(new Error("closed without a response")));
    outgoing.end(request.body);
  });
}

type Body = Pick<Answered, "body" | "isPart">;

/** Undefined if it is too large. */
async function readBody(response: IncomingMessage, { request, signal }: Exchange): Promise<Body | undefined> {
  const announced = Number(response.headers["content-length"] ?? 0);
  if (request.method !== "HEAD" && announced > request.maxBytes && !request.cutsBody) {
    response.destroy();
    return undefined;
  }
  const body = createBoundedBytes(request.maxBytes);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>)
      if (!body.add(chunk)) return request.cutsBody ? { body: body.read() } : undefined;
    // A body without a length looks complete if we closed the connection.
    signal.throwIfAborted();
    return { body: body.read() };
  } catch (error) {
    if (request.keepsPart) return { body: body.read(), isPart: true };
    throw error;
  }
}

/** Must be read while the connection is open. */
function certificateOf({ socket }: IncomingMessage): Pick<Answered, "certificate"> {
  const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (shown === undefined) return {};
  const [startsAt, endsAt] = [shown.validFromDate.getTime(), shown.validToDate.getTime()];
  return Number.isNaN(startsAt) || Number.isNaN(endsAt) ? {} : { certificate: { startsAt, endsAt } };
}

/** Not closed at once, because some receivers stop their work when the client disconnects. */
async function throwAwayBody(response: IncomingMessage, { maxBytes }: FetchRequest): Promise<Body> {
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch {}
  return { body: new Uint8Array() };
}

/** Without cookies, because we keep no session with other servers. */
function headersOf(response: IncomingMessage): Record<string, string> {
  const headers = Object.entries(response.headers);
  return Object.fromEntries(headers.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}

function lowerCased(headers: FetchRequest["headers"] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const connectionProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "reset the connection",
  EPIPE: "reset the connection",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  ETIMEDOUT: "did not accept the connection in time",
  ERR_INVALID_CHAR: "was not contacted, because a request header contains an invalid character",
};

/** Uses only the error code. Text from the other server never becomes part of our sentences. */
function describeError(host: string, error: unknown): FetchOutcome {
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  if (code === "HPE_HEADER_OVERFLOW")
    return failed("too_large", `The response headers from ${host} are larger than ${maxHeaderBytes} bytes.`);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return failed("unresolved", `${host} has no IP address.`);
  if (/CERT|TLS|SSL|SIGNATURE|EPROTO|UNABLE_TO/.test(code))
    return failed("tls", `${host} does not have a trusted TLS certificate (${code}).`);
  if (code.startsWith("HPE_")) return failed("unreachable", `${host} does not speak HTTP (${code}).`);
  const words = connectionProblems[code] ?? "closed the connection without a response";
  return failed("unreachable", `${host} ${words}.`);
}

// Passes the addresses that the guard approved to the connection, so that a second DNS answer cannot change them.

export function lookupIn(addresses: readonly string[]): LookupFunction {
  const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    if (options.all) callback(null, checked);
    else callback(null, checked[0]?.address ?? "", checked[0]?.family);
  };
}
