// Invalid requests, and requests that two programs would parse differently. None may get two responses or cause a
// server error, each rejection has the usual error format, and nothing is stored. Paths are made from the route
// table.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Endpoint, errorBody } from "../../src/platform/contract/endpoint.ts";
import { routes } from "../../src/server.ts";
import { fewOf } from "../lanes.ts";
import { dumpDatabase, furnish, type Place } from "../laws/places.ts";
import { holdAgainstContract } from "./ask.ts";
import { askRawAndEnd } from "./ask-raw.ts";
import { type HttpWorld, openHttpWorld } from "./http-world.ts";
import { keepPace } from "./pace.ts";
import { parseAnswers, type RawAnswer } from "./raw-answers.ts";

const named = (some: readonly Endpoint[]) =>
  some.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
const endpoints = routes.map(({ endpoint }) => endpoint);

let world: HttpWorld;
let ours: Place;
let theirs: Place;

beforeAll(async () => {
  world = await openHttpWorld();
  ours = await furnish(world, "ours");
  theirs = await furnish(world, "theirs");
});

afterAll(() => world.close());

/** A person's, because no token creates a workspace. */
const credentials = () => [`Cookie: ${ours.owner.cookie}`, "Origin: http://a", `X-Workspace-Id: ${ours.workspaceId}`];
const jsonHeaders = (body: string) => [
  "Content-Type: application/json",
  `Content-Length: ${Buffer.byteLength(body, "latin1")}`,
];
const create = '{"name":"smuggled"}';

function head(line: string, ...headers: readonly string[]): string {
  return `${[line, "Host: a", ...headers].join("\r\n")}\r\n\r\n`;
}

async function tell(bytes: string): Promise<RawAnswer[]> {
  keepPace(world.clock, bytes);
  const methods = [...bytes.matchAll(/\b([A-Z]+) \S+ HTTP\/1\.\d\r\n/g)].map(([, method = ""]) => method);
  return parseAnswers(await askRawAndEnd(world.port, Buffer.from(bytes, "latin1")), methods);
}

/** Each is refused once, in our form, without a trace. */
async function expectRefused(bytes: string | readonly string[], statuses = [400]): Promise<void> {
  const before = await dumpDatabase(world.store);
  for (const one of [bytes].flat()) {
    const answers = await tell(one);
    expect(answers, one.slice(0, 200)).toHaveLength(1);
    for (const { status, text, headers } of answers) {
      expect(statuses, one.slice(0, 200)).toContain(status);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      errorBody.parse(JSON.parse(text));
    }
  }
  expect(await dumpDatabase(world.store)).toBe(before);
  expect(world.lines.filter(({ level }) => level === "error")).toEqual([]);
}

