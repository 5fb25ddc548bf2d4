// The interface as its users were promised it, a test a line (test/laws/interface-table.ts).

import { expect, test } from "vitest";
import { routes } from "../../src/http/app.ts";
import { base64, letter, multipart, ordinaryHead, part } from "../mail/letter.ts";
import { startHttpWorld } from "./http-world.ts";

async function worldWithCaller() {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    world.ask(method, path, { token, workspace, body, headers });
  const receive = async (raw?: Uint8Array) => {
    world.clock.nowMs += 1;
    return await world.receive(workspace, null, raw);
  };
  return { ...world, askAs: world.ask, workspace, token, ask, receive };
}

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

test("GET /api/tests lists the workspace's tests, most recent first", async () => {
  const { ask, receive } = await worldWithCaller();
  const oldest = await receive();
  const newest = await receive();
  expect(idsOf((await ask("GET", "/api/tests")).json.items)).toEqual([newest, oldest]);
});

test("GET /api/tests takes limit from 1 to 100 and takes 50 without one", async () => {
  const { ask, receive } = await worldWithCaller();
  for (let count = 0; count < 101; count++) await receive();
  const sizeOf = async (query: string) => (await ask("GET", `/api/tests${query}`)).json.items.length;
  expect(await sizeOf("")).toBe(50);
  expect(await sizeOf("?limit=1")).toBe(1);
  expect(await sizeOf("?limit=100")).toBe(100);
  for (const limit of ["0", "101", "-1", "1.5", "x", ""]) {
    const { status, json } = await ask("GET", `/api/tests?limit=${limit}`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "invalid_request", field: "limit" });
  }
});

test("GET /api/tests takes an offset", async () => {
  const { ask, receive } = await worldWithCaller();
  const ids = [await receive(), await receive(), await receive()];
  expect((await ask("GET", "/api/tests")).json.offset).toBe(0);
  expect(idsOf((await ask("GET", "/api/tests?offset=2")).json.items)).toEqual([ids[0]]);
  expect((await ask("GET", "/api/tests?offset=3")).json.items).toEqual([]);
});

test("a test has the twelve fields of the export under the same names", async () => {
  const { ask, receive, analyzeAll, internet } = await worldWithCaller();
  internet.zone = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
  const id = await receive(Buffer.from("From: Ann <ann@sender.example>\r\nSubject: Hello\r\n\r\nHi.\r\n"));
  await analyzeAll();
  const twelve = {
    id,
    received_at: expect.stringMatching(/^2026-11-21T06:00:00\.\d{3}Z$/),
    from: "Ann <ann@sender.example>",
    subject: "Hello",
    status: "analyzed",
    composite: expect.any(Number),
    inbox_rate: expect.any(Number),
    spam_rate: expect.any(Number),
    promo_rate: expect.any(Number),
    spf: "pass",
    dkim: "none",
    dmarc: "none",
  };
  const [listed] = (await ask("GET", "/api/tests")).json.items;
  expect(listed).toMatchObject(twelve);
  expect((await ask("GET", `/api/tests/${id}`)).json).toMatchObject(twelve);
  expect(listed.inbox_rate + listed.spam_rate + listed.promo_rate).toBeCloseTo(1);
});

test("GET /api/tests/:id has findings, category scores, placement results, delivery timeline and raw headers", async () => {
  const { ask, receive, analyzeAll } = await worldWithCaller();
  const id = await receive(Buffer.from("Subject: Hello\r\nX-Odd:  two  spaces\r\n\r\nHi.\r\n"));
  await analyzeAll();
  const { json } = await ask("GET", `/api/tests/${id}`);
  expect(json.findings.length).toBeGreaterThan(0);
  expect(json.category_scores.map(({ id: area }: { id: string }) => area)).toContain("authentication");
  const providers = json.placement_results.map(({ provider }: { provider: string }) => provider);
  expect(providers).toEqual(expect.arrayContaining(["gmail", "outlook", "yahoo", "icloud"]));
  expect(json.delivery_timeline).toMatchObject({ hops: expect.any(Array), smtp: expect.any(Array) });
  expect(json.raw_headers).toMatch(/^Subject: Hello\r\nX-Odd: {2}two {2}spaces\r\n/);
});

