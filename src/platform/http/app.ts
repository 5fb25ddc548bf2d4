// The h3 application, built from the routes of all features. Every error goes through its `onError`, and every answer
// through its `onResponse`.

import { H3, type H3Event, HTTPResponse } from "h3";
import { Refusal } from "../errors.ts";
import type { Route } from "../route.ts";
import { type Feature, listPaths, type Server } from "../server.ts";
import { answerCall } from "./answer-call.ts";
import { createAdmission } from "./callers/auth.ts";
import { createClientReader } from "./client-address.ts";
import { pathNotFound } from "./errors.ts";
import { answerError, beginExchange, type Exchange, exchangeOf, finishExchange } from "./exchange.ts";
import { createRateLimit } from "./rate-limit.ts";
import { requireOwnHost } from "./same-origin.ts";
import { createSharedAnswers } from "./shared-answers.ts";
import { createWebRoutes } from "./web-pages.ts";
import { createCallYielding } from "./yield-between-calls.ts";

/** Per client, for all these paths, checked before anything else. */
const logInLimit = { requests: 30, windowMs: 60_000 };

export function createHttpApp(server: Server, features: readonly Feature[]): H3 {
  const admit = createAdmission(server);
  const share = createSharedAnswers(server.system.now);
  const readClient = createClientReader(server.config.trustedProxies);
  const runInWriteContext = createCallYielding();
  const limitLogIns = createRateLimit({ ...logInLimit, now: server.system.now });
  const app = new H3({
    silent: true,
    // parseTarget checks the URL instead, as it was sent.
    allowMalformedURL: true,
    onRequest: (event) => {
      const { path, client } = beginExchange(event, readClient);
      if (path.startsWith("/api/auth/")) limitLogIns(client.address);
    },
    onError: (error, event) => answerError(error.cause, exchangeOf(event), server),
    onResponse: (response, event) => finishExchange(response, exchangeOf(event), server),
  });
  const pages = features.flatMap((feature) => feature.pages ?? []);
  const probes = features.flatMap((feature) => feature.probes ?? []);
  const allRoutes = [...server.routes, ...pages, ...createWebRoutes(server.webFiles, listPaths(features))];
  for (const [path, siblings] of Map.groupBy(allRoutes, ({ endpoint }) => endpoint.path)) {
    app.all(path, async (event) => {
      const exchange = exchangeOf(event);
      if (exchange.redirectTo !== null) return toRedirect(exchange.redirectTo);
      exchange.route = path;
      const route = pickMethod(siblings, event);
      if (!probes.includes(route)) {
        requireOwnHost(exchange.client.host, server.config.baseUrl);
        await runInWriteContext();
        requireOpen(exchange.request);
      }
      return await answerCall(route, event.context.params ?? {}, exchange, { admit, share }, server);
    });
  }
  app.all("/**", (event) => {
    const { redirectTo, path } = exchangeOf(event);
    if (redirectTo !== null) return toRedirect(redirectTo);
    throw pathNotFound(path);
  });
  return app;
}

/** 308 keeps method and body. The path begins with a single slash, so it stays on this host. */
function toRedirect(location: string): HTTPResponse {
  return new HTTPResponse(null, { status: 308, headers: { location } });
}

/** Without a client, no one would get the result. While we are stopping, the store may already be closed. */
function requireOpen({ socket }: Exchange["request"]): void {
  if (socket.destroyed) throw new Refusal("invalid_request", "The connection closed before the call began.");
}

/** HEAD is GET without the body. No OPTIONS, because scripts of other origins have no access. */
function pickMethod(siblings: readonly Route[], event: H3Event): Route {
  const method = event.req.method === "HEAD" ? "GET" : event.req.method;
  const route = siblings.find(({ endpoint }) => endpoint.method === method);
  if (route) return route;
  const taken = siblings.flatMap(({ endpoint }) => (endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method]));
  throw new Refusal("method_not_allowed", `This path supports ${taken.join(", ")}.`, { allow: taken });
}
