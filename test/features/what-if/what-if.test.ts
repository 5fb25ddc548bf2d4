import { describe, expect, test } from "vitest";
import type { JobThread } from "../../../src/features/tests/analysis/job-thread.ts";
import { startHttpWorld } from "../../http/http-world.ts";

const zone = { "sender.example": { TXT: ["v=spf1 -all"], A: ["192.0.2.8"] } };
const mended = { name: "sender.example", type: "TXT", values: ["v=spf1 ip4:192.0.2.1 -all"] };

async function worldWithTest(options: Parameters<typeof startHttpWorld>[0] = {}) {
  const world = await startHttpWorld(options);
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  world.internet.zone = zone;
  const id = await world.receive(workspace);
  const ask = async (method: string, path: string, body?: unknown, as = { token, workspace }) => {
    world.clock.nowMs += 1_000;
    return await world.ask(method, `/api/tests/${id}${path}`, { ...as, body });
  };
  return { ...world, id, ask };
}

describe("POST /api/tests/:id/what-if", () => {
  test("POST /api/tests/:id/what-if returns the report that a real change would give, and stores nothing", async () => {
    const { ask, analyzeAll, internet } = await worldWithTest();
    await analyzeAll();
    const before = (await ask("GET", "")).json;
    const { status, json } = await ask("POST", "/what-if", { records: [mended] });
    expect(status).toBe(200);
    expect(before.spf).toBe("fail");
    expect(json).toMatchObject({ id: before.id, spf: "pass", status: "analyzed" });
    expect((await ask("GET", "")).json).toEqual(before);
    expect((await ask("GET", "/reports")).json.items).toHaveLength(1);
    internet.zone = { "sender.example": { ...zone["sender.example"], TXT: mended.values } };
    const after = (await ask("POST", "/reanalyze")).json;
    const { analysis: _, analyzed_at: __, ...real } = after;
    expect(json).toMatchObject(real);
  });

  test("POST /api/tests/:id/what-if queries only DNS names that were not recorded", async () => {
    const { ask, analyzeAll, internet } = await worldWithTest();
    await analyzeAll();
    internet.zone = { "_spf.esp.example": { TXT: ["v=spf1 ip4:192.0.2.1 -all"] }, "sender.example": "servfail" };
    const records = [{ ...mended, values: ["v=spf1 include:_spf.esp.example -all"] }];
    const { json } = await ask("POST", "/what-if", { records });
    expect(json.spf).toBe("pass");
    expect(json.authentication.spf.record).toBe("v=spf1 include:_spf.esp.example -all");
  });

  test("POST /api/tests/:id/what-if keeps the kind that a user chose", async () => {
    const { ask, analyzeAll } = await worldWithTest();
    await analyzeAll();
    await ask("POST", "/reanalyze?kind=bulk");
    const { json } = await ask("POST", "/what-if", { records: [mended] });
    expect(json).toMatchObject({ kind: "bulk", kind_detail: { overridden: true } });
  });

  test("POST /api/tests/:id/what-if says that nothing is recorded for a test without a report", async () => {
    const { ask } = await worldWithTest();
    const { status, json } = await ask("POST", "/what-if", { records: [mended] });
    expect(status).toBe(409);
    expect(json.message).toBe("This test has no report yet, so there is no recorded evidence.");
  });

  test("POST /api/tests/:id/what-if does not find another workspace's test", async () => {
    const { ask, analyzeAll, createWorkspace, issueToken } = await worldWithTest();
    await analyzeAll();
    const { id: workspace } = await createWorkspace("Theirs");
    const { token } = await issueToken(workspace);
    expect((await ask("POST", "/what-if", { records: [mended] }, { token, workspace })).status).toBe(404);
  });

  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...mended, name: `a${index}.example` }));
  const refusals: readonly [string, unknown, string | undefined][] = [
    ["no records", {}, "records"],
    ["an empty list", { records: [] }, "records"],
    ["10,000 records", { records: many(10_000) }, "records"],
    ["51 records", { records: many(51) }, "records"],
    ["21 values", { records: [{ ...mended, values: Array(21).fill("x") }] }, "records.0.values"],
    ["a value of 900 kB", { records: [{ ...mended, values: ["x".repeat(900_000)] }] }, "records.0.values.0"],
    ["a type that is not taken", { records: [{ ...mended, type: "SOA" }] }, "records.0.type"],
    ["an unknown field", { records: [{ ...mended, ttl: 5 }] }, "records.0.ttl"],
    ["a name with control characters", { records: [{ ...mended, name: "a\u001b[2J.example" }] }, "records.0.name"],
    ["a name too long", { records: [{ ...mended, name: "a.".repeat(200) }] }, "records.0.name"],
    ["a label too long", { records: [{ ...mended, name: `${"a".repeat(64)}.example` }] }, "records.0.name"],
    ["an empty name", { records: [{ ...mended, name: "" }] }, "records.0.name"],
    [
      "a value that is no record",
      { records: [{ name: "a.example", type: "MX", values: ["mx.a.example"] }] },
      "records.0.values.0",
    ],
    [
      "a value with a second record in it",
      { records: [{ name: "a.example", type: "A", values: ["192.0.2.1\n$ORIGIN x."] }] },
      "records.0.values.0",
    ],
    ["the same twice", { records: [mended, mended] }, "records.1.name"],
    ["a list", [], undefined],
  ];
  test("POST /api/tests/:id/what-if rejects invalid input with its field, without control characters", async () => {
    const { ask, analyzeAll } = await worldWithTest();
    await analyzeAll();
    for (const [what, body, field] of refusals) {
      const { status, json, text } = await ask("POST", "/what-if", body);
      expect([what, status, json.error, json.field]).toEqual([what, 400, "invalid_request", field]);
      expect(text).not.toMatch(/\p{Cc}|\\u00/u);
    }
    expect((await ask("POST", "/what-if", { records: [{ ...mended, values: ["x".repeat(1_100_000)] }] })).status).toBe(
      413,
    );
  });

  test("POST /api/tests/:id/what-if accepts any text in a TXT record, and returns valid JSON", async () => {
    const { ask, analyzeAll } = await worldWithTest();
    await analyzeAll();
    for (const value of ["\u001b[2J \\000 \\255 “ü”", '"a" "b"', " ", "", "$INCLUDE /etc/passwd", "\\"]) {
      const records = [{ ...mended, values: [value] }];
      expect([value, (await ask("POST", "/what-if", { records })).status]).toEqual([value, 200]);
    }
  });
});

test("a stalled thread ends the waiting request, and affects no other", async () => {
  const stalled: JobThread = {
    warmUp: async () => {},
    run: async () => ({ outcome: "stalled", during: "while running the checks" }),
    close: async () => {},
  };
  const { ask, analyzeAll, lines } = await worldWithTest({ askedThread: stalled });
  await analyzeAll();
  const { status, json } = await ask("POST", "/what-if", { records: [mended] });
  expect(status).toBe(503);
  expect(json.message).toBe("This message stalled the analyzer.");
  expect(lines).toContainEqual(expect.objectContaining({ level: "warn", message: "a message stalled the analyzer" }));
});