test("GET /api/tests/:id/eml has the parsed body, attachments, embedded images and tracking pixels", async () => {
  const { ask, receive } = await worldWithCaller();
  const page =
    '<p>Hi.</p><img src="https://img.sender.example/shoe.png" alt="Shoe" width="300" height="200">' +
    '<img src="https://u1.ct.sendgrid.net/wf/open?upn=u001.abc" width="1" height="1" alt="">';
  const raw = letter(
    ...ordinaryHead,
    multipart(
      "mixed",
      "m",
      part(["Content-Type: text/html; charset=utf-8"], page),
      part(
        [
          "Content-Type: text/csv",
          "Content-Disposition: attachment; filename=list.csv",
          "Content-Transfer-Encoding: base64",
        ],
        base64("a,b\n"),
      ),
    ),
  );
  const { json } = await ask("GET", `/api/tests/${await receive(raw)}/eml`);
  expect(json.body.html).toContain("<p>Hi.</p>");
  expect(json.attachments).toMatchObject([{ filename: "list.csv", size_bytes: 4 }]);
  expect(json.images).toMatchObject([
    { src: expect.stringContaining("shoe.png"), kind: "remote", alt: "Shoe" },
    { src: expect.stringContaining("upn=u001.abc") },
  ]);
  expect(json.tracking_pixels).toMatchObject([{ host: "u1.ct.sendgrid.net" }]);
});

