// What the interface promises, a line each, in our words: each is the name of the test that proves it.

export type Promised = {
  readonly line: string;
  /** The route that keeps it; none where the line is of all routes. */
  readonly route?: string;
};

const tests: readonly Promised[] = [
  { line: "GET /api/tests lists the workspace's tests, most recent first", route: "GET /api/tests" },
  { line: "GET /api/tests takes limit from 1 to 100 and takes 50 without one", route: "GET /api/tests" },
  { line: "GET /api/tests takes an offset", route: "GET /api/tests" },
  { line: "a test has the twelve fields of the export under the same names", route: "GET /api/tests" },
  {
    line: "GET /api/tests/:id has findings, category scores, placement results, delivery timeline and raw headers",
    route: "GET /api/tests/:id",
  },
  {
    line: "GET /api/tests/:id/eml has the parsed body, attachments, embedded images and tracking pixels",
    route: "GET /api/tests/:id/eml",
  },
  {
    line: "POST /api/tests/:id/reanalyze runs the analyzer on the stored message, without a body and without a new send",
    route: "POST /api/tests/:id/reanalyze",
  },
  {
    line: "a test tells its status and moves from received to analyzed, and through reanalysis back to analyzed",
    route: "GET /api/tests/:id",
  },
  {
    line: "GET /api/tests/export.csv streams the workspace's tests with the twelve columns in their order",
    route: "GET /api/tests/export.csv",
  },
  {
    line: "GET /api/tests/export.csv has at most 5,000 rows",
    route: "GET /api/tests/export.csv",
  },
  {
    line: "GET /api/tests/export.csv takes a limit that lowers the cap and never lifts it",
    route: "GET /api/tests/export.csv",
  },
  {
    line: "POST /api/tests/send-test takes subject and from and sends a sample to the active seed inbox",
    route: "POST /api/tests/send-test",
  },
  {
    line: "POST /api/tests/send-test takes from only at a domain that the workspace may send for",
    route: "POST /api/tests/send-test",
  },
  {
    line: "a sample sent by send-test is received and analyzed like any other message",
    route: "POST /api/tests/send-test",
  },
];

const dashboard: readonly Promised[] = [
  {
    line: "GET /api/dashboard/summary has the deliverability score and the inbox, spam and promo rates",
    route: "GET /api/dashboard/summary",
  },
  {
    line: "GET /api/dashboard/summary has trend slices, recent tests and the top issues of the week",
    route: "GET /api/dashboard/summary",
  },
];

const domains: readonly Promised[] = [
  {
    line: "GET /api/domains lists the monitored domains with their SPF, DKIM, DMARC and BIMI verdicts",
    route: "GET /api/domains",
  },
  {
    line: "POST /api/domains takes a domain and, if wanted, a dkimSelector",
    route: "POST /api/domains",
  },
  {
    line: "POST /api/domains adds the domain to the hourly sweep",
    route: "POST /api/domains",
  },
  {
    line: "POST /api/domains/:id/recheck checks at once",
    route: "POST /api/domains/:id/recheck",
  },
  {
    line: "POST /api/domains/:id/recheck is rate_limited",
    route: "POST /api/domains/:id/recheck",
  },
  {
    line: "DELETE /api/domains/:id ends the monitoring",
    route: "DELETE /api/domains/:id",
  },
  {
    line: "the sweep checks every monitored domain each hour",
    route: "GET /api/domains",
  },
];

const alerts: readonly Promised[] = [
  { line: "GET /api/alerts lists the alert webhooks", route: "GET /api/alerts" },
  {
    line: "POST /api/alerts takes label, url, kind, events and thresholdScore",
    route: "POST /api/alerts",
  },
  {
    line: "an alert webhook is of a chat service, one of two, or takes JSON",
    route: "POST /api/alerts",
  },
  {
    line: "an alert webhook takes domain.drift, test.low_score, email.bounce_complaint and test.analyzed and no other event",
    route: "POST /api/alerts",
  },
  {
    line: "PATCH /api/alerts/:id changes an alert webhook",
    route: "PATCH /api/alerts/:id",
  },
  {
    line: "DELETE /api/alerts/:id removes an alert webhook",
    route: "DELETE /api/alerts/:id",
  },
  {
    line: "POST /api/alerts/:id/test fires one ping at the webhook's url",
    route: "POST /api/alerts/:id/test",
  },
  {
    line: "domain.drift tells that a monitored domain's verdicts changed",
    route: "POST /api/alerts",
  },
  {
    line: "test.low_score tells that a test scored below the webhook's thresholdScore",
    route: "POST /api/alerts",
  },
  {
    line: "email.bounce_complaint tells of a bounce or a complaint",
    route: "POST /api/alerts",
  },
  {
    line: "a webhook gets the events in its list and no others",
    route: "POST /api/alerts",
  },
];

const integrations: readonly Promised[] = [
  {
    line: "GET /api/integrations lists every provider and marks those that are connected",
    route: "GET /api/integrations",
  },
  {
    line: "GET /api/integrations/:provider/connect answers the address to authorise at",
    route: "GET /api/integrations/:provider/connect",
  },
  {
    line: "the OAuth callback completes the connection",
    route: "GET /api/integrations/:provider/callback",
  },
  {
    line: "DELETE /api/integrations/:id disconnects",
    route: "DELETE /api/integrations/:id",
  },
];

const authentication: readonly Promised[] = [
  { line: "every request bears Authorization: Bearer with an API token" },
  { line: "what belongs to a workspace is asked for with X-Workspace-Id, an id that begins with wsp_" },
  { line: "an API token opens its workspace and no other" },
  { line: "a token is issued and revoked as on the settings page", route: "POST /api/tokens" },
  {
    line: "a token with the scope admin has the same rights as a logged-in session, but for what needs a person",
    route: "POST /api/auth/login",
  },
];

const errors: readonly Promised[] = [
  { line: "an error is JSON with its code in error" },
  { line: "missing_token is 401 without an Authorization header" },
  { line: "forbidden is 403 for a token that is not of the workspace" },
  { line: "not_found is 404 for what does not exist" },
  { line: "invalid_email is 400", route: "POST /api/tests/upload" },
  { line: "missing_name is 400", route: "POST /api/workspaces" },
  { line: "plan_limit is 402 at a ceiling of the plan", route: "GET /api/billing" },
  {
    line: "billing_not_configured is 503 without the payment provider's key",
    route: "POST /api/billing/checkout",
  },
  { line: "invalid_url is 400", route: "POST /api/alerts" },
];

const limits: readonly Promised[] = [
  {
    line: "request 31 to authentication endpoints within 60 seconds from one address is rate_limited",
    route: "POST /api/auth/login",
  },
  { line: "no other endpoint is throttled" },
  { line: "paths begin with /api and name no version" },
];

export const interfaceLines: readonly Promised[] = [
  ...tests,
  ...dashboard,
  ...domains,
  ...alerts,
  ...integrations,
  ...authentication,
  ...errors,
  ...limits,
];
