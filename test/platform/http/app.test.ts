import { describe, expect, test } from "vitest";
import { askRaw } from "../../http/ask-raw.ts";
import { startHttpWorld } from "../../http/http-world.ts";

describe("routing errors", () => {
  test("routing errors return not_found for an unknown path, with a link to the reference", async () => {
    const { ask } = await startHttpWorld();
    const { status, json } = await ask("GET", "/api/nothing-here");
    expect(status).toBe(404);
    expect(json).toEqual({ error: "not_found", message: "No such endpoint. See /docs/api." });
  });

  test("routing errors name the supported methods of a known path", async () => {
    const { ask } = await startHttpWorld();
    for (const method of ["PUT", "OPTIONS", "PATCH"]) {
      const { status, json, headers } = await ask(method, "/api/tokens");
      expect(status).toBe(405);
      expect(json.error).toBe("method_not_allowed");
      expect(headers.get("allow")).toBe("GET, HEAD, POST");
    }
  });

  async function startBreakable() {
    const broken: { cause?: Error } = {};
    const world = await startHttpWorld({
      wrapStore: (store) => ({
        ...store,
        get read() {
          if (broken.cause) throw broken.cause;
          return store.read;
        },
      }),
    });
    return { ...world, broken, askMe: () => world.ask("GET", "/api/me", { token: `asy_${"a".repeat(40)}` }) };
  }

  test("routing errors hide the cause of an internal error, and give an ID that is in the log", async () => {
    const { broken, askMe, lines } = await startBreakable();
    broken.cause = new Error("secret detail");
    const { json, status } = await askMe();
    expect(status).toBe(500);
    expect(json.message).not.toContain("secret");
    const line = lines.find(({ level }) => level === "error");
    expect(line?.fields.requestId).toBe(json.requestId);
    expect(String(line?.cause)).toContain("secret detail");
  });

  test.each(["40001", "40P01", "55P03", "57014"])(
    "routing errors ask to try again soon if PostgreSQL was busy with others: %s",
    async (code) => {
      const { broken, askMe, lines } = await startBreakable();
      broken.cause = Object.assign(new Error("deadlock detected"), { code });
      const { json, status, headers } = await askMe();
      expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
      expect(json).toEqual({ error: "overloaded", message: "The database is busy. Try again in a moment." });
      expect(lines.filter(({ level }) => level === "error" || level === "warn")).toMatchObject([
        { level: "warn", message: "A request met a busy database.", fields: { route: "/api/me" } },
      ]);
    },
  );
});

describe("paths with unusual characters", () => {
  test.each([
    "//api/me",
    "/api//me",
    "/api/%6De",
    "/API/me",
    "/api/./me",
    "/healthz/../api/me",
    "/api\\me",
    "/api/me;x=1",
    "/api%2Fme",
  ])("the path %s is not another name of /api/me", async (path) => {
    const { port } = await startHttpWorld();
    const heard = await askRaw(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(heard).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(heard).not.toContain("missing_token");
  });
});

describe("an unknown URL", () => {
  const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  const paths = ["/nothing", "/tests/tst_1/nothing", "/a//b", "/docs%2f", "/apiary", "/nothing?x=<script>"];

  test.each(paths)("the unknown URL %s is a page for a browser, without a login, with links", async (path) => {
    const { base } = await startHttpWorld();
    const answer = await fetch(base + path, { headers: browser });
    const text = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain("<h1>Page not found</h1>");
    expect(text).toContain('<a href="/docs">Handbook</a>');
    expect(text).not.toMatch(/<script|nothing\?|href="https?:/);
  });

  test.each(paths)("the unknown URL %s is an error in JSON for an API client", async (path) => {
    const { base } = await startHttpWorld();
    for (const accept of ["*/*", "application/json", ""]) {
      const answer = await fetch(base + path, { headers: { accept } });
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: "not_found", message: "No such endpoint. See /docs/api." },
      ]);
    }
  });

  test.each([
    ["PUT", "/api/calibration/gmail", "Prediction shifts were removed."],
    ["POST", "/api/monitors/mon_1/maintenance", "Pause the monitor instead"],
    ["GET", "/badges/x.svg", "GET /api/monitors has the states."],
  ])("the removed route %s %s names its replacement", async (method, path, instead) => {
    const { base } = await startHttpWorld();
    const answer = await fetch(base + path, { method });
    expect([answer.status, (await answer.json()).message]).toEqual([404, expect.stringContaining(instead)]);
  });

  test("an unknown URL in the API is an error in JSON for a browser too, and so is a file that it would not show", async () => {
    const { base } = await startHttpWorld();
    for (const path of ["/api", "/api/nothing", "/api//x", "/assets/nothing.js"])
      expect((await fetch(base + path, { headers: browser })).headers.get("content-type")).toContain("json");
    const posted = await fetch(`${base}/nothing`, { method: "POST", headers: browser });
    expect([posted.status, posted.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
    const head = await fetch(`${base}/nothing`, { method: "HEAD", headers: browser });
    expect([head.status, await head.text()]).toEqual([404, ""]);
  });
});
