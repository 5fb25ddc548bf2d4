import { describe, expect, test } from "vitest";
import { worldWithCaller } from "../../http/interface-world.ts";

const settings = { ASSAY_SEED_DOMAINS: "seed.localhost", ASSAY_SMTP_LISTEN: "127.0.0.1:2525" };
const look = "/api/doctor/mx?domain=";

type Row = { readonly id: string; readonly state: string; readonly says: string; readonly fix: string | null };

function statesOf(rows: readonly Row[]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
}

describe("GET /api/doctor", () => {
  test("GET /api/doctor is available only to owners of the first workspace", async () => {
    const world = await worldWithCaller();
    const { status, json } = await world.ask("GET", "/api/doctor");
    expect(status).toBe(200);
    expect(json.examinedAt).toBe("2026-11-21T06:00:00.000Z");
    const states = statesOf(json.items);
    expect(states).toMatchObject({ "data-directory": "green", "smtp-port": "grey", clock: "green" });
    world.clock.nowMs += 1;
    const { id: workspace } = await world.createWorkspace("Theirs");
    const { token } = await world.issueToken(workspace);
    for (const path of ["/api/doctor", `${look}seed.acme.net`]) {
      const refused = await world.askAs("GET", path, { token, workspace });
      expect([refused.status, refused.json.error]).toEqual([403, "forbidden"]);
    }
  });

  test("GET /api/doctor caches its results for a minute, and runs again on request", async () => {
    const asked: string[] = [];
    const tryBind = async (host: string) => {
      asked.push(host);
      return null;
    };
    const world = await worldWithCaller({ machine: { tryBind } });
    const countAfter = async (path: string, passedMs: number) => {
      world.clock.nowMs += passedMs;
      await Promise.all([world.ask("GET", path), world.ask("GET", path)]);
      return asked.length;
    };
    const once = await countAfter("/api/doctor", 0);
    expect(await countAfter("/api/doctor", 59_999)).toBe(once);
    expect(await countAfter("/api/doctor", 1)).toBe(2 * once);
    expect(await countAfter("/api/doctor?fresh=1", 4_999)).toBe(2 * once);
    expect(await countAfter("/api/doctor?fresh=1", 1)).toBe(3 * once);
    expect((await world.ask("GET", "/api/doctor?fresh=yes")).status).toBe(400);
  });
});

