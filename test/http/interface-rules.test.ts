// The API as it is specified (test/laws/interface-table.ts): callers, errors, and limits.

import { expect, test } from "vitest";
import { parsePlans } from "../../src/features/people/rules/plans.ts";
import { type Role, roles } from "../../src/platform/contract/roles.ts";
import { routes } from "../../src/server.ts";
import { worldWithCaller } from "./interface-world.ts";

test("every request needs Authorization: Bearer with an API token", async () => {
  const { askAs, token } = await worldWithCaller();
  expect((await askAs("GET", "/api/me", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  expect((await askAs("GET", "/api/me", { headers: { authorization: token } })).status).toBe(403);
  expect((await askAs("GET", "/api/me", { headers: { "x-api-key": token } })).status).toBe(401);
  expect((await askAs("GET", `/api/me?access_token=${token}`)).status).toBe(401);
});

test("a workspace's data needs X-Workspace-Id with an ID that begins with wsp_", async () => {
  const { askAs, token, workspace } = await worldWithCaller();
  expect(workspace).toMatch(/^wsp_/);
  expect((await askAs("GET", "/api/tests", { token, workspace })).status).toBe(200);
  expect((await askAs("GET", "/api/tests", { token })).json.error).toBe("forbidden");
  expect((await askAs("GET", "/api/tests", { token, workspace: workspace.slice(4) })).status).toBe(403);
});

test("an API token gives access to its workspace only", async () => {
  const { askAs, token, createWorkspace } = await worldWithCaller();
  const other = (await createWorkspace("Theirs")).id;
  expect((await askAs("GET", "/api/tests", { token, workspace: other })).json.error).toBe("forbidden");
  expect((await askAs("GET", "/api/workspaces", { token })).text).not.toContain(other);
});

test("a token is issued and revoked as on the settings page", async () => {
  const { askAsPerson, askAs, workspace } = await worldWithCaller();
  const { status, json } = await askAsPerson("POST", "/api/tokens", { name: "Build server" });
  expect(status).toBe(201);
  const asked = { token: json.token, workspace };
  expect((await askAs("GET", "/api/tests", asked)).status).toBe(200);
  expect((await askAsPerson("DELETE", `/api/tokens/${json.id}`)).status).toBe(204);
  expect((await askAs("GET", "/api/tests", asked)).json.error).toBe("forbidden");
});

/** A token belongs to a workspace, and these belong to a person, or make another workspace. */
const ofPerson = [
  "GET /api/sessions",
  "DELETE /api/sessions/:id",
  "GET /api/identities",
  "POST /api/identities",
  "DELETE /api/identities/:id",
  "POST /api/workspaces",
];

test("a token has the same rights as a logged-in session", async () => {
  const { askAs, workspace, addPerson, openSession } = await worldWithCaller();
  const rights = async (role: Role) => {
    const { id } = await addPerson(workspace, role);
    const session = { ...(await openSession(id)), workspace };
    const { token } = (await askAs("POST", "/api/tokens", { ...session, body: { name: "all" } })).json;
    const statuses = [];
    for (const caller of [{ token }, session]) {
      const answers = [];
      for (const { endpoint } of routes.filter(({ endpoint: { path } }) => path.startsWith("/api/"))) {
        if (endpoint.path.startsWith("/api/auth/")) continue;
        if (ofPerson.includes(`${endpoint.method} ${endpoint.path}`)) continue;
        const path = endpoint.path.replace(/:\w+/g, "nothing");
        const { status } = await askAs(endpoint.method, path, { ...caller, workspace });
        answers.push(`${endpoint.method} ${path} ${status}`);
      }
      statuses.push(answers);
    }
    return statuses;
  };
  for (const role of roles) {
    const [asToken, asSession] = await rights(role);
    expect(asToken).toEqual(asSession);
  }
});

test("an error is JSON with its code in error", async () => {
  const { ask } = await worldWithCaller();
  const refused = [
    await ask("GET", "/nowhere"),
    await ask("PATCH", "/api/tests"),
    await ask("POST", "/api/domains", "{"),
    await ask("GET", "/api/tests?limit=0"),
  ];
  for (const { headers, json } of refused) {
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(json.error).toMatch(/^[a-z_]+$/);
  }
});

test("a request without an Authorization header returns missing_token with 401", async () => {
  const { askAs, workspace } = await worldWithCaller();
  const { status, json } = await askAs("GET", "/api/tests", { workspace });
  expect(status).toBe(401);
  expect(json.error).toBe("missing_token");
});

test("a token of another workspace returns forbidden with 403", async () => {
  const { askAs, createWorkspace, issueToken, workspace } = await worldWithCaller();
  const { token } = await issueToken((await createWorkspace("Theirs")).id);
  const { status, json } = await askAs("GET", "/api/tests", { token, workspace });
  expect(status).toBe(403);
  expect(json.error).toBe("forbidden");
});

test("an unknown resource returns not_found with 404", async () => {
  const { ask } = await worldWithCaller();
  for (const path of ["/api/tests/tst_none", "/api/tests/tst_none/eml", "/api/none"]) {
    const { status, json } = await ask("GET", path);
    expect(status).toBe(404);
    expect(json.error).toBe("not_found");
  }
});

test("an invalid email address returns invalid_email with 400", async () => {
  const { ask } = await worldWithCaller();
  const type = { "content-type": "message/rfc822" };
  const { status, json } = await ask("POST", "/api/tests/upload?mail_from=nobody", "Subject: x\r\n\r\nx", type);
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: "invalid_email", field: "mail_from" });
});

test("a missing name returns missing_name with 400", async () => {
  const { askAsPerson } = await worldWithCaller();
  for (const body of [{}, { name: "" }, { name: "  " }, { name: null }]) {
    const { status, json } = await askAsPerson("POST", "/api/workspaces", body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "missing_name", field: "name" });
  }
});

