// The two ways to HTTP. URLs from members, messages or DNS use `fetchStranger`: only public addresses, checked for each
// connection. URLs from the configuration use `fetchOperator` and may be private. Redirects are followed only for GET and
// HEAD and only on request, because a redirected POST would take its body elsewhere.

import type { FetchDoor, FetchFailure, FetchOutcome, FetchRequest } from "../../analyzer/facts/fetch.ts";
import type { PrivateTargets } from "../settings/setting-kinds.ts";
import { exchangeHttp, failed, timedOut } from "./http-exchange.ts";
import { createTargetGuard, hostOf, parseHttpUrl, type ResolveHost } from "./target-guard.ts";

type Route =
  | { readonly ok: true; readonly addresses: readonly string[] | null }
  | { readonly ok: false; readonly failure: FetchFailure; readonly problem: string };
type FindRoute = (host: string) => Promise<Route>;
type Hop = { readonly url: URL; readonly request: FetchRequest; readonly trace: Pick<FetchOutcome, "redirectedTo"> };
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
    let hop: Hop = { url: reading.url, request, trace: {} };
    for (let left = request.redirects ?? 0; ; left--) {
      const outcome = { ...(await fetchOnce(hop.url, hop.request, findRoute, signal)), ...hop.trace };
      if (!outcome.ok || !request.redirects || !isRedirect(outcome.status)) return outcome;
      const next = nextHop(hop.url, hop.request, outcome.headers.location, left);
      if (!next.ok) return next;
      hop = { ...next, trace: { redirectedTo: next.url.href } };
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
