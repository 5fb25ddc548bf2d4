import { describe, expect, test } from "vitest";
import { aBounce, anAutoReply, aReport } from "../../../http/arrivals.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

const letter = (subject: string, from = "Ada <ada@sender.example>") =>
  Buffer.from(`From: ${from}\r\nSubject: ${subject}\r\n\r\nHi.\r\n`);

async function worldWithCaller() {
  const world = await startHttpWorld();
  const { id: workspaceId } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspaceId);
  const ask = (method: string, path: string, body?: unknown) =>
    world.ask(method, path, { token, workspace: workspaceId, ...(body === undefined ? {} : { body }) });
  /** Received a minute after the one before. */
  const receive = async (raw = letter("Hello"), label: string | null = null, workspace = workspaceId) => {
    world.clock.nowMs += 60_000;
    return await world.receive(workspace, label, raw);
  };
  const list = async (query = "") => (await ask("GET", `/api/tests?${query}`)).json;
  return { ...world, workspaceId, ask, receive, list };
}

async function worldWithLetters() {
  const world = await worldWithCaller();
  // With records, or its DNS isn't judged and it has no score, because .example is a name for tests.
  world.internet.zone = { "xn--bcher-kva.example": { A: ["192.0.2.9"] } };
  await world.receive(letter("Spring sale: 50% off"), "sales");
  await world.receive(letter("=?utf-8?q?Gr=C3=BC=C3=9Fe?= from us", "Bob <bob@xn--bcher-kva.example>"));
  await world.receive(letter("Your invoice"), "sales");
  await world.analyzeAll();
  await world.receive(letter("Too new to be read"), "sales");
  return world;
}

describe("GET /api/tests filters", () => {
  const lists: readonly (readonly [string, readonly (string | null)[]])[] = [
    ["q=invoice", ["Your invoice"]],
    ["q=INVOICE+your", ["Your invoice"]],
    ["q=invoice+sale", []],
    ["q=ada%40sender", ["Your invoice", "Spring sale: 50% off"]],
    ["q=GR%C3%9C%C3%9FE", ["Grüße from us"]],
    ["q=50%25", ["Spring sale: 50% off"]],
    ["q=%25", ["Spring sale: 50% off"]],
    ["q=%22", []],
    ["label=sales&q=spring", ["Spring sale: 50% off"]],
    ["label=sales&status=analyzed", ["Your invoice", "Spring sale: 50% off"]],
    ["status=received", ["Too new to be read"]],
    ["status=failed", []],
    ["from_domain=sender.example", ["Your invoice", "Spring sale: 50% off"]],
    ["from_domain=SENDER.Example&q=spring", ["Spring sale: 50% off"]],
    ["from_domain=b%C3%BCcher.example", ["Grüße from us"]],
    ["from_domain=example", []],
    ["min_score=0&max_score=100&q=us", ["Grüße from us"]],
    ["min_score=100&max_score=0", []],
    ["min_score=99.9&max_score=1", []],
    ["since=2026-11-21T06:03:00Z&until=2026-11-21T06:04:00Z", ["Your invoice"]],
    ["since=2026-11-21T07:03:00%2B01:00&q=invoice", ["Your invoice"]],
    ["until=2026-11-21T06:02:00.000Z", ["Spring sale: 50% off"]],
    ["since=2026-11-22T00:00:00Z&until=2026-11-21T00:00:00Z", []],
    ["since=0001-01-01T00:00:00Z&until=0001-01-01T00:00:00Z", []],
  ];

  test("GET /api/tests returns only tests that match all filters", async () => {
    const { list } = await worldWithLetters();
    for (const [query, expected] of lists) {
      const { items, ...page } = await list(query);
      const found = (items as { subject: string | null }[]).map(({ subject }) => subject);
      expect({ query, found, ...page }).toEqual({
        query,
        found: expected,
        total: expected.length,
        totalIsExact: true,
        limit: 50,
        offset: 0,
        next: null,
      });
    }
  });

  test.each([
    "q=",
    "q=+",
    `q=${"x".repeat(201)}`,
    "q=1+2+3+4+5+6+7+8+9+10+11",
    "status=done",
    "from_domain=",
    "from_domain=a%20b",
    "from_domain=-",
    "min_score=-1",
    "min_score=101",
    "max_score=1e1",
    "max_score=",
    "since=yesterday",
    "until=2026-11-21",
    "score=1",
    "limit=0",
    "limit=101",
  ])("GET /api/tests rejects ?%s as invalid_request", async (query) => {
    const { ask } = await worldWithCaller();
    const { status, json } = await ask("GET", `/api/tests?${query}`);
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", query.split("=")[0]]);
  });
});

