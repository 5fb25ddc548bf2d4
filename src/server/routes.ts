// The list of routes, and the h3 application built from it. Every error goes through its `onError`, and every answer
// through its `onResponse`.

import { H3, type H3Event, HTTPResponse } from "h3";
import { alertPageRoutes } from "../features/alerts/routes/alert-pages.ts";
import { alertRoutes } from "../features/alerts/routes/alerts.ts";
import { auditRoutes } from "../features/audit-log/routes.ts";
import { billingRoutes } from "../features/billing/routes.ts";
import { calibrationRoutes, dashboardRoutes } from "../features/dashboard/routes.ts";
import {
  domainRoutes,
  domainSenderRoutes,
  domainSourceRoutes,
  domainWhatIfRoutes,
} from "../features/domains/routes.ts";
import { eventRoutes } from "../features/events/routes.ts";
import { bounceRoutes } from "../features/feedback/routes/bounces.ts";
import { feedbackRoutes, policyCoachRoutes } from "../features/feedback/routes/feedback.ts";
import { autoReplyRoutes, mailReportRoutes } from "../features/feedback/routes/mail-reports.ts";
import { forwardingRoutes } from "../features/forwarding/routes.ts";
import { createDocuments } from "../features/handbook/routes/docs.ts";
import { incomingHookRoutes } from "../features/hooks/routes.ts";
import { receivingRoutes } from "../features/intake/routes/receiving.ts";
import { seedInboxRoutes, seedListRoutes } from "../features/intake/routes/seed-inboxes.ts";
import { integrationRoutes, mailboxRoutes } from "../features/mailboxes/routes.ts";
import { createMcpRoutes } from "../features/mcp/routes.ts";
import { canaryRoutes } from "../features/monitors/routes/canaries.ts";
import { monitorListRoutes } from "../features/monitors/routes/monitor-list.ts";
import { relayRoutes } from "../features/monitors/routes/relays.ts";
import { oidcRoutes } from "../features/oidc/routes.ts";
import { accountPageRoutes } from "../features/people/routes/account-pages.ts";
import { accountRoutes, meRoutes, sessionRoutes, tokenRoutes } from "../features/people/routes/accounts.ts";
import { memberRoutes } from "../features/people/routes/members.ts";
import { secondFactorRoutes } from "../features/people/routes/second-factors.ts";
import { kindRuleRoutes, workspaceRoutes } from "../features/people/routes/workspaces.ts";
import { rehearsalRoutes } from "../features/rehearsal/routes.ts";
import { laboratoryRoutes } from "../features/samples/routes.ts";
import { secondReaderRoutes } from "../features/second-reader/routes.ts";
import { sendRoutes } from "../features/sending/routes/sends.ts";
import { signingKeyRoutes } from "../features/sending/routes/signing-keys.ts";
import { doctorRoutes, healthRoutes } from "../features/server/routes/health.ts";
import { serverSettingRoutes } from "../features/server/routes/server-settings.ts";
import { signedReportRoutes } from "../features/signed-reports/routes.ts";
import { streamRoutes } from "../features/streams/routes.ts";
import { emlRoutes, exportRoutes } from "../features/tests/routes/download.ts";
import { comparisonRoutes, reanalysisRoutes, whatIfRoutes } from "../features/tests/routes/reanalysis.ts";
import { reportFormatRoutes } from "../features/tests/routes/report-formats.ts";
import { shareRoutes } from "../features/tests/routes/share-link.ts";
import { testRoutes } from "../features/tests/routes/tests.ts";
import { unsubscribeRoutes } from "../features/unsubscribe/routes.ts";
import { Refusal } from "../platform/errors.ts";
import { answerCall } from "../platform/http/answer-call.ts";
import { createAdmission } from "../platform/http/callers/auth.ts";
import { createClientReader } from "../platform/http/client-address.ts";
import { pathNotFound } from "../platform/http/errors.ts";
import { answerError, beginExchange, type Exchange, exchangeOf, finishExchange } from "../platform/http/exchange.ts";
import { createRateLimit } from "../platform/http/rate-limit.ts";
import type { Route } from "../platform/http/route.ts";
import { requireOwnHost } from "../platform/http/same-origin.ts";
import { createWebRoutes } from "../platform/http/web-pages.ts";
import { createCallYielding } from "../platform/http/yield-between-calls.ts";
import type { Dependencies } from "./dependencies.ts";

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
  const taken = siblings.flatMap(({ endpoint }) => (endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method]));
  throw new Refusal("method_not_allowed", `This path supports ${taken.join(", ")}.`, { allow: taken });
}