test("a limit of the plan returns plan_limit with 402", async () => {
  const reading = parsePlans(JSON.stringify({ plans: { small: { tokens: 2 } }, default: "small" }));
  if (!reading.ok) throw new Error(reading.problems.join());
  const { askAsPerson } = await worldWithCaller({ plans: reading.plans });
  expect((await askAsPerson("POST", "/api/tokens", { name: "the second" })).status).toBe(201);
  const { status, json } = await askAsPerson("POST", "/api/tokens", { name: "one too many" });
  expect(status).toBe(402);
  expect(json.error).toBe("plan_limit");
});

test("billing without the payment provider's key returns billing_not_configured with 503", async () => {
  const { ask } = await worldWithCaller();
  for (const path of ["/api/billing/checkout", "/api/billing/portal"]) {
    const { status, json } = await ask("POST", path, { plan: "team" });
    expect(status).toBe(503);
    expect(json.error).toBe("billing_not_configured");
  }
});

test("request 31 to authentication endpoints within 60 seconds from one IP returns rate_limited", async () => {
  const { askAs, clock } = await worldWithCaller();
  const logIn = () =>
    askAs("POST", "/api/auth/login", { body: { email: "ann@people.example", password: "no such person" } });
  for (let count = 0; count < 30; count++) expect((await logIn()).status).toBe(401);
  clock.nowMs += 59_999;
  const { status, json, headers } = await logIn();
  expect(status).toBe(429);
  expect(json.error).toBe("rate_limited");
  expect(headers.get("retry-after")).toBe("1");
  clock.nowMs += 1;
  expect((await logIn()).status).toBe(401);
});

test("no other endpoint has a rate limit", async () => {
  const { ask } = await worldWithCaller();
  const open = routes.filter(
    ({ endpoint: { method, path } }) =>
      method === "GET" && !path.includes(":") && path.startsWith("/api/") && !path.startsWith("/api/auth/"),
  );
  for (const { endpoint } of open.filter((_, index) => index % 10 === 0))
    for (let count = 0; count < 40; count++) expect((await ask("GET", endpoint.path)).status).not.toBe(429);
});

test("all paths begin with /api and contain no version", () => {
  const pages = ["/preview/:id", "/preview/public-page", "/setup", "/invite", "/reset", "/account.js"];
  const ofMail = ["/alert-email/confirm/:token", "/alert-email/unsubscribe/:token"];
  const elsewhere = [
    ...pages,
    ...ofMail,
    "/hooks/:key",
    "/hooks/:key/mime",
    "/healthz",
    "/readyz",
    "/metrics",
    "/mcp",
    "/unsubscribe",
    ...routes.flatMap(({ endpoint: { path } }) => (/^\/test(?:\/|$)/.test(path) ? [path] : [])),
  ];
  for (const { endpoint } of routes) {
    if (!elsewhere.includes(endpoint.path)) expect(endpoint.path).toMatch(/^\/(api|s)\//);
    expect(endpoint.path).not.toMatch(/\/v\d/);
  }
});