describe("GET /api/tests", () => {
  test("GET /api/tests has limit 50 and offset 0 by default, and says whether an item is a sample", async () => {
    const { list, receive } = await worldWithCaller();
    await receive();
    expect(await list()).toMatchObject({
      limit: 50,
      offset: 0,
      next: null,
      total: 1,
      totalIsExact: true,
      items: [{ send_id: null, sample: false }],
    });
  });

  test("GET /api/tests counts the whole list in total, filtered or not, after deletions too", async () => {
    const { ask, list, receive } = await worldWithCaller();
    const ids: string[] = [];
    for (const label of ["a", "a", "b", "a"]) ids.push(await receive(letter("Hello"), label));
    const totals = async () => [
      (await list("limit=1")).total,
      (await list("limit=1&offset=3")).total,
      (await list("limit=1&label=a")).total,
    ];
    expect(await totals()).toEqual([4, 4, 3]);
    await ask("DELETE", `/api/tests/${ids[0]}`);
    expect(await totals()).toEqual([3, 3, 2]);
  });

  test("GET /api/tests caches a filtered total for seconds, while its pages show new tests", async () => {
    const { clock, list, receive } = await worldWithCaller();
    for (let count = 0; count < 3; count++) await receive(letter("Hello"), "a");
    expect((await list("limit=1&label=a")).total).toBe(3);
    clock.nowMs += 4_000;
    clock.nowMs -= 60_000;
    const newest = await receive(letter("Hello"), "a");
    expect(await list("limit=1&label=a")).toMatchObject({ total: 3, items: [{ id: newest }] });
    clock.nowMs += 1_000;
    expect((await list("limit=1&label=a")).total).toBe(4);
  });

  test("the lists of bounces, reports, and automatic replies have totals too", async () => {
    const { ask, workspaceId, receiveNoTest } = await worldWithCaller();
    for (const recognised of [aBounce, aBounce, aReport, anAutoReply]) await receiveNoTest(workspaceId, { recognised });
    for (const [path, total] of [
      ["bounces", 2],
      ["reports", 1],
      ["auto-replies", 1],
      ["tests", 0],
    ]) {
      const { json } = await ask("GET", `/api/${path}?limit=1`);
      expect([path, json.total, json.totalIsExact]).toEqual([path, total, true]);
    }
  });
});

describe("POST /api/tests/delete", () => {
  test("POST /api/tests/delete deletes existing tests once, with their messages, and returns the count", async () => {
    const { ask, list, receive } = await worldWithCaller();
    const ids: string[] = [];
    for (let count = 0; count < 120; count++) ids.push(await receive());
    const kept = ids.pop();
    const asked = { ids: [...ids, ...ids.slice(0, 5), "tst_unknown", "", "'; drop table tests; --"] };
    const { status, json } = await ask("POST", "/api/tests/delete", asked);
    expect([status, json]).toEqual([200, { deleted: 119 }]);
    expect((await list()).items).toMatchObject([{ id: kept }]);
    expect((await ask("GET", `/api/tests/${ids[0]}/raw`)).status).toBe(404);
    expect((await ask("POST", "/api/tests/delete", asked)).json).toEqual({ deleted: 0 });
  });

  test("POST /api/tests/delete skips another workspace's tests, and messages that are not tests", async () => {
    const { ask, createWorkspace, receive, receiveNoTest, store, workspaceId } = await worldWithCaller();
    const { id: theirs } = await createWorkspace("Theirs");
    const foreign = await receive(letter("Hello"), null, theirs);
    const bounce = await receiveNoTest(workspaceId, { recognised: aBounce });
    const { json } = await ask("POST", "/api/tests/delete", { ids: [foreign, bounce] });
    expect(json).toEqual({ deleted: 0 });
    const left = await store.read.selectFrom("tests").select("id").execute();
    expect(left.map(({ id }) => id).sort()).toEqual([foreign, bounce].sort());
  });

  test.each([
    [{}, "ids"],
    [{ ids: [] }, "ids"],
    [{ ids: "tst_1" }, "ids"],
    [{ ids: [1] }, "ids.0"],
    [{ ids: ["x".repeat(101)] }, "ids.0"],
    [{ ids: Array(1_001).fill("tst_1") }, "ids"],
    [{ ids: ["tst_1"], all: true }, "all"],
  ])("POST /api/tests/delete rejects %j as invalid_request", async (body, field) => {
    const { ask } = await worldWithCaller();
    const { status, json } = await ask("POST", "/api/tests/delete", body);
    expect([status, json.error, json.field]).toEqual([400, "invalid_request", field]);
  });
});
