// The two ways to HTTP. URLs from members, messages or DNS use `fetchStranger`: only public addresses, checked for each
// connection. URLs from the configuration use `fetchOperator` and may be private. Redirects are followed only for GET and
// HEAD and only on request, because a redirected POST would take its body elsewhere.

import { connect } from "node:net";
import type { TcpDoor, TcpOutcome } from "../../analyzer/facts/doors.ts";
import type { FetchDoor, FetchFailure, FetchOutcome, FetchRequest } from "../../analyzer/facts/fetch.ts";
import type { PrivateTargets } from "../settings/setting-kinds.ts";
import { exchangeHttp, failed, timedOut } from "./http-exchange.ts";
import { createTargetGuard, hostOf, parseHttpUrl, type ResolveHost } from "./target-guard.ts";

type Route =
  | { readonly ok: true; readonly addresses: readonly string[] | null }
  | { readonly ok: false; readonly failure: FetchFailure; readonly problem: string };
type FindRoute = (host: string) => Promise<Route>;
type NextHop =
  | { readonly ok: true; readonly url: URL; readonly request: FetchRequest }
  | { readonly ok: false; readonly failure: FetchFailure; readonly problem: string };

export function createFetchStranger(options: {
  readonly allow: PrivateTargets;
  readonly resolveHost: ResolveHost;
}): FetchDoor {
  return createDoor(createTargetGuard(options));
}

export function createFetchOperator(): FetchDoor {
  return createDoor(async () => ({ ok: true, addresses: null }));
}

function createDoor(findRoute: FindRoute): FetchDoor {
  return async (address, request) => {
    const reading = parseHttpUrl(address);
    if (!reading.ok) return failed("invalid_url", reading.problem);
    const signal = AbortSignal.any([
      AbortSignal.timeout(request.timeoutMs),
      ...(request.signal ? [request.signal] : []),
    ]);
    let hop = { url: reading.url, request };
    for (let left = request.redirects ?? 0; ; left--) {
      const outcome = await fetchOnce(hop.url, hop.request, findRoute, signal);
      if (!outcome.ok || !request.redirects || !isRedirect(outcome.status)) return outcome;
      const next = nextHop(hop.url, hop.request, outcome.headers.location, left);
      if (!next.ok) return next;
      hop = next;
    }
  };
}

async function fetchOnce(
  url: URL,
  request: FetchRequest,
  findRoute: FindRoute,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  const route = await Promise.race([findRoute(hostOf(url)), whenAborted(signal)]);
  if (!route) return timedOut(hostOf(url), request);
  return route.ok ? exchangeHttp({ url, request, addresses: route.addresses, signal }) : route;
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function nextHop(from: URL, request: FetchRequest, location: string | undefined, left: number): NextHop {
  const stop = (problem: string): NextHop => ({ ok: false, failure: "redirect", problem });
  const reading = parseHttpUrl(URL.parse(location ?? "", from)?.href ?? "");
  if (location === undefined || !reading.ok) return stop(`${hostOf(from)} redirects to an invalid URL.`);
  if (left === 0) return stop(`${hostOf(from)} redirects too often.`);
  if (!["GET", "HEAD", undefined].includes(request.method))
    return stop(`${hostOf(from)} redirects a ${request.method} request.`);
  if (from.protocol === "https:" && reading.url.protocol === "http:")
    return stop(`${hostOf(from)} redirects from https to http.`);
  // Headers may be meant only for the first origin.
  const { headers, ...rest } = request;
  const keepsHeaders = headers && reading.url.origin === from.origin;
  return { ok: true, url: reading.url, request: keepsHeaders ? request : rest };
}

// One request and response over TCP, with limits, to a server from the configuration. It may be private. Never used for
// addresses from untrusted sources.

export const exchangeOperatorTcp: TcpDoor = (address, { bytes, timeoutMs, maxBytes }) => {
  const { promise, resolve } = Promise.withResolvers<TcpOutcome>();
  // Half open: everything is sent, and we still read.
  const socket = connect({ ...address, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let length = 0;
  const end = (outcome: TcpOutcome) => {
    clearTimeout(timer);
    socket.destroy();
    resolve(outcome);
  };
  // Limits the whole exchange and not the silence in it. Otherwise a byte at a time could go on forever.
  const timer = setTimeout(() => end({ ok: false, failure: "timeout" }), timeoutMs);
  socket.on("data", (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maxBytes) end({ ok: false, failure: "too_large" });
  });
  socket.on("end", () => end({ ok: true, bytes: Buffer.concat(chunks) }));
  socket.on("error", () => end({ ok: false, failure: "unreachable" }));
  socket.end(bytes);
  return promise;
};
