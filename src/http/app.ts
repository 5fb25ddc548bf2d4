// The list of routes, and the h3 application built from it. Every error goes through its `onError`, and every answer
// through its `onResponse`.

import { H3, type H3Event, HTTPResponse } from "h3";
import { Refusal } from "../errors.ts";
import { accountPageRoutes } from "./account-pages.ts";
import { accountRoutes, meRoutes, sessionRoutes, tokenRoutes } from "./accounts.ts";
import { alertPageRoutes } from "./alert-pages.ts";
import { alertRoutes } from "./alerts.ts";
import { answerCall } from "./answer-call.ts";
import { auditRoutes } from "./audit.ts";
import { createAdmission } from "./auth.ts";
import { billingRoutes } from "./billing.ts";
import { bounceRoutes } from "./bounces.ts";
import { canaryRoutes } from "./canaries.ts";
import { createClientReader } from "./client-address.ts";
import { calibrationRoutes, dashboardRoutes } from "./dashboard.ts";
import type { Dependencies } from "./dependencies.ts";
import { createDocuments } from "./docs.ts";
import { domainRoutes, domainSenderRoutes, domainSourceRoutes, domainWhatIfRoutes } from "./domains.ts";
import { emlRoutes, exportRoutes } from "./download.ts";
import { pathNotFound } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { answerError, beginExchange, type Exchange, exchangeOf, finishExchange } from "./exchange.ts";
import { feedbackRoutes, policyCoachRoutes } from "./feedback.ts";
import { forwardingRoutes } from "./forwarding.ts";
import { doctorRoutes, healthRoutes } from "./health.ts";
import { incomingHookRoutes } from "./incoming-hooks.ts";
import { integrationRoutes, mailboxRoutes } from "./integrations.ts";
import { laboratoryRoutes } from "./laboratory.ts";
import { autoReplyRoutes, mailReportRoutes } from "./mail-reports.ts";
import { createMcpRoutes } from "./mcp.ts";
import { memberRoutes } from "./members.ts";
import { monitorListRoutes } from "./monitor-list.ts";
import { oidcRoutes } from "./oidc.ts";
import { createRateLimit } from "./rate-limit.ts";
import { comparisonRoutes, reanalysisRoutes, whatIfRoutes } from "./reanalysis.ts";
import { receivingRoutes } from "./receiving.ts";
import { rehearsalRoutes } from "./rehearsal.ts";
import { relayRoutes } from "./relays.ts";
import { reportFormatRoutes } from "./report-formats.ts";
import type { Route } from "./route.ts";
import { requireOwnHost } from "./same-origin.ts";
import { secondFactorRoutes } from "./second-factors.ts";
import { secondReaderRoutes } from "./second-reader.ts";
import { seedInboxRoutes, seedListRoutes } from "./seed-inboxes.ts";
import { sendRoutes } from "./sends.ts";
import { serverSettingRoutes } from "./server-settings.ts";
import { shareRoutes } from "./share-link.ts";
import { signedReportRoutes } from "./signed-report.ts";
import { signingKeyRoutes } from "./signing-keys.ts";
import { streamRoutes } from "./streams.ts";
import { testRoutes } from "./tests.ts";
import { unsubscribeRoutes } from "./unsubscribe.ts";
import { createWebRoutes } from "./web-pages.ts";
import { kindRuleRoutes, workspaceRoutes } from "./workspaces.ts";
import { createCallYielding } from "./yield-between-calls.ts";

const documents = createDocuments(() => routes.map(({ endpoint }) => endpoint));

export const routes: readonly Route[] = [
  ...healthRoutes,
  ...documents.interface,
  ...accountRoutes,
  ...oidcRoutes,
  ...secondFactorRoutes,
  ...accountPageRoutes,
  ...meRoutes,
  ...sessionRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...billingRoutes,
  ...tokenRoutes,
  ...seedInboxRoutes,
  ...seedListRoutes,
  ...receivingRoutes,
  ...exportRoutes,
  ...testRoutes,
  ...sendRoutes,
  ...laboratoryRoutes,
  ...emlRoutes,
  ...reanalysisRoutes,
  ...whatIfRoutes,
  ...comparisonRoutes,
  ...unsubscribeRoutes,
  ...streamRoutes,
  ...relayRoutes,
  ...canaryRoutes,
  ...monitorListRoutes,
  ...dashboardRoutes,
  ...calibrationRoutes,
  ...domainRoutes,
  ...feedbackRoutes,
  ...policyCoachRoutes,
  ...domainWhatIfRoutes,
  ...bounceRoutes,
  ...mailReportRoutes,
  ...domainSourceRoutes,
  ...autoReplyRoutes,
  ...alertRoutes,
  ...alertPageRoutes,
  ...signingKeyRoutes,
  ...integrationRoutes,
  ...mailboxRoutes,
  ...incomingHookRoutes,
  ...eventRoutes,
  ...doctorRoutes,
  ...serverSettingRoutes,
  ...shareRoutes,
  ...auditRoutes,
  ...kindRuleRoutes,
  ...signedReportRoutes,
  ...reportFormatRoutes,
  ...domainSenderRoutes,
  ...rehearsalRoutes,
  ...secondReaderRoutes,
  ...forwardingRoutes,
  ...createMcpRoutes(() => routes),
];

/** Per client, for all these paths, checked before anything else. */
const logInLimit = { requests: 30, windowMs: 60_000 };

export function createHttpApp(dependencies: Dependencies): H3 {
  const admit = createAdmission(dependencies);
  const readClient = createClientReader(dependencies.config.trustedProxies);
  const runInWriteContext = createCallYielding();
  const limitLogIns = createRateLimit({ ...logInLimit, now: dependencies.system.now });
  const app = new H3({
    silent: true,
    // parseTarget checks the URL instead, as it was sent.
    allowMalformedURL: true,
    onRequest: (event) => {
      const { path, client } = beginExchange(event, readClient);
      if (path.startsWith("/api/auth/")) limitLogIns(client.address);
    },
    onError: (error, event) => answerError(error.cause, exchangeOf(event), dependencies),
    onResponse: (response, event) => finishExchange(response, exchangeOf(event), dependencies),
  });
  const allRoutes = [...routes, ...documents.pages, ...createWebRoutes(dependencies.webFiles)];
  for (const [path, siblings] of Map.groupBy(allRoutes, ({ endpoint }) => endpoint.path)) {
    app.all(path, async (event) => {
      const exchange = exchangeOf(event);
      if (exchange.redirectTo !== null) return toRedirect(exchange.redirectTo);
      exchange.route = path;
      const route = pickMethod(siblings, event);
      if (!healthRoutes.includes(route)) {
        requireOwnHost(exchange.client.host, dependencies.config.baseUrl);
        await runInWriteContext();
        requireOpen(exchange.request);
      }
      return await answerCall(route, event.context.params ?? {}, exchange, admit, dependencies);
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
  const taken = siblings.flatMap(({ endpoint }) =>
    endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method],
  );
  throw new Refusal("method_not_allowed", `This path supports ${taken.join(", ")}.`, { allow: taken });
}