test("POST /api/tests/:id/reanalyze runs the analyser on the stored message, without a body and without a new send", async () => {
  const { ask, receive, analyzeAll, internet, clock } = await worldWithCaller();
  const id = await receive();
  await analyzeAll();
  expect((await ask("GET", `/api/tests/${id}`)).json.spf).toBe("none");
  internet.zone = { "sender.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] } };
  clock.nowMs += 1_000;
  const { status, json } = await ask("POST", `/api/tests/${id}/reanalyze`);
  expect(status).toBe(200);
  expect(json).toMatchObject({ id, spf: "pass", findings: expect.any(Array) });
  expect((await ask("GET", "/api/tests")).json.items).toHaveLength(1);
});

test("a test tells its status and moves from received to analyzed, and through reanalysis back to analyzed", async () => {
  const { ask, receive, analyzeAll } = await worldWithCaller();
  const path = `/api/tests/${await receive()}`;
  expect((await ask("GET", path)).json).toMatchObject({ status: "received", composite: null });
  await analyzeAll();
  expect((await ask("GET", path)).json).toMatchObject({ status: "analyzed", composite: expect.any(Number) });
  await ask("POST", `${path}/reanalyze`);
  expect((await ask("GET", path)).json).toMatchObject({ status: "analyzed", composite: expect.any(Number) });
});

test("every request bears Authorization: Bearer with an API token", async () => {
  const { askAs, token } = await worldWithCaller();
  expect((await askAs("GET", "/api/me", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  expect((await askAs("GET", "/api/me", { headers: { authorization: token } })).status).toBe(403);
  expect((await askAs("GET", "/api/me", { headers: { "x-api-key": token } })).status).toBe(401);
  expect((await askAs("GET", `/api/me?access_token=${token}`)).status).toBe(401);
});

test("what belongs to a workspace is asked for with X-Workspace-Id, an id that begins with wsp_", async () => {
  const { askAs, token, workspace } = await worldWithCaller();
  expect(workspace).toMatch(/^wsp_/);
  expect((await askAs("GET", "/api/tests", { token, workspace })).status).toBe(200);
  expect((await askAs("GET", "/api/tests", { token })).json.error).toBe("forbidden");
  expect((await askAs("GET", "/api/tests", { token, workspace: workspace.slice(4) })).status).toBe(403);
});

test("an API token opens its workspace and no other", async () => {
  const { askAs, token, createWorkspace } = await worldWithCaller();
  const other = (await createWorkspace("Theirs")).id;
  expect((await askAs("GET", "/api/tests", { token, workspace: other })).json.error).toBe("forbidden");
  expect((await askAs("GET", "/api/workspaces", { token })).text).not.toContain(other);
});

test("a token is issued and revoked as on the settings page", async () => {
  const { ask, askAs, workspace } = await worldWithCaller();
  const { status, json } = await ask("POST", "/api/tokens", { name: "Build server" });
  expect(status).toBe(201);
  const asked = { token: json.token, workspace };
  expect((await askAs("GET", "/api/tests", asked)).status).toBe(200);
  expect((await ask("DELETE", `/api/tokens/${json.id}`)).status).toBe(204);
  expect((await askAs("GET", "/api/tests", asked)).json.error).toBe("forbidden");
});

test("an error is JSON with its code in error", async () => {
  const { ask } = await worldWithCaller();
  const refused = [
    await ask("GET", "/nowhere"),
    await ask("PATCH", "/api/tests"),
    await ask("POST", "/api/workspaces", "{"),
    await ask("GET", "/api/tests?limit=0"),
  ];
  for (const { headers, json } of refused) {
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(json.error).toMatch(/^[a-z_]+$/);
  }
});

test("missing_token is 401 without an Authorization header", async () => {
  const { askAs, workspace } = await worldWithCaller();
  const { status, json } = await askAs("GET", "/api/tests", { workspace });
  expect(status).toBe(401);
  expect(json.error).toBe("missing_token");
});

test("forbidden is 403 for a token that is not of the workspace", async () => {
  const { askAs, createWorkspace, issueToken, workspace } = await worldWithCaller();
  const { token } = await issueToken((await createWorkspace("Theirs")).id);
  const { status, json } = await askAs("GET", "/api/tests", { token, workspace });
  expect(status).toBe(403);
  expect(json.error).toBe("forbidden");
});

test("not_found is 404 for what does not exist", async () => {
  const { ask } = await worldWithCaller();
  for (const path of ["/api/tests/tst_none", "/api/tests/tst_none/eml", "/api/none"]) {
    const { status, json } = await ask("GET", path);
    expect(status).toBe(404);
    expect(json.error).toBe("not_found");
  }
});

test("invalid_email is 400", async () => {
  const { ask } = await worldWithCaller();
  const type = { "content-type": "message/rfc822" };
  const { status, json } = await ask(
    "POST",
    "/api/tests/upload?mail_from=nobody",
    "Subject: x\r\n\r\nx",
    type,
  );
  expect(status).toBe(400);
  expect(json).toMatchObject({ error: "invalid_email", field: "mail_from" });
});

test("missing_name is 400", async () => {
  const { ask } = await worldWithCaller();
  for (const body of [{}, { name: "" }, { name: "  " }, { name: null }]) {
    const { status, json } = await ask("POST", "/api/workspaces", body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: "missing_name", field: "name" });
  }
});

test("no other endpoint is throttled", async () => {
  const { ask } = await worldWithCaller();
  const open = routes.filter(
    ({ endpoint: { method, path } }) =>
      method === "GET" && !path.includes(":") && path.startsWith("/api/") && !path.startsWith("/api/auth/"),
  );
  for (const { endpoint } of open)
    for (let count = 0; count < 40; count++) expect((await ask("GET", endpoint.path)).status).not.toBe(429);
});

test("paths begin with /api and name no version", () => {
  const elsewhere = ["/", "/healthz", "/readyz", "/metrics", "/docs", "/docs/checks", "/preview/:id"];
  for (const { endpoint } of routes) {
    if (!elsewhere.includes(endpoint.path)) expect(endpoint.path).toMatch(/^\/(api|s)\//);
    expect(endpoint.path).not.toMatch(/\/v\d/);
  }
});
