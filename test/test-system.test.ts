import { describe, expect, it } from "vitest";
import { testSystem } from "./test-system.ts";

describe("testSystem", () => {
  it("testSystem answers DNS queries from its zone at its own time", async () => {
    const system = testSystem({ zone: { "example.com": { A: ["192.0.2.1"] }, "slow.example": "fail" }, now: 5 });
    system.advance(10);
    expect(await system.dns.query("example.com", "A")).toMatchObject({ status: "answered", at: 15 });
    expect((await system.dns.query("slow.example", "A")).status).toBe("timeout");
    expect((await system.dns.query("absent.example", "A")).status).toBe("nxdomain");
  });

  it("testSystem returns the same random bytes in each instance, and different ones within one", () => {
    const [one, other] = [testSystem(), testSystem()];
    const first = one.random(40);
    expect(other.random(40)).toEqual(first);
    expect(one.random(40)).not.toEqual(first);
  });

  it("testSystem returns prepared pages and throws for others", async () => {
    const system = testSystem({ pages: { "https://example.com/": "hello" } });
    expect(await system.fetchStranger("https://example.com/", { timeoutMs: 1, maxBytes: 1 })).toMatchObject({
      ok: true,
      status: 200,
    });
    await expect(system.fetchOperator("https://other.example/", { timeoutMs: 1, maxBytes: 1 })).rejects.toThrow(
      "The test prepared no page at https://other.example/.",
    );
  });

  it("testSystem collects log entries", () => {
    const system = testSystem();
    system.log.with({ test: "tst_1" }).warn("slow", { ms: 7 });
    expect(system.logged).toEqual([
      { level: "warn", message: "slow", fields: { test: "tst_1", ms: 7 }, cause: undefined },
    ]);
  });
});