describe("GET /api/doctor/mx", () => {
  test("GET /api/doctor/mx says which records and settings a domain without records needs", async () => {
    const { ask } = await worldWithCaller({ machine: { settings } });
    const { status, json } = await ask("GET", `${look}Seed.Acme.net`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      domain: "seed.acme.net",
      records: [
        { type: "MX", name: "seed.acme.net", value: "10 mx.acme.net." },
        { type: "A", name: "mx.acme.net", value: "8.8.4.4" },
      ],
      settings: [
        { name: "ASSAY_SEED_DOMAINS", value: "seed.acme.net,seed.localhost", isSet: false, inApp: true },
        { name: "ASSAY_SMTP_HOSTNAME", value: "mx.acme.net", isSet: false, inApp: false },
        { name: "ASSAY_SMTP_LISTEN", value: "127.0.0.1:2525,0.0.0.0:25", isSet: false, inApp: true },
      ],
      isPublished: false,
    });
    expect(statesOf(json.rows)).toEqual({
      mx: "red",
      address: "red",
      "seed-domain": "red",
      "port-25": "red",
      "reverse-name": "red",
    });
  });

  test("GET /api/doctor/mx finds a new record immediately, and says when all are published", async () => {
    const knock = async ({ host, port }: { readonly host: string; readonly port: number }) =>
      host === "8.8.4.4" && port === 25
        ? ({ state: "answered", firstLine: "220 mx.acme.net ESMTP Assay" } as const)
        : ({ state: "closed" } as const);
    const own = { ASSAY_SEED_DOMAINS: "seed.acme.net", ASSAY_SMTP_LISTEN: "0.0.0.0:25" };
    const { ask, internet } = await worldWithCaller({ machine: { settings: own, knock } });
    const read = async () => (await ask("GET", `${look}seed.acme.net`)).json;
    internet.zone = { "seed.acme.net": { MX: [{ preference: 10, exchange: "mx.acme.net" }] } };
    const half = await read();
    expect(statesOf(half.rows)).toMatchObject({ mx: "green", address: "red", "seed-domain": "green" });
    expect(half.isPublished).toBe(false);
    internet.zone = {
      ...internet.zone,
      "mx.acme.net": { A: ["8.8.4.4"] },
      "4.4.8.8.in-addr.arpa": { PTR: ["mx.acme.net"] },
    };
    const whole = await read();
    expect(new Set(Object.values(statesOf(whole.rows)))).toEqual(new Set(["green"]));
    expect(whole.isPublished).toBe(true);
  });

  test.each([
    ["another server", { MX: [{ preference: 5, exchange: "mx.other.net" }] }, "red", "not mx.acme.net"],
    [
      "another server first",
      {
        MX: [
          { preference: 5, exchange: "mx.other.net" },
          { preference: 10, exchange: "mx.acme.net" },
        ],
      },
      "red",
      "Mail goes to mx.other.net first",
    ],
    ["no server", { MX: [{ preference: 0, exchange: "." }] }, "red", "accepts no mail"],
    [
      "a server that DNS does not answer for",
      { MX: [{ preference: 5, exchange: "mx.silent.net" }] },
      "grey",
      "The DNS lookup for mx.silent.net failed",
    ],
    ["nothing, because its name servers are silent", "fail", "grey", "The DNS lookup for seed.acme.net failed"],
  ])("GET /api/doctor/mx reports a domain whose MX names %s", async (_what, records, state, words) => {
    const { ask, internet } = await worldWithCaller({ machine: { settings } });
    const others = { "mx.other.net": { A: ["9.9.9.9"] }, "mx.silent.net": "fail" };
    internet.zone = { "seed.acme.net": records, ...others } as typeof internet.zone;
    const { json } = await ask("GET", `${look}seed.acme.net`);
    const mx = json.rows.find(({ id }: Row) => id === "mx");
    expect(mx.state).toBe(state);
    expect(mx.says).toContain(words);
    expect(json.isPublished).toBe(false);
  });

  test("GET /api/doctor/mx does not report what a machine behind NAT cannot see", async () => {
    const machine = { settings, hostName: "a1b2c3", ownAddresses: ["10.0.0.2"] };
    const { ask, internet } = await worldWithCaller({ machine });
    internet.zone = {
      "seed.acme.net": { MX: [{ preference: 10, exchange: "mx.seed.acme.net" }] },
      "mx.seed.acme.net": { A: ["9.9.9.9"] },
    };
    const { json } = await ask("GET", `${look}seed.acme.net`);
    expect(json.records[1]).toEqual({ type: "A", name: "mx.seed.acme.net", value: null });
    expect(statesOf(json.rows)).toMatchObject({ mx: "green", address: "grey", "reverse-name": "grey" });
    expect(json.isPublished).toBe(true);
    internet.zone = { "seed.acme.net": { MX: [{ preference: 10, exchange: "mail.acme.net" }] } };
    const other = await ask("GET", `${look}seed.acme.net`);
    expect(statesOf(other.json.rows)).toMatchObject({ mx: "grey" });
    expect(other.json.isPublished).toBe(false);
  });

  test.each(["", "no domain", "com", "seed.localhost", "mail.example", `${"a.".repeat(124)}acme.net`])(
    "GET /api/doctor/mx rejects %j",
    async (domain) => {
      const { ask } = await worldWithCaller();
      const { status, json } = await ask("GET", look + encodeURIComponent(domain));
      expect([status, json.error, json.field]).toEqual([400, "invalid_request", "domain"]);
    },
  );

  test("GET /api/doctor/mx allows sixty checks a minute", async () => {
    const { ask, clock } = await worldWithCaller({ machine: { settings } });
    const statusOf = async () => (await ask("GET", `${look}seed.acme.net`)).status;
    for (let count = 0; count < 60; count += 1) expect(await statusOf()).toBe(200);
    expect(await statusOf()).toBe(429);
    clock.nowMs += 60_000;
    expect(await statusOf()).toBe(200);
  });
});
