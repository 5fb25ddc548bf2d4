import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { askRaw } from "./ask-raw.ts";
import { startHttpWorld } from "./http-world.ts";

const oneMebibyte = 1024 * 1024;

async function worldWithCaller() {
  const world = await startHttpWorld();
  const { id } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(id);
  const { cookie } = await world.addPerson(id, "owner");
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    world.ask("POST", "/api/workspaces", { cookie, body, headers });
  return { ...world, token, cookie, post };
}

describe("a JSON body", () => {
  test.each([
    ["{"],
    ["nonsense"],
    ["[]"],
    ['"text"'],
    ["null"],
    ["7"],
    ["{'name': 'x'}"],
    ['{"name": "x",}'],
    ['{"name": "x"} {}'],
    ['{"name": NaN}'],
    ['{"name": "\u0001"}'],
    ['{"name": "a\\u0000b"}'],
    ['{"name": "\\ud800"}'],
    ['{"name": "x", "__proto__": {"role": "owner"}}'],
    ['{"name": "x", "constructor": {"prototype": {}}}'],
    ['{"name": "x", "a\\u0000": 1}'],
    [`{"name": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    [`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`],
  ])("a JSON body returns invalid_request for %.40s", async (body) => {
    const { post } = await worldWithCaller();
    const { status, json } = await post(body);
    expect(status).toBe(400);
    expect(json.error).toBe("invalid_request");
  });

  test("a JSON body returns invalid_request if it is not UTF-8", async () => {
    const { port, cookie } = await worldWithCaller();
    const body = Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0x22, 0x7d]);
    const head = `POST /api/workspaces HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nOrigin: http://a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    expect(await askRaw(port, Buffer.concat([Buffer.from(head), body]))).toContain('"invalid_request"');
  });

  test("a JSON body may contain a key twice, and the last value counts", async () => {
    const { post } = await worldWithCaller();
    expect((await post('{"name": "x", "name": "y"}')).json.name).toBe("y");
  });

  test("a JSON body cannot pollute the prototype of objects", async () => {
    const { post } = await worldWithCaller();
    await post('{"name": "x", "__proto__": {"polluted": true}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("a JSON body may contain any text in a name", async () => {
    const { post } = await worldWithCaller();
    const name = "Ünïcode 🦊 עברית 'quoted\"";
    expect((await post({ name })).json.name).toBe(name);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", ""])(
    "a JSON body returns unsupported_media_type if it is sent as %j",
    async (type) => {
      const { post } = await worldWithCaller();
      const { status, json } = await post('{"name": "x"}', { "content-type": type });
      expect(status).toBe(415);
      expect(json.error).toBe("unsupported_media_type");
    },
  );

  test("a JSON body may name its character set, but not be compressed", async () => {
    const { post } = await worldWithCaller();
    expect((await post({ name: "x" }, { "content-type": "Application/JSON; charset=utf-8" })).status).toBe(201);
    expect((await post({ name: "x" }, { "content-encoding": "gzip" })).status).toBe(415);
  });

  test("a JSON body may be only empty or {} for an endpoint without a body", async () => {
    const { ask, issueToken, createWorkspace, addPerson } = await startHttpWorld();
    const workspace = (await createWorkspace("Ours")).id;
    const { cookie } = await addPerson(workspace, "owner");
    for (const body of [undefined, {}, { force: true }]) {
      const { row } = await issueToken(workspace);
      const { status } = await ask("DELETE", `/api/tokens/${row.id}`, { cookie, workspace, body });
      expect(status).toBe(body && "force" in body ? 400 : 204);
    }
  });
});

describe("a body over 1 MiB", () => {
  const jsonOf = (sizeBytes: number) => `{"name": "${"x".repeat(sizeBytes - 12)}"}`;

  test("a body over 1 MiB returns payload_too_large, unlike one of exactly 1 MiB", async () => {
    const { post } = await worldWithCaller();
    const { status, json } = await post(jsonOf(oneMebibyte + 1));
    expect(status).toBe(413);
    expect(json.error).toBe("payload_too_large");
    expect((await post(jsonOf(oneMebibyte))).json).toMatchObject({ error: "invalid_request", field: "name" });
  });

  test("a body over 1 MiB is rejected in chunks too, and the connection never hangs", async () => {
    const { base, cookie } = await worldWithCaller();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const asking = request(
      `${base}/api/workspaces`,
      { method: "POST", headers: { cookie, origin: base, "content-type": "application/json" } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    asking.on("error", reject);
    for (let sent = 0; sent < 30; sent++) asking.write(Buffer.alloc(100_000, "x"));
    expect(await promise).toBe(413);
    asking.on("error", () => {});
    asking.destroy();
  });

  test("a body over 1 MiB is not read for an unauthenticated client", async () => {
    const { ask } = await startHttpWorld();
    const { status } = await ask("POST", "/api/workspaces", { body: jsonOf(oneMebibyte + 1) });
    expect(status).toBe(401);
  });

  test("a body over 1 MiB that never ends is cut off after the response", async () => {
    const world = await startHttpWorld({ bounds: { lingerMs: 50 } });
    const heard = await askRaw(
      world.port,
      "POST /api/workspaces HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n{",
      20_000,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe("a query", () => {
  test.each(["?nope=1", "?constructor=1", "?a=1&a=2", "?a=%ff", "?%", "?a=%00"])(
    "a query with %s is rejected",
    async (query) => {
      const { ask, token } = await worldWithCaller();
      const { status, json } = await ask("GET", `/api/me${query}`, { token });
      expect(status).toBe(400);
      expect(json.error).toBe("invalid_request");
    },
  );
});
