import { describe, expect, test } from "vitest";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import { isDomainVerified } from "../../../src/features/domains/rows/domains.ts";
import { verifyToken } from "../../../src/features/people/rules/verification.ts";
import { encodeReport } from "../../../src/features/tests/rows/reports.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { claimDue, finishClaim } from "../../../src/platform/work/claims.ts";
import { healthy } from "../../analyzer/domain-cases/domain-world.ts";
import { worldWithCaller } from "../../http/interface-world.ts";

const words = { spf: "pass", dkim: "pass", dmarc: "pass", bimi: "missing" };

async function worldWithZone(zone: Zone = healthy) {
  const world = await worldWithCaller();
  world.internet.zone = zone;
  const add = async (domain: string, more: object = {}) =>
    (await world.ask("POST", "/api/domains", { domain, ...more })).json;
  return { ...world, add };
}

describe("POST /api/domains", () => {
  test("POST /api/domains returns 201 with the complete record, already checked", async () => {
    const { ask, clock } = await worldWithZone();
    const { status, json } = await ask("POST", "/api/domains", { domain: "a.example", dkimSelector: "s2" });
    const at = new Date(clock.nowMs).toISOString();
    expect(status).toBe(201);
    expect(json).toMatchObject({
      id: expect.stringMatching(/^dom_/),
      domain: "a.example",
      dkimSelector: "s2",
      ...words,
      verified: false,
      unstable: false,
      createdAt: at,
      checkedAt: at,
      lastDriftAt: null,
      score: expect.any(Number),
      verifyRecord: { name: "a.example", type: "TXT", value: expect.stringMatching(/^assay-verify=[0-9a-f]{40}$/) },
    });
    expect((await ask("GET", `/api/domains/${json.id}`)).json).toEqual(json);
  });

  test("POST /api/domains accepts a name as people type and paste it", async () => {
    const { add } = await worldWithZone();
    for (const [typed, domain] of [
      ["A.Example", "a.example"],
      [" b.example. ", "b.example"],
      ["https://e.example:8443/path?x#y", "e.example"],
      ["ann@www.a.example", "www.a.example"],
      ["Ann <ann@c.example", "c.example"],
      ["mailto:ann@d.example", "d.example"],
      ["bücher.example", "xn--bcher-kva.example"],
      ["XN--MNCHEN-3YA.example", "xn--mnchen-3ya.example"],
      ["ｆaß。example", "xn--fa-hia.example"],
      ["💌.example", "xn--rr8h.example"],
      ["news.a.co.uk", "news.a.co.uk"],
    ] as const)
      expect(await add(typed)).toMatchObject({ domain });
  });

  const long = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}`;
  const noDomains = [
    "",
    " ",
    ".",
    "..",
    "a..example",
    "-a.example",
    "a-.example",
    "exa mple.com",
    "192.0.2.1",
    "[2001:db8::1]",
    "2001:db8::1",
    "0x7f.1",
    "http://127.0.0.1/",
    "1.2.3",
    "com",
    "co.uk",
    "localhost",
    "github.io",
    "example",
    "https://",
    "@",
    "ann@",
    "xn--a.example",
    "xn--999999999.example",
    "xn--.example",
    "a\u202e.example",
    "\u001b[2J.example",
    `${"a".repeat(64)}.example`,
    `${long}.${"d".repeat(63)}.example`,
    `${long}.${"d".repeat(50)}.example`,
    "a.".repeat(1_001),
  ];
  test("POST /api/domains rejects an invalid domain with its field, without control characters in the message", async () => {
    const { ask } = await worldWithZone();
    for (const domain of noDomains) {
      const { status, json, text } = await ask("POST", "/api/domains", { domain });
      expect([domain, status, json.error, json.field]).toEqual([domain, 400, "invalid_request", "domain"]);
      expect(json.message).toMatch(/^[!-~].{20,}\.$/);
      expect(text).not.toMatch(/\p{C}|\\u00/u);
    }
    expect((await ask("GET", "/api/domains")).json.items).toEqual([]);
  });

  test("POST /api/domains suggests the sending domain for the name of a website or a record", async () => {
    const { ask } = await worldWithZone();
    const refused = async (domain: string) => (await ask("POST", "/api/domains", { domain })).json;
    expect(await refused("https://www.a.example/about")).toEqual({
      error: "invalid_request",
      field: "domain",
      suggestion: "a.example",
      message:
        "www.a.example is the name of a website, and its mail usually comes from a.example. If your mail comes from www.a.example, enter an email address there, such as news@www.a.example.",
    });
    expect(await refused("s1._domainkey.a.example")).toEqual({
      error: "invalid_request",
      field: "domain",
      suggestion: "a.example",
      message: "s1._domainkey.a.example is the name of a DNS record. Enter its domain, a.example.",
    });
  });

  test("POST /api/domains rejects an invalid selector, and extracts the selector from a key's full name", async () => {
    const { ask, add } = await worldWithZone();
    for (const dkimSelector of ["", " ", "a b", "-", "s1.", "a/b", "x".repeat(250)]) {
      const { status, json } = await ask("POST", "/api/domains", { domain: "a.example", dkimSelector });
      expect([dkimSelector, status, json.field]).toEqual([dkimSelector, 400, "dkimSelector"]);
    }
    const dkimSelector = "s2._domainkey.a.example";
    expect(await add("a.example", { dkimSelector })).toMatchObject({ dkimSelector: "s2", dkim: "pass" });
  });

  test("POST /api/domains fails DKIM if the given selector has no key", async () => {
    const { add } = await worldWithZone();
    const { dkim, details } = await add("a.example", { dkimSelector: "nowhere" });
    expect(dkim).toBe("fail");
    expect(details.dkim.findings[0]).toMatchObject({ check: expect.stringMatching(/^dkim/) });
  });

  test("POST /api/domains returns a conflict for a domain that is already monitored, in any spelling", async () => {
    const { ask, add } = await worldWithZone();
    await add("a.example");
    const { status, json } = await ask("POST", "/api/domains", { domain: "https://A.example./" });
    expect([status, json.error, json.field]).toEqual([409, "conflict", "domain"]);
    expect(json.message).toBe("This workspace already monitors a.example.");
  });

  test("POST /api/domains lets another workspace monitor the same domain with another token", async () => {
    const { add, createWorkspace, issueToken, askAs } = await worldWithZone();
    const ours = await add("a.example");
    const { id: workspace } = await createWorkspace("Theirs");
    const { token } = await issueToken(workspace);
    const body = { domain: "a.example" };
    const theirs = (await askAs("POST", "/api/domains", { token, workspace, body })).json;
    expect(theirs).toMatchObject(words);
    expect(theirs.verifyRecord.value).not.toBe(ours.verifyRecord.value);
  });

  test("POST /api/domains checks the plan's limit before DNS queries", async () => {
    const plan = { name: "free", label: "Free", ceilings: { domains: 1 }, stripePriceId: null };
    const { ask, internet } = await worldWithCaller({ plans: { list: [plan], fallback: plan } });
    internet.zone = healthy;
    expect((await ask("POST", "/api/domains", { domain: "a.example" })).status).toBe(201);
    const { status, json } = await ask("POST", "/api/domains", { domain: "b.example" });
    expect([status, json.error]).toEqual([402, "plan_limit"]);
    expect(json.message).toContain("limit for monitored domains has been reached");
    expect((await ask("POST", "/api/domains", { domain: "a.example" })).status).toBe(409);
    expect((await ask("GET", "/api/billing")).json.use).toMatchObject({ domains: 1 });
  });

  test("POST /api/domains allows at most 10,000 domains per workspace, and says so", async () => {
    const { ask, store, workspace } = await worldWithZone();
    await store.write(async (db) => {
      const row = { dkim_selector: null, created_at: 1, checked_at: null, attempts: 0 };
      const rows = Array.from({ length: 10_000 }, (_, n) => ({
        ...row,
        id: `dom_${String(n).padStart(26, "0")}`,
        workspace_id: workspace,
        domain: `a${n}.example`,
        spf: null,
        dkim: null,
        dmarc: null,
        bimi: null,
        score: null,
        verified_at: null,
        last_drift_at: null,
        unstable: 0,
        due_at: 1,
        claimed_by: null,
        claimed_until: null,
      }));
      for (let at = 0; at < rows.length; at += 500)
        await db
          .insertInto("domains")
          .values(rows.slice(at, at + 500))
          .execute();
    });
    const { status, json } = await ask("POST", "/api/domains", { domain: "a.example" });
    expect([status, json.error]).toEqual([409, "conflict"]);
    expect(json.message).toContain("at most 10000 domains");
    const list = (await ask("GET", "/api/domains")).json;
    expect(list).toMatchObject({ total: 10_000, limit: 1_000 });
    expect(list.items).toHaveLength(1_000);
  });
});

describe("removing a domain within an hour of adding it", () => {
  async function addAndRemove(times: number) {
    const world = await worldWithZone();
    const { ask, clock } = world;
    for (let n = 0; n < times; n++) {
      clock.nowMs += 60_000;
      const { status, json } = await ask("POST", "/api/domains", { domain: `a${n}.example` });
      expect(status).toBe(201);
      expect((await ask("DELETE", `/api/domains/${json.id}`)).status).toBe(204);
    }
    return world;
  }

  test("removing a domain within an hour of adding it is allowed thirty times an hour, before adding another is blocked", async () => {
    const { ask, clock } = await addAndRemove(30);
    const refused = await ask("POST", "/api/domains", { domain: "b.example" });
    expect([refused.status, refused.json.error]).toEqual([429, "rate_limited"]);
    const waitSeconds = Number(refused.headers.get("retry-after"));
    expect(waitSeconds).toBe(31 * 60);
    clock.nowMs += waitSeconds * 1_000;
    expect((await ask("POST", "/api/domains", { domain: "b.example" })).status).toBe(201);
  });

  test("removing a domain within an hour of adding it does not use up manual rechecks of other domains", async () => {
    const { ask } = await addAndRemove(29);
    const { id } = (await ask("POST", "/api/domains", { domain: "b.example" })).json;
    expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(200);
  });

  test("removing a domain within an hour of adding it counts separately from removing older domains, which has no limit", async () => {
    const { ask, clock } = await worldWithZone();
    const ids: string[] = [];
    for (let n = 0; n < 31; n++) ids.push((await ask("POST", "/api/domains", { domain: `a${n}.example` })).json.id);
    clock.nowMs += 3_600_000;
    for (const id of ids) expect((await ask("DELETE", `/api/domains/${id}`)).status).toBe(204);
    expect((await ask("POST", "/api/domains", { domain: "b.example" })).status).toBe(201);
  });
});

describe("GET /api/domains/:id", () => {
  test("GET /api/domains/:id has each mechanism's details, findings, and the DNS answers used", async () => {
    const { add } = await worldWithZone();
    const record = await add("a.example");
    expect(Object.keys(record.details).sort()).toEqual(
      ["spf", "dkim", "dmarc", "bimi", "mx", "mtaSts", "tlsRpt", "dnssec", "dane"].sort(),
    );
    expect(record.details.spf).toMatchObject({
      record: "v=spf1 mx include:_spf.esp.test -all",
      unknown: null,
      lastKnown: { verdict: "pass", at: record.checkedAt },
    });
    expect(record.details.dmarc.facts).toMatchObject({ effective: "reject" });
    expect(record.findings.length).toBeGreaterThan(0);
    expect(record).toMatchObject({ grade: "A", coverage: expect.any(Number), plan: expect.any(Array) });
    expect(record.analysis.dns.map(({ name }: { name: string }) => name)).toContain("_dmarc.a.example");
  });

  test("GET /api/domains/:id keeps the last known verdict with its age while DNS does not answer", async () => {
    const { ask, add, internet, clock } = await worldWithZone();
    const { id, checkedAt } = await add("a.example");
    internet.zone = { "a.example": "servfail", "_dmarc.a.example": "servfail" };
    clock.nowMs += 3_600_000;
    const record = (await ask("POST", `/api/domains/${id}/recheck`)).json;
    expect(record).toMatchObject({ spf: "error", dmarc: "error" });
    expect(record.details.spf).toMatchObject({
      unknown: expect.any(String),
      lastKnown: { verdict: "pass", at: checkedAt },
    });
  });

  test("GET /api/domains/:id shows nothing yet for a domain that was not checked", async () => {
    const { ask, store, add } = await worldWithZone();
    const { id } = await add("a.example");
    await store.write(async (db) => {
      await db.deleteFrom("domain_reports").execute();
      const unchecked = { checked_at: null, spf: null, dkim: null, dmarc: null, bimi: null };
      await db.updateTable("domains").set(unchecked).execute();
    });
    const record = (await ask("GET", `/api/domains/${id}`)).json;
    expect(record).toMatchObject({ spf: null, checkedAt: null, details: null, findings: null });
    expect((await ask("GET", `/api/domains/${id}/zone`)).status).toBe(409);
  });

  test("GET /api/domains/:id hides details that an earlier version stored in another form", async () => {
    const { ask, store, add } = await worldWithZone();
    const { id } = await add("a.example");
    await store.write((db) =>
      db
        .updateTable("domain_reports")
        .set({ report: encodeReport("{}") })
        .execute(),
    );
    expect((await ask("GET", `/api/domains/${id}`)).json).toMatchObject({ spf: "pass", details: null });
  });

  test("GET /api/domains/:id is verified once its record was seen, only for the workspace with that record", async () => {
    const { ask, add, internet, clock, store, workspace, verificationKey } = await worldWithZone();
    const { id, verifyRecord } = await add("a.example");
    expect(verifyRecord.value).toBe(`assay-verify=${verifyToken(verificationKey, workspace, "a.example")}`);
    const isVerified = () => isDomainVerified(inWorkspace(store.read, workspace), "a.example");
    expect(await isVerified()).toBe(false);
    const { TXT, ...rest } = healthy["a.example"] as { TXT: string[] };
    internet.zone = { ...healthy, "a.example": { ...rest, TXT: [...TXT, verifyRecord.value] } };
    clock.nowMs += 60_000;
    expect((await ask("POST", `/api/domains/${id}/recheck`)).json.verified).toBe(true);
    expect(await isVerified()).toBe(true);
    expect(await isDomainVerified(inWorkspace(store.read, workspace), "www.a.example")).toBe(false);
    expect((await ask("GET", "/api/domains")).json.items[0].verified).toBe(true);
  });
});

describe("GET /api/domains", () => {
  test("GET /api/domains returns all domains, newest first, without details, and with optional pages", async () => {
    const { ask, add, clock } = await worldWithZone();
    for (const name of ["a.example", "b.example", "c.example"]) {
      clock.nowMs += 1;
      await add(name);
    }
    const page = async (query = "") => (await ask("GET", `/api/domains${query}`)).json;
    const namesOf = ({ items }: { items: { domain: string }[] }) => items.map(({ domain }) => domain);
    const all = await page();
    expect(namesOf(all)).toEqual(["c.example", "b.example", "a.example"]);
    expect(all).toMatchObject({ total: 3, totalIsExact: true, limit: 1_000, offset: 0, next: null });
    expect(all.items[0]).not.toHaveProperty("details");
    const first = await page("?limit=2");
    expect(namesOf(first)).toEqual(["c.example", "b.example"]);
    expect(namesOf(await page(`?limit=2&cursor=${first.next}`))).toEqual(["a.example"]);
    expect(namesOf(await page("?offset=2"))).toEqual(["a.example"]);
    expect(await page("?name=B.example")).toMatchObject({ total: 1, items: [{ domain: "b.example" }] });
    expect(await page("?name=example.org")).toMatchObject({ total: 0, items: [], next: null });
    for (const query of ["name=", "name=a%20b", "limit=0", "limit=1001", "limit=x", "offset=-1", "cursor=tst_1"])
      expect([query, (await ask("GET", `/api/domains?${query}`)).status]).toEqual([query, 400]);
  });
});

describe("PATCH /api/domains/:id", () => {
  test("PATCH /api/domains/:id changes the selector and schedules a check", async () => {
    const { ask, add, clock } = await worldWithZone();
    const { id } = await add("a.example");
    clock.nowMs += 1_000;
    const { status, json } = await ask("PATCH", `/api/domains/${id}`, { dkimSelector: "s2" });
    expect(status).toBe(200);
    expect(json).toMatchObject({ dkimSelector: "s2", nextCheckAt: new Date(clock.nowMs).toISOString() });
    expect((await ask("PATCH", `/api/domains/${id}`, { dkimSelector: null })).json.dkimSelector).toBeNull();
  });

  test("PATCH /api/domains/:id changes nothing for an empty or identical body", async () => {
    const { ask, add, clock } = await worldWithZone();
    const before = await add("a.example", { dkimSelector: "s2" });
    clock.nowMs += 1_000;
    for (const body of [{}, { dkimSelector: "s2" }])
      expect((await ask("PATCH", `/api/domains/${before.id}`, body)).json).toEqual(before);
  });

  test("PATCH /api/domains/:id rejects other fields and invalid selectors", async () => {
    const { ask, add } = await worldWithZone();
    const { id } = await add("a.example");
    const { status, json } = await ask("PATCH", `/api/domains/${id}`, { domain: "b.example" });
    expect([status, json.field]).toEqual([400, "domain"]);
    expect((await ask("PATCH", `/api/domains/${id}`, { dkimSelector: "a b" })).json.field).toBe("dkimSelector");
    expect((await ask("PATCH", "/api/domains/dom_nothing", { dkimSelector: "s2" })).status).toBe(404);
  });

  test("PATCH /api/domains/:id causes no drift through a new selector, unlike later DNS changes", async () => {
    const { ask, add, clock, domainWatcher, internet } = await worldWithZone();
    const { id } = await add("a.example", { dkimSelector: "s2" });
    await ask("PATCH", `/api/domains/${id}`, { dkimSelector: "nowhere" });
    const lookTwice = async () => {
      for (let look = 0; look < 2; look++) {
        clock.nowMs += 3_600_000;
        await domainWatcher.sweep();
      }
      return (await ask("GET", `/api/domains/${id}/history`)).json.items;
    };
    expect(await lookTwice()).toEqual([]);
    expect((await ask("GET", `/api/domains/${id}`)).json).toMatchObject({ dkim: "fail", lastDriftAt: null });
    internet.zone = { ...healthy, "_dmarc.a.example": { TXT: ["v=DMARC1; p=none"] } };
    expect(await lookTwice()).toMatchObject([{ kind: "drift", changes: [{ mechanism: "dmarc" }] }]);
    expect((await ask("GET", "/api/dashboard/summary")).json.domains).toMatchObject({ drifted24h: 1 });
  });

  test("PATCH /api/domains/:id releases the domain from a running check of the old selector", async () => {
    const { ask, add, store, clock } = await worldWithZone();
    const { id } = await add("a.example");
    clock.nowMs += 3_600_000;
    const lease = { now: clock.nowMs, owner: "sweep", leaseMs: 60_000, limit: 10 };
    const [ticket] = await store.write((db) => claimDue(db, "domains", lease));
    if (!ticket) throw new Error("It was not due.");
    await ask("PATCH", `/api/domains/${id}`, { dkimSelector: "s2" });
    const finish = store.write((db) => finishClaim(db, "domains", ticket, clock.nowMs + 1, { dkim: "fail" }));
    expect(await finish).toBe(false);
    expect((await ask("GET", `/api/domains/${id}`)).json.dkim).toBe("pass");
    expect(await store.write((db) => claimDue(db, "domains", lease))).toHaveLength(1);
  });
});

describe("POST /api/domains/check", () => {
  test("POST /api/domains/check says what a domain publishes, as monitoring would, and monitors nothing", async () => {
    const { ask, add } = await worldWithZone();
    const { status, json } = await ask("POST", "/api/domains/check", { domain: "https://A.example/about" });
    expect([status, json.domain]).toEqual([200, "a.example"]);
    expect((await ask("GET", "/api/domains")).json.items).toEqual([]);
    const { findings, score, grade, plan } = await add("a.example");
    expect(json).toMatchObject({ ...words, findings, score, grade, plan });
  });

  test("POST /api/domains/check is limited to one check per minute and domain, and counts as one of 30 rechecks", async () => {
    const { ask, add, clock } = await worldWithZone();
    const { id } = await add("a.example");
    const check = (domain: string) => ask("POST", "/api/domains/check", { domain });
    expect((await check("b.example")).status).toBe(200);
    const refused = await check("B.example.");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    for (let count = 1; count < 30; count++) expect((await check(`b${count}.example`)).status).toBe(200);
    clock.nowMs += 60_000;
    expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(429);
    expect((await check("c.example")).status).toBe(429);
    clock.nowMs += 3_540_000;
    expect((await check("c.example")).status).toBe(200);
  });

  test("POST /api/domains/check refuses what is no sending domain, without counting it", async () => {
    const { ask } = await worldWithZone();
    for (let count = 0; count < 31; count++)
      expect((await ask("POST", "/api/domains/check", { domain: "www.a.example" })).status).toBe(400);
    expect((await ask("POST", "/api/domains/check", { domain: "a.example" })).status).toBe(200);
  });
});

describe("POST /api/domains/:id/recheck", () => {
  test("POST /api/domains/:id/recheck allows one recheck per minute and domain", async () => {
    const { ask, add, clock } = await worldWithZone();
    const { id } = await add("a.example");
    const recheck = () => ask("POST", `/api/domains/${id}/recheck`);
    expect((await recheck()).status).toBe(200);
    clock.nowMs += 40_000;
    const refused = await recheck();
    expect([refused.status, refused.json.error]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("20");
    clock.nowMs += 20_000;
    expect((await recheck()).status).toBe(200);
  });

  test("POST /api/domains/:id/recheck allows 30 rechecks per hour and workspace, even if domains are removed", async () => {
    const { ask, add, clock, createWorkspace, issueToken, askAs } = await worldWithZone();
    const began = clock.nowMs;
    for (let count = 0; count < 30; count++) {
      const { id } = await add(`a${count}.example`);
      expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(200);
      if (count % 2 === 0) await ask("DELETE", `/api/domains/${id}`);
      clock.nowMs += 60_000;
    }
    const { id } = await add("a.example");
    const refused = await ask("POST", `/api/domains/${id}/recheck`);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe(String((began + 3_600_000 - clock.nowMs) / 1_000));
    const { id: workspace } = await createWorkspace("Theirs");
    const { token } = await issueToken(workspace);
    const theirs = await askAs("POST", "/api/domains", { token, workspace, body: { domain: "a.example" } });
    const path = `/api/domains/${theirs.json.id}/recheck`;
    expect((await askAs("POST", path, { token, workspace })).status).toBe(200);
    clock.nowMs = began + 3_600_000;
    expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(200);
    expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(429);
  });

  test("POST /api/domains/:id/recheck counts neither the first check of a domain nor rejected requests", async () => {
    const { ask, add, clock } = await worldWithZone();
    const { id } = await add("a.example");
    await ask("POST", `/api/domains/${id}/recheck`);
    for (let count = 0; count < 50; count++) {
      expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(429);
      expect((await ask("POST", "/api/domains/dom_nothing/recheck")).status).toBe(404);
    }
    clock.nowMs += 60_000;
    expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(200);
  });

  test("POST /api/domains/:id/recheck never blocks a client longer than the limit after the clock was set back", async () => {
    const { ask, add, clock } = await worldWithZone();
    const { id } = await add("a.example");
    await ask("POST", `/api/domains/${id}/recheck`);
    clock.nowMs -= 86_400_000;
    expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(200);
    expect((await ask("POST", `/api/domains/${id}/recheck`)).headers.get("retry-after")).toBe("60");
  });
});

describe("PATCH /api/domains/:id", () => {
  test("PATCH /api/domains/:id allows 30 selector changes per hour and workspace, not counting those without a change", async () => {
    const { ask, add, clock } = await worldWithZone();
    const { id } = await add("a.example");
    const change = (dkimSelector: string) => ask("PATCH", `/api/domains/${id}`, { dkimSelector });
    for (let count = 0; count < 30; count++) {
      expect((await change(`s${count}`)).status).toBe(200);
      expect((await change(`s${count}`)).status).toBe(200);
    }
    const refused = await change("another");
    expect([refused.status, refused.json.error]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect((await ask("GET", `/api/domains/${id}`)).json.dkimSelector).toBe("s29");
    expect((await ask("POST", `/api/domains/${id}/recheck`)).status).toBe(200);
    clock.nowMs += 3_600_000;
    expect((await change("another")).status).toBe(200);
  });
});

describe("GET /api/domains/:id/history", () => {
  test("GET /api/domains/:id/history lists the changes newest first, in pages", async () => {
    const { ask, add, store, workspace } = await worldWithZone();
    const { id } = await add("a.example");
    const { id: otherId } = await add("b.example");
    const change = {
      mechanism: "dmarc",
      kind: "policy_loosened",
      direction: "worse",
      says: "It is looser.",
      before: { verdict: "pass", record: "v=DMARC1; p=reject" },
      after: { verdict: "warn", record: "v=DMARC1; p=none" },
    };
    const insert = (chg: string, domain_id: string, kind: "drift" | "mended") =>
      store.write((db) =>
        inWorkspace(db, workspace)
          .insertInto("domain_changes", {
            id: `chg_${chg.repeat(26)}`,
            domain_id,
            at: 1_000,
            kind,
            changes: JSON.stringify([change]),
          })
          .execute(),
      );
    await insert("1", id, "drift");
    await insert("2", otherId, "drift");
    await insert("3", id, "mended");
    const page = async (query = "") => (await ask("GET", `/api/domains/${id}/history${query}`)).json;
    const all = await page();
    expect(all).toMatchObject({ total: 2, limit: 50, next: null });
    expect(all.items).toEqual([
      { id: `chg_${"3".repeat(26)}`, at: "1970-01-01T00:00:01.000Z", kind: "mended", changes: [change] },
      { id: `chg_${"1".repeat(26)}`, at: "1970-01-01T00:00:01.000Z", kind: "drift", changes: [change] },
    ]);
    const { next } = await page("?limit=1");
    expect((await page(`?limit=1&cursor=${next}`)).items).toMatchObject([{ kind: "drift" }]);
    expect((await ask("GET", "/api/domains/dom_nothing/history")).status).toBe(404);
  });
});

test("GET /api/domains/:id/zone has the workspace's DKIM keys once each, compared with DNS", async () => {
  const { ask, internet, clock } = await worldWithZone();
  const { id } = (await ask("POST", "/api/domains", { domain: "a.example" })).json;
  const [{ record }] = (await ask("POST", "/api/signing-keys", { domain: "a.example", algorithm: "rsa" })).json.items;
  await ask("POST", "/api/signing-keys", { domain: "b.example", algorithm: "ed25519" });
  const told = async () => {
    const { records, zoneFile } = (await ask("GET", `/api/domains/${id}/zone`)).json;
    expect(zoneFile).not.toContain("ed25519");
    expect(zoneFile.includes(`${record.name}. 3600 IN TXT`)).toBe(records.some(isOurs));
    return records.filter(isOurs).map(({ status, value }: Told) => [status, value]);
  };
  type Told = { readonly name: string; readonly status: string; readonly value: string };
  const isOurs = ({ name }: Told) => name === record.name;
  expect(await told()).toEqual([["missing", record.value]]);
  internet.zone = { ...healthy, [record.name]: "timeout" };
  expect(await told()).toEqual([]);
  internet.zone = { ...healthy, [record.name]: { TXT: [record.value] } };
  expect(await told()).toEqual([["present", record.value]]);
  const { json } = await ask("PATCH", `/api/domains/${id}`, { dkimSelector: record.name });
  await ask("POST", `/api/domains/${id}/recheck`);
  expect(json.dkimSelector).toBe(record.name.split(".")[0]);
  expect(await told()).toEqual([["present", record.value]]);
  internet.zone = { ...healthy, [record.name]: { TXT: ["v=DKIM1; p="] } };
  clock.nowMs += 60_000;
  await ask("POST", `/api/domains/${id}/recheck`);
  expect((await told()).map(([status]: string[]) => status)).toEqual(["change"]);
});

test("GET /api/domains/:id/zone has the records to publish, also as a zone file", async () => {
  const { ask, add } = await worldWithZone();
  const { id, verifyRecord } = await add("a.example");
  const { status, json } = await ask("GET", `/api/domains/${id}/zone`);
  expect(status).toBe(200);
  expect(json.records).toContainEqual(
    expect.objectContaining({ name: "a.example", value: verifyRecord.value, status: "missing" }),
  );
  expect(json.zoneFile).toContain(verifyRecord.value);
});

test("a deleted domain is gone with its report and history, and can be added again", async () => {
  const { ask, add, store } = await worldWithZone();
  const { id } = await add("a.example");
  const { status, text } = await ask("DELETE", `/api/domains/${id}`);
  expect([status, text]).toEqual([204, ""]);
  for (const path of ["", "/history", "/zone"])
    expect((await ask("GET", `/api/domains/${id}${path}`)).status).toBe(404);
  expect((await ask("DELETE", `/api/domains/${id}`)).status).toBe(404);
  expect(await store.read.selectFrom("domain_reports").selectAll().execute()).toEqual([]);
  expect((await add("a.example")).id).not.toBe(id);
});

test("the dashboard counts and names failing domains and those that drifted within a day", async () => {
  const { ask, add, store, clock } = await worldWithZone({
    ...healthy,
    "b.example": { TXT: ["v=spf1 -all", "v=spf1 +all"] },
    "c.example": { MX: [{ preference: 1, exchange: "mail.a.example" }] },
    "parked.example": { A: ["192.0.2.1"] },
    "d.example": "servfail",
    "_dmarc.d.example": "servfail",
  });
  const counts = async () => (await ask("GET", "/api/dashboard/summary")).json.domains;
  expect(await counts()).toEqual({ monitored: 0, failing: 0, drifted24h: 0, fine: 0, worst: [] });
  const { id } = await add("a.example");
  for (const name of ["b.example", "c.example", "d.example", "parked.example"]) await add(name);
  const drift = (at: number) =>
    store.write((db) => db.updateTable("domains").set({ last_drift_at: at }).where("id", "=", id).execute());
  await drift(clock.nowMs - 86_400_000 + 1);
  const { worst, ...counted } = await counts();
  // One is silent.
  expect(counted).toEqual({ monitored: 5, failing: 2, drifted24h: 1, fine: 1 });
  expect(worst.map(({ domain }: { domain: string }) => domain)).toEqual([
    "b.example",
    "c.example",
    "d.example",
    "a.example",
  ]);
  await drift(clock.nowMs - 86_400_000);
  expect(await counts()).toMatchObject({ drifted24h: 0, fine: 2 });
});
