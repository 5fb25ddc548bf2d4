// What another page can make a browser do here: keep a planted session, frame a page, or redirect.

import { expect, test } from "vitest";
import { listPaths } from "../../src/platform/server.ts";
import { features, routes } from "../../src/server.ts";
import { toReturnPath } from "../../src/web/client/return-path.ts";
import { builtWeb } from "../web/web-world.ts";
import { askRaw } from "./ask-raw.ts";
import { startHttpWorld } from "./http-world.ts";
import { cookieOf, goodPassword, invitationToken, resetToken, setUpToken } from "./people.ts";

test("every login starts a new session, regardless of the browser's cookie", async () => {
  const world = await startHttpWorld();
  const { id: workspaceId } = await world.createWorkspace("Ours");
  const planted = `assay_session=${"A".repeat(43)}`;
  const email = "ada@example.com";
  const seen = new Set([planted]);
  const enter = async (path: string, body: object) => {
    const { status, headers } = await world.ask("POST", path, { cookie: planted, body });
    expect([path, status < 300]).toEqual([path, true]);
    const { cookie } = cookieOf(headers);
    expect([path, seen.has(cookie)]).toEqual([path, false]);
    seen.add(cookie);
    expect((await world.ask("GET", "/api/me", { cookie: planted })).status).toBe(401);
    expect((await world.ask("GET", "/api/me", { cookie })).status).toBe(200);
    return cookie;
  };
  const person = { name: "Ada", email, password: goodPassword };
  await enter("/api/auth/setup", { ...person, token: await setUpToken(world) });
  const first = await enter("/api/auth/login", { email, password: goodPassword });
  // A session of one's own is replaced as well.
  const again = await world.ask("POST", "/api/auth/login", { cookie: first, body: { email, password: goodPassword } });
  expect(seen.has(cookieOf(again.headers).cookie)).toBe(false);
  expect((await world.ask("GET", "/api/me", { cookie: first })).status).toBe(401);
  const invited = await invitationToken(world, { workspaceId, email: "ben@example.com" });
  await enter("/api/auth/invite/accept", { token: invited, name: "Ben", password: goodPassword });
  await enter("/api/auth/reset", { token: await resetToken(world, email), password: "granite velvet otter" });
});

const openRoutes = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method === "GET");

/** Only the sandboxed message is framed, by our own page. */
const unframed = /frame-ancestors 'none'|^sandbox$/;
const ownFrame = /^sandbox;.*frame-ancestors 'self'$/;

test("no page, report, or response can be framed by another site", async () => {
  const world = await startHttpWorld({ webFiles: await builtWeb() });
  const { id: workspace } = await world.createWorkspace("Ours");
  const { cookie } = await world.addPerson(workspace, "owner");
  const testId = await world.receive(workspace);
  await world.analyzeAll();
  const asked = { cookie, workspace };
  const share = (await world.ask("POST", `/api/tests/${testId}/shares`, { ...asked, body: {} })).json;
  const paths = [
    new URL(share.url).pathname,
    "/nothing",
    "/tests/",
    ...[...listPaths(features), ...openRoutes.map(({ path }) => path)].map((path) => path.replace(/:\w+/g, testId)),
  ];
  expect(paths.length).toBeGreaterThan(100);
  for (const path of paths) {
    for (const headers of [{}, { cookie, "x-workspace-id": workspace }]) {
      const answer = await fetch(world.base + path, { headers, redirect: "manual" });
      await answer.body?.cancel();
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect([path, unframed.test(policy) || ownFrame.test(policy)]).toEqual([path, true]);
    }
  }
});

const elsewhere = [
  "//evil.example/",
  "//evil.example//",
  "/\\evil.example/",
  "/.//evil.example/",
  "/%2f%2fevil.example/",
  "http://evil.example/tests/",
  "http://evil.example//evil.example/",
  "/tests/;@evil.example/",
];

test("a redirect that removes a trailing slash stays on this server", async () => {
  const { port, base } = await startHttpWorld({ webFiles: await builtWeb() });
  for (const target of elsewhere) {
    const heard = await askRaw(port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    const [, location] = /^location: (.*)$/im.exec(heard) ?? [];
    expect(heard).toMatch(/^HTTP\/1\.1 [34]\d\d/);
    if (location !== undefined) expect([target, new URL(location, base).origin]).toEqual([target, base]);
  }
});

test("the login page redirects only to paths of this server", () => {
  const own = "https://own.example";
  for (const next of [
    ...elsewhere,
    "//evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "",
    "/\n/evil.example",
    "evil.example",
    "\\\\evil.example",
    "/a/..//evil.example",
  ])
    expect([next, new URL(toReturnPath(next), own).origin]).toEqual([next, own]);
  expect(toReturnPath("/tests?q=a#b")).toBe("/tests?q=a#b");
});
