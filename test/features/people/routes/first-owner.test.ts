// A server without an owner: every page redirects to setup, and the code from the terminal works only on the
// server's own computer.

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, test } from "vitest";
import { takesSetUpCode } from "../../../../src/platform/http/client-address.ts";
import { type HttpWorld, type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";
import { cookieOf, goodPassword, invitationToken, resetToken, setUpToken } from "../../../http/people.ts";
import { builtWeb } from "../../../web/web-world.ts";

const ann = { name: "Ann", email: "ann@people.example", password: goodPassword };

async function freshWorld(options: HttpWorldOptions = {}) {
  const world = await startHttpWorld(options);
  const { id } = await world.createWorkspace("Default");
  return { ...world, workspaceId: id };
}

function setUp(world: HttpWorld, given: object, headers: Readonly<Record<string, string>> = {}) {
  return world.ask("POST", "/api/auth/setup", { body: { ...ann, ...given }, headers });
}

/** fetch sets the Host header itself. */
async function statusUnder(world: HttpWorld, headers: Readonly<Record<string, string>>): Promise<number> {
  const asked = request(`${world.base}/api/auth/setup`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
  });
  asked.end(JSON.stringify({ ...ann, code: world.firstOwner.code }));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

describe("the web address without an owner", () => {
  test("the web address without an owner redirects to setup until there is an owner, and then to the app", async () => {
    const world = await freshWorld({ webFiles: await builtWeb() });
    for (const path of ["/", "/login", "/start", "/tests/tst_1", "/settings/you"]) {
      const { status, headers } = await fetch(world.base + path, { redirect: "manual" });
      expect([path, status, headers.get("location"), headers.get("cache-control")]).toEqual([
        path,
        302,
        "/setup",
        "no-store",
      ]);
    }
    expect((await setUp(world, { code: world.firstOwner.code })).status).toBe(201);
    const app = await fetch(world.base);
    expect([app.status, await app.text()]).toEqual([200, expect.stringContaining('<div id="app">')]);
    expect((await world.ask("GET", "/setup")).text).toContain("This server already has an owner");
  });

  test("the web address without an owner shows the setup code field only where the code works", async () => {
    const world = await freshWorld();
    expect((await world.ask("GET", "/setup")).text).toContain('name="code"');
    const { text } = await world.ask("GET", "/setup", { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(text).not.toContain('name="code"');
    expect(text).not.toContain(world.firstOwner.code);
  });
});

describe("the setup code", () => {
  test("the setup code creates the first owner in any spelling, and ends the setup link", async () => {
    const world = await freshWorld();
    const token = await setUpToken(world);
    const typed = ` ${world.firstOwner.code.toLowerCase().replace("-", " ")}`;
    const answer = await setUp(world, { code: typed });
    expect(answer.status).toBe(201);
    const { cookie } = cookieOf(answer.headers);
    expect((await world.ask("GET", "/api/me", { cookie })).json.workspaces[0].role).toBe("owner");
    expect((await setUp(world, { token })).json.error).toBe("invalid_link");
    expect((await setUp(world, { code: world.firstOwner.code })).json.error).toBe("invalid_link");
  });

  test("a wrong setup code and a weak password are both named at once", async () => {
    const world = await freshWorld();
    const answer = await setUp(world, { code: "AAAA-AAAA", password: "short" });
    expect([answer.status, answer.json.field]).toEqual([400, "code"]);
    expect(answer.json.message).toBe(
      "This is not the setup code. The terminal shows it after “Code”. The password must have at least 10 characters.",
    );
  });

  test("the setup code creates one owner if two browsers use it at once", async () => {
    const world = await freshWorld();
    const { code } = world.firstOwner;
    const answers = await Promise.all(
      ["a@x.example", "b@x.example", "c@x.example"].map((email) => setUp(world, { code, email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  test("the setup code has eight unambiguous characters, and changes with each start", async () => {
    const codes = await Promise.all([freshWorld(), freshWorld()]);
    for (const { firstOwner } of codes) expect(firstOwner.code).toMatch(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    expect(codes[0]?.firstOwner.code).not.toBe(codes[1]?.firstOwner.code);
  });

  test("the setup code stops working after ten wrong attempts, while the link still works", async () => {
    const world = await freshWorld();
    for (let wrong = 0; wrong < 10; wrong++) {
      const { json } = await setUp(world, { code: "WRONG" });
      expect(json).toMatchObject({ error: "invalid_link", field: "code" });
    }
    const { status, json } = await setUp(world, { code: world.firstOwner.code });
    expect([status, json.field]).toEqual([400, "code"]);
    expect(json.message).toContain("no longer works");
    expect((await setUp(world, { token: await setUpToken(world) })).status).toBe(201);
  });

  test("the setup code does not count an attempt with a weak password", async () => {
    const world = await freshWorld();
    const { code } = world.firstOwner;
    for (let tries = 0; tries < 12; tries++)
      expect((await setUp(world, { code, password: "short" })).json.field).toBe("password");
    expect((await setUp(world, { code })).status).toBe(201);
  });

  test("the setup code expires after a day", async () => {
    const world = await freshWorld();
    world.clock.nowMs += 86_400_000;
    expect((await setUp(world, { code: world.firstOwner.code })).json.error).toBe("invalid_link");
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a proxy that names its client", { "x-forwarded-for": "203.0.113.9" }],
    ["a proxy that names itself as the client", { "x-forwarded-for": "127.0.0.1" }],
    ["a proxy of RFC 7239", { forwarded: "for=203.0.113.9" }],
    ["a proxy that says that it is one", { via: "1.1 proxy" }],
    ["a proxy with another header", { "x-real-ip": "203.0.113.9" }],
    ["a proxy that passes its own name through", { host: "assay.example" }],
    ["a page that rebinds its name to this machine", { host: "rebound.example:8080" }],
    ["a name that only looks like loopback", { host: "127.0.0.1.example" }],
    ["a name with credentials", { host: "localhost@rebound.example" }],
  ])("the setup code is rejected from %s, without counting an attempt", async (_who, headers) => {
    const world = await freshWorld();
    for (let tries = 0; tries < 12; tries++) expect(await statusUnder(world, headers)).toBe(403);
    expect((await setUp(world, { code: world.firstOwner.code })).status).toBe(201);
  });

  test.each(["localhost", "localhost:8080", "127.0.0.1", "127.8.8.8:1", "[::1]:8080"])(
    "the setup code works under the name %s",
    async (host) => {
      const world = await freshWorld();
      expect(await statusUnder(world, { host })).toBe(201);
    },
  );

  test("the setup code is rejected if a proxy on this machine is trusted, or the server has a public name", async () => {
    const proxied = await freshWorld({ trustedProxies: ["127.0.0.1/32"] });
    expect((await setUp(proxied, { code: proxied.firstOwner.code })).status).toBe(403);
    const named = await freshWorld({ machine: { settings: { ASSAY_BASE_URL: "https://assay.example" } } });
    expect((await setUp(named, { code: named.firstOwner.code })).status).toBe(403);
  });

  test("the setup code is rejected from a page of another site", async () => {
    const world = await freshWorld();
    const answer = await setUp(
      world,
      { code: world.firstOwner.code },
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
    );
    expect(answer.status).toBe(403);
  });

  test("the setup code is required if neither it nor a link is given", async () => {
    const world = await freshWorld();
    for (const given of [{}, { token: null }, { code: null }, { token: null, code: null }])
      expect((await setUp(world, given)).json).toMatchObject({ error: "invalid_request", field: "token" });
  });

  test("the setup code is printed if a browser on this machine can reach the server", () => {
    const at = (httpHost: string, baseUrl: string | null = null) => takesSetUpCode({ httpHost, baseUrl });
    expect(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"].map((host) => at(host))).not.toContain(false);
    expect(at("127.0.0.1", "http://localhost:8080")).toBe(true);
    expect(at("192.168.1.5")).toBe(false);
    expect(at("127.0.0.1", "https://assay.example")).toBe(false);
  });
});

describe("POST /api/auth/link", () => {
  test("POST /api/auth/link checks whether a link works, without using it up", async () => {
    const world = await freshWorld();
    const check = (kind: string, token: string) => world.ask("POST", "/api/auth/link", { body: { kind, token } });
    const setUpLink = await setUpToken(world);
    for (const _again of [1, 2]) expect((await check("setUp", setUpLink)).status).toBe(204);
    for (const [kind, token] of [
      ["setUp", "nonsense"],
      ["setUp", ""],
      ["invitation", setUpLink],
      ["passwordReset", setUpLink],
    ] as const)
      expect(await check(kind, token)).toMatchObject({ status: 400, json: { error: "invalid_link" } });
    expect((await setUp(world, { token: setUpLink })).status).toBe(201);
    expect((await check("setUp", setUpLink)).status).toBe(400);
    const { workspaceId } = world;
    const invitation = await invitationToken(world, { workspaceId, email: "ben@people.example" });
    expect((await check("invitation", invitation)).status).toBe(204);
    expect((await check("passwordReset", await resetToken(world, ann.email))).status).toBe(204);
    world.clock.nowMs += 8 * 86_400_000;
    expect((await check("invitation", invitation)).json.message).toContain("Ask a workspace owner");
  });
});