const twist: Readonly<Record<string, (path: string) => string>> = {
  "a slash doubled": (path) => path.replace("/", "//"),
  "a slash doubled within": (path) => path.replace(/(?<=.)\//, "//"),
  "a dot segment": (path) => `/.${path}`,
  "a way up and back": (path) => `/x/..${path}`,
  "an escaped way up": (path) => `/x/%2e%2e${path}`,
  "an escaped way up and slash": (path) => `/x/..%2f${path.slice(1)}`,
  "an escaped slash": (path) => `/${path.slice(1).replace("/", "%2F")}%2F`,
  "an escaped letter": (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  "a letter escaped twice": (path) => `${path}%2561`,
  "a NUL": (path) => `${path}%00`,
  "a NUL and an extension": (path) => `${path}%00.json`,
  "a line end": (path) => `${path}%0d%0aX-Odd:%20x`,
  "no UTF-8": (path) => `${path}%ff`,
  "an overlong dot": (path) => `${path}/%c0%ae`,
  "bytes beyond ASCII": (path) => `${path}\xe9`,
  "a backslash": (path) => path.replace(/(?<=.)\/|$/, "\\"),
  "a percent sign alone": (path) => `${path}%`,
  "another case": (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  "a fragment": (path) => `${path}#x`,
  "5,000 characters more": (path) => `${path}/${"x".repeat(5_000)}`,
  "a thousand segments more": (path) => `${path}${"/x".repeat(1_000)}`,
};

describe.each(fewOf(named(endpoints)))("the route %s", (_name, { method, path }) => {
  const plain = path.replace(/:\w+/g, "nothing");

  test("a route is not found under another spelling of its path", async () => {
    const targets = Object.values(twist).map((change) => change(plain));
    await expectRefused(
      targets
        .filter((target) => target !== plain)
        .map((target) => head(`${method} ${target} HTTP/1.1`, ...credentials(), "Connection: close")),
      [400, 404, 405],
    );
  });

  test("a route redirects from a trailing slash for any method", async () => {
    if (plain === "/") return;
    const target = `${method} ${plain}/?a=b HTTP/1.1`;
    const [answer] = await tell(head(target, ...credentials(), "Connection: close"));
    expect(answer?.status).toBe(308);
    expect(answer?.headers.get("location")).toBe(`${plain}?a=b`);
    expect(answer?.text).toBe("");
  });

  test("a route rejects methods that its path does not support", async () => {
    const taken = endpoints.filter((other) => other.path === path).map((other) => other.method);
    for (const other of ["GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS", "TRACE", "PROPFIND", "QUERY"]) {
      if (taken.some((one) => one === other)) continue;
      const [answer] = await tell(head(`${other} ${plain} HTTP/1.1`, ...credentials(), "Connection: close"));
      expect(answer?.status).toBe(405);
      expect(
        answer?.headers
          .get("allow")
          ?.split(", ")
          .filter((one) => one !== "HEAD"),
      ).toEqual(taken);
      if (answer) holdAgainstContract(other, plain, { ...answer, json: JSON.parse(answer.text) });
    }
  });

  test("a route is not affected by repeated headers", async () => {
    const own = `Authorization: Bearer ${ours.token}`;
    const other = `Authorization: Bearer ${theirs.token}`;
    const inOurs = `X-Workspace-Id: ${ours.workspaceId}`;
    const inTheirs = `X-Workspace-Id: ${theirs.workspaceId}`;
    for (const headers of [
      [own, other, inTheirs],
      [other, own, inTheirs],
      [own, own, inOurs],
      [own, inOurs, inTheirs],
      [own, inTheirs, inOurs],
    ]) {
      const [answer] = await tell(head(`${method} ${plain} HTTP/1.1`, ...headers, "Connection: close"));
      for (const secret of theirs.secrets) expect(answer?.text).not.toContain(secret);
    }
  });
});

const post = "POST /api/workspaces HTTP/1.1";
const inner = () => head("POST /api/workspaces HTTP/1.1", ...credentials(), ...jsonHeaders(create)) + create;

/** Two programs in a row could end these bodies at two places, and take what follows for a request of its own. */
const smuggled: Readonly<Record<string, () => string>> = {
  "two lengths": () => head(post, ...credentials(), ...jsonHeaders(create), "Content-Length: 0") + create + inner(),
  "the same length twice": () =>
    head(post, ...credentials(), ...jsonHeaders(create), ...jsonHeaders(create).slice(1)) + create,
  "a list of lengths": () =>
    head(post, ...credentials(), "Content-Type: application/json", "Content-Length: 19, 19") + create,
  "a length with a sign": () =>
    head(post, ...credentials(), "Content-Type: application/json", "Content-Length: +19") + create,
  "a negative length": () => head(post, ...credentials(), "Content-Length: -1"),
  "a length in hexadecimal": () => head(post, ...credentials(), "Content-Length: 0x13") + create,
  "a length beyond all numbers": () => head(post, ...credentials(), "Content-Length: 99999999999999999999999"),
  "a length and chunks": () =>
    `${head(post, ...credentials(), ...jsonHeaders(create), "Transfer-Encoding: chunked")}0\r\n\r\n${inner()}`,
  "chunks and a length": () =>
    `${head(post, ...credentials(), "Transfer-Encoding: chunked", ...jsonHeaders(create))}0\r\n\r\n${inner()}`,
  "chunks by another name": () =>
    head(post, ...credentials(), ...jsonHeaders(create), "Transfer-Encoding: xchunked") + create + inner(),
  "chunks that are not last": () =>
    `${head(post, ...credentials(), "Transfer-Encoding: chunked, identity")}0\r\n\r\n${inner()}`,
  "chunks twice": () =>
    `${head(post, ...credentials(), "Transfer-Encoding: chunked", "Transfer-Encoding: identity")}0\r\n\r\n${inner()}`,
  "a space before the colon": () => `${head(post, ...credentials(), "Transfer-Encoding : chunked")}0\r\n\r\n${inner()}`,
  "a tab before the colon": () => `${head(post, ...credentials(), "Content-Length\t: 5")}hello${inner()}`,
  "a folded header": () => head(post, ...credentials(), "X-Odd: a\r\n Transfer-Encoding: chunked") + create,
  "a header that is folded first": () => `${post}\r\n Host: a\r\n\r\n`,
  "a bare carriage return": () => head(post, ...credentials(), "X-Odd: a\rTransfer-Encoding: chunked") + create,
  "a bare line feed": () => head(post, ...credentials(), "X-Odd: a\nTransfer-Encoding: chunked") + create,
  "line feeds alone": () => `GET /healthz HTTP/1.1\nHost: a\n\n`,
  "a NUL in a header": () => head(post, ...credentials(), "X-Odd: a\0b"),
  "a control character in a header's name": () => head(post, ...credentials(), "X\x01Odd: a"),
  "a header without a colon": () => head(post, ...credentials(), "Nothing"),
  "a chunk of too many digits": () =>
    head(post, ...credentials(), "Content-Type: application/json", "Transfer-Encoding: chunked") +
    `${"0".repeat(30)}1ffffffffffffffff\r\n`,
  "a negative chunk": () =>
    `${head(post, ...credentials(), "Content-Type: application/json", "Transfer-Encoding: chunked")}-1\r\n`,
  "a chunk without its end": () =>
    head(post, ...credentials(), "Content-Type: application/json", "Transfer-Encoding: chunked") +
    `5\r\nhelloX0\r\n\r\n`,
  "a chunk with a bare line feed": () =>
    `${head(post, ...credentials(), "Content-Type: application/json", "Transfer-Encoding: chunked")}5\nhello\n0\n\n`,
  "a chunk's extension of 64 KB": () =>
    head(post, ...credentials(), "Content-Type: application/json", "Transfer-Encoding: chunked") +
    `13;${"x".repeat(65_536)}\r\n${create}\r\n0\r\n\r\n`,
  "trailers of 64 KB": () =>
    head(post, ...credentials(), "Content-Type: application/json", "Transfer-Encoding: chunked") +
    `1\r\nx\r\n0\r\nX-Odd: ${"x".repeat(65_536)}\r\n\r\n`,
  "a header of 64 KB": () => head(post, ...credentials(), `X-Odd: ${"x".repeat(65_536)}`),
  "headers of 64 KB together": () =>
    head(post, ...credentials(), ...Array.from({ length: 1_000 }, (_, at) => `X-Odd-${at}: ${"x".repeat(60)}`)),
  "a target of 64 KB": () => head(`GET /${"x".repeat(65_536)} HTTP/1.1`),
  "HTTP/0.9": () => "GET /healthz\r\n\r\n",
  "HTTP/2": () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "HTTP/1.2": () => head("GET /healthz HTTP/1.2"),
  "a version that is none": () => head("GET /healthz HTTP/x.y"),
  "no version": () => head("GET /healthz"),
  "a method in small letters": () => head("get /healthz HTTP/1.1"),
  "a method that nobody knows": () => head("FETCH /healthz HTTP/1.1"),
  "a method of 64 KB": () => head(`${"A".repeat(65_536)} /healthz HTTP/1.1`),
  "a body cut short": () =>
    head(post, ...credentials(), "Content-Type: application/json", "Content-Length: 100") + create,
  "a Host that is given twice": () => head("GET /healthz HTTP/1.1", "Host: b"),
};

test.each(Object.entries(smuggled))(
  "a request with %s is rejected once, and what follows is not a request",
  async (_what, make) => {
    await expectRefused(make());
    expect((await world.ask("GET", "/healthz")).status).toBe(200);
  },
);

test("a chunked body is accepted with any chunk sizes", async () => {
  for (const size of [1, 7, 100]) {
    const chunks = create.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
    const body = chunks.map((chunk) => `${chunk.length.toString(16)};a=b\r\n${chunk}\r\n`).join("");
    const [answer] = await tell(
      `${head(post, ...credentials(), "Content-Type: application/json", "Transfer-Encoding: chunked", "Connection: close")}${body}0\r\nX-Odd: x\r\n\r\n`,
    );
    expect(answer?.status).toBe(201);
  }
});

test("pipelined requests are answered in order, independently", async () => {
  const answers = await tell(
    [
      head("GET /api/me HTTP/1.1", ...credentials()),
      head("GET /api/tests?limit=0 HTTP/1.1", ...credentials()),
      head(post, ...credentials(), ...jsonHeaders("{")),
      "{",
      head("HEAD /healthz HTTP/1.1"),
      head("GET /nowhere HTTP/1.1"),
      head("GET /api/me HTTP/1.1"),
      head("GET /healthz HTTP/1.1", "Connection: close"),
      head("GET /healthz HTTP/1.1"),
    ].join(""),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 200, 404, 401, 200]);
});

test("a rejected request in a pipeline does not change the requests after it", async () => {
  const before = await dumpDatabase(world.store);
  const answers = await tell(`${head("GET /healthz HTTP/1.1")}${smuggled["a length and chunks"]?.()}`);
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  expect(await dumpDatabase(world.store)).toBe(before);
});
