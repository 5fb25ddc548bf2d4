// The API as it is specified, one test per statement (test/laws/interface-table.ts): the domain monitor.

import { expect, test } from "vitest";
import { healthy } from "../analyzer/domain-cases/domain-world.ts";
import { worldWithCaller } from "./interface-world.ts";

async function worldWithDomain() {
  const world = await worldWithCaller();
  world.internet.zone = healthy;
  const { status, json } = await world.ask("POST", "/api/domains", { domain: "a.example" });
  return { ...world, status, json, path: `/api/domains/${json.id}` };
}

test("GET /api/domains lists the monitored domains with their SPF, DKIM, DMARC, and BIMI verdicts", async () => {
  const { ask } = await worldWithDomain();
  const { status, json } = await ask("GET", "/api/domains");
  expect(status).toBe(200);
  expect(json.items).toMatchObject([
    { domain: "a.example", spf: "pass", dkim: "pass", dmarc: "pass", bimi: "missing" },
  ]);
});

test("POST /api/domains takes a domain and an optional dkimSelector", async () => {
  const { ask, status, json } = await worldWithDomain();
  expect(status).toBe(201);
  expect(json).toMatchObject({ domain: "a.example", dkimSelector: null });
  const named = await ask("POST", "/api/domains", { domain: "b.example", dkimSelector: "s1" });
  expect(named.status).toBe(201);
  expect(named.json).toMatchObject({ domain: "b.example", dkimSelector: "s1" });
  expect((await ask("POST", "/api/domains", {})).json).toMatchObject({ error: "invalid_request", field: "domain" });
});

test("POST /api/domains adds the domain to the hourly sweep", async () => {
  const { json } = await worldWithDomain();
  const waitMs = Date.parse(json.nextCheckAt) - Date.parse(json.checkedAt);
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(3_600_000);
});

test("POST /api/domains/:id/recheck checks immediately", async () => {
  const { ask, path, internet, clock } = await worldWithDomain();
  internet.zone = { "a.example": { TXT: ["v=spf1 +all"] } };
  clock.nowMs += 1_000;
  const { status, json } = await ask("POST", `${path}/recheck`);
  expect(status).toBe(200);
  expect(json).toMatchObject({ spf: "fail", dmarc: "warn", checkedAt: "2026-11-21T06:00:01.000Z" });
});

test("POST /api/domains/:id/recheck is limited with rate_limited", async () => {
  const { ask, path } = await worldWithDomain();
  expect((await ask("POST", `${path}/recheck`)).status).toBe(200);
  const { status, json, headers } = await ask("POST", `${path}/recheck`);
  expect([status, json.error, headers.get("retry-after")]).toEqual([429, "rate_limited", "60"]);
});

test("DELETE /api/domains/:id ends the monitoring", async () => {
  const { ask, path, store } = await worldWithDomain();
  expect((await ask("DELETE", path)).status).toBe(204);
  expect((await ask("GET", "/api/domains")).json.items).toEqual([]);
  expect(await store.read.selectFrom("domains").select("due_at").execute()).toEqual([]);
});

test("the sweep checks every monitored domain each hour", async () => {
  const { ask, clock, domainWatcher, internet } = await worldWithDomain();
  clock.nowMs += 1;
  await ask("POST", "/api/domains", { domain: "b.example" });
  internet.zone = {};
  for (let hour = 0; hour < 3; hour++) {
    clock.nowMs += 3_600_000;
    await domainWatcher.sweep();
    const { items } = (await ask("GET", "/api/domains")).json;
    const checkedAt = new Date(clock.nowMs).toISOString();
    expect(items).toMatchObject([
      { domain: "b.example", checkedAt, spf: "missing" },
      { domain: "a.example", checkedAt, spf: "missing" },
    ]);
  }
});
