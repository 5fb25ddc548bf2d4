// Hundreds of requests that no honest client sends. None may cause a server error (500) or a response in another
// error format, and the server keeps running.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorBody } from "../../src/platform/contract/endpoint.ts";
import { askRawAndEnd } from "./ask-raw.ts";
import { type HttpWorld, openHttpWorld } from "./http-world.ts";

let world: HttpWorld;
let token: string;
let workspace: string;

beforeAll(async () => {
  world = await openHttpWorld();
  workspace = (await world.createWorkspace("Ours")).id;
  token = (await world.issueToken(workspace)).token;
});

afterAll(() => world.close());

const paths = ["/", "/healthz", "/api/me", "/api/tokens", "/api/tokens/tok_x", "/docs", "/metrics", "/api/nothing"];

const nastyTargets = [
  "*",
  "a",
  "http://",
  "http://a",
  "http://a/healthz",
  "http://[::1/healthz",
  "ftp://a/healthz",
  "//a/healthz",
  "/%",
  "/%zz",
  "/%00",
  "/%ff%fe",
  "/%c0%ae%c0%ae/",
  "/..",
  "/../../../etc/passwd",
  "/%2e%2e/%2e%2e/",
  "/api/tokens/..%2f..%2fme",
  "/api/tokens/%00",
  "/api/tokens/__proto__",
  "/api/tokens/constructor",
  "/__proto__",
  "/api/tokens?limit=__proto__",
  "/api/tokens?__proto__[x]=1",
  "/api/tokens?constructor=1",
  "/api/tokens?limit=%",
  "/api/me?a=1&a=2",
  "/api/me?&&&===",
  "/api/me#fragment",
  "/api/me\\..\\",
  "/api/me;jsessionid=1",
  "/\u00e9",
  `/${"a".repeat(4_000)}`,
  `/${"a".repeat(9_000)}`,
  `/${"a/".repeat(2_000)}`,
  `/api/tokens/${"x".repeat(4_000)}`,
  `/api/me?${"a=1&".repeat(900)}`,
];

const nastyHeaders = [
  "X-Workspace-Id: __proto__",
  "X-Workspace-Id: \u0001",
  `X-Workspace-Id: ${"w".repeat(8_000)}`,
  "X-Workspace-Id: wsp_a\r\nX-Workspace-Id: wsp_b",
  "X-Forwarded-For: , , ,",
  "X-Forwarded-Host: evil/..\r\nX-Forwarded-Proto: gopher",
  "Content-Type: application/json; charset=utf-7",
  "Content-Type: \u0000",
  "Content-Length: 0",
  "Content-Length: -1",
  "Content-Length: 5",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: identity",
  "Upgrade: websocket\r\nConnection: upgrade",
  "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
  "Expect: 100-continue",
  "Range: bytes=0-0",
  "Accept: nothing/at-all",
  "Accept-Encoding: \u00ff",
  "__proto__: x",
  "Host: evil/",
  " folded: x",
  "Cookie: a=b; __proto__=c",
  `X-Many: ${"a\r\nX-Many: ".repeat(300)}b`,
];

const nastyBodies = [
  "",
  "{",
  "[]",
  "null",
  '{"name":1}',
  '{"__proto__":{}}',
  "\u0000\u0001",
  "a=b",
  "5\r\nhello\r\n0\r\n\r\n",
];

describe("hostile HTTP requests", () => {
  test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"])(
    "hostile HTTP requests cause no server error with %s on every path",
    async (method) => {
      await tryAll(paths.map((path) => request(`${method} ${path} HTTP/1.1`, ["Host: a"])));
    },
  );

  test("hostile HTTP requests cause no server error with any target, with and without a login", async () => {
    await tryAll(
      nastyTargets.flatMap((target) => [
        request(`GET ${target} HTTP/1.1`, ["Host: a"]),
        request(`DELETE ${target} HTTP/1.1`, ["Host: a", ...credentials()]),
        request(`GET ${target} HTTP/1.0`, []),
      ]),
    );
  });

  test("hostile HTTP requests cause no server error with any header", async () => {
    await tryAll(
      nastyHeaders.flatMap((header) => [
        request("GET /api/tokens HTTP/1.1", ["Host: a", ...credentials(), header]),
        request("POST /api/tokens HTTP/1.1", ["Host: a", ...credentials(), header], '{"name":"x"}'),
      ]),
    );
  });

  test("hostile HTTP requests cause no server error with any token", async () => {
    const tokens = [
      "",
      " ",
      "asy_",
      "\u00e9",
      "a b",
      "a,b",
      "x".repeat(8_000),
      `${token}\u0000`,
      `"${token}"`,
      `${token},`,
    ];
    await tryAll(tokens.map((text) => request("GET /api/me HTTP/1.1", ["Host: a", `Authorization: Bearer ${text}`])));
  });

  test("hostile HTTP requests cause no server error with any body of a correct, short, or long length", async () => {
    await tryAll(
      nastyBodies.flatMap((body) =>
        [0, -1, 1, 1000].map((wrong) => {
          const length = Math.max(0, Buffer.byteLength(body) + wrong);
          return request(
            "POST /api/workspaces HTTP/1.1",
            ["Host: a", ...credentials(), "Content-Type: application/json", `Content-Length: ${length}`],
            body,
          );
        }),
      ),
    );
  });

  test("hostile HTTP requests cause no server error with randomly changed bytes", async () => {
    const whole = request(
      "POST /api/tokens?x=1 HTTP/1.1",
      ["Host: a", ...credentials(), "Content-Type: application/json", "Content-Length: 12"],
      '{"name":"x"}',
    );
    await tryAll(Array.from({ length: 300 }, (_, seed) => damaged(whole, seed + 1)));
  });

  test("hostile HTTP requests cause no server error if they are pipelined on one connection", async () => {
    await tryAll([paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join("")]);
  });
});

function credentials(): string[] {
  return [`Authorization: Bearer ${token}`, `X-Workspace-Id: ${workspace}`];
}

function request(line: string, headers: readonly string[], body = ""): string {
  return `${[line, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n${body}`;
}

async function tryAll(requests: readonly string[]): Promise<void> {
  for (let first = 0; first < requests.length; first += 16)
    await Promise.all(requests.slice(first, first + 16).map(tryOne));
  expect(world.lines.filter(({ level }) => level === "error")).toEqual([]);
  expect((await world.ask("GET", "/healthz")).status).toBe(200);
}

async function tryOne(bytes: string): Promise<void> {
  const heard = await askRawAndEnd(world.port, Buffer.from(bytes, "latin1"));
  if (heard === "") return;
  const { status, body } = firstAnswer(heard);
  expect(status, bytes).toBeLessThan(500);
  if (status < 400 || bytes.startsWith("HEAD")) return;
  expect(() => errorBody.parse(JSON.parse(body)), `${bytes}\n---\n${heard}`).not.toThrow();
}

function firstAnswer(heard: string): { status: number; body: string } {
  const final = heard.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, "");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(final)?.[1]);
  const lengthBytes = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(final)?.[1] ?? 0);
  const start = final.indexOf("\r\n\r\n") + 4;
  return { status, body: final.slice(start, start + lengthBytes) };
}

/** One to four bytes replaced, added or taken; the same for the same seed. */
function damaged(text: string, seed: number): string {
  let state = seed * 2_654_435_761;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let result = text;
  for (let times = next(4); times >= 0; times--) {
    const at = next(result.length);
    const put = next(3) === 0 ? "" : String.fromCharCode(next(256));
    result = result.slice(0, at) + put + result.slice(at + next(2));
  }
  return result;
}
