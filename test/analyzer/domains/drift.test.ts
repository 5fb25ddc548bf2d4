import { expect, test } from "vitest";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { changeKinds } from "../../../src/analyzer/domains/change-kind-table.ts";
import { compareSnapshots } from "../../../src/analyzer/domains/drift.ts";
import { type Snapshot, toSnapshot } from "../../../src/analyzer/domains/snapshot.ts";
import { mechanisms } from "../../../src/analyzer/reports/domain-report.ts";
import { keyRecord } from "../domain-cases/domain-world.ts";
import { broken, troubles } from "../facts/asking.ts";
import { changes } from "./changes.ts";
import { rewrites } from "./rewrites.ts";
import { type Published, reportOn, snapshotOf, texts, validating, zoneOf } from "./watched-domain.ts";

const usual = await snapshotOf({});
const kindsOf = (before: Snapshot, after: Snapshot) =>
  compareSnapshots(before, after).map(({ mechanism, kind }) => `${mechanism} ${kind}`);

test.each(rewrites)("%s is not a change", async (_, published) => {
  const rewritten = await snapshotOf(published);
  expect(compareSnapshots(usual, rewritten)).toEqual([]);
  expect(compareSnapshots(rewritten, usual)).toEqual([]);
});

test.each(changes)("%s is one change", async (_, published, mechanism, kind, direction, says) => {
  const after = await snapshotOf(published);
  const found = compareSnapshots(usual, after);
  expect(found.map((change) => [change.mechanism, change.kind, change.direction])).toEqual([
    [mechanism, kind, direction],
  ]);
  expect(found[0]?.says).toContain(says);
});

test.each(changes)(
  "undoing %s is one change in the opposite direction",
  async (_, published, mechanism, __, direction) => {
    const [change, ...others] = compareSnapshots(await snapshotOf(published), usual);
    expect(others).toEqual([]);
    expect(change?.mechanism).toBe(mechanism);
    // A key that comes is no gain where there are others, and one that goes is a loss.
    if (mechanism === "dkim") return;
    const opposite = { worse: "better", better: "worse", neutral: "neutral" } as const;
    expect(change?.direction).toBe(opposite[direction]);
  },
);

test("a domain that stops receiving mail also loses reports sent to itself", async () => {
  const after = await snapshotOf({ mx: [{ preference: 0, exchange: "." }] });
  expect(kindsOf(usual, after)).toEqual(["dmarc verdict_changed", "mx mx_changed"]);
});

test("a change contains the old record, and its sentence says how to restore it", async () => {
  const [change] = compareSnapshots(usual, await snapshotOf({ dmarc: "v=DMARC1; p=none" }));
  expect(change?.before).toEqual({ verdict: "pass", record: texts.dmarc });
  expect(change?.after).toEqual({ verdict: "warn", record: "v=DMARC1; p=none" });
  expect(change?.says).toBe(
    "The DMARC policy was weakened from reject to none for the domain, from quarantine to none for its subdomains and nonexistent subdomains, so DMARC no longer blocks spoofed mail; DMARC changed from pass to warn. To undo it, restore the previous record.",
  );
});

test("a DKIM change shows only the keys that changed", async () => {
  const [change] = compareSnapshots(usual, await snapshotOf({ google: null }));
  expect(change?.before.record).toBe(`google._domainkey.a.example ${keyRecord}`);
  expect(change?.after.record).toBe(null);
});

test("a lost MTA-STS policy is part of the change", async () => {
  const [change] = compareSnapshots(usual, await snapshotOf({ mtaSts: null }));
  expect(change?.before.record).toBe(
    "v=STSv1; id=7\nversion: STSv1\nmode: enforce\nmx: mx1.a.example\nmx: mx2.a.example\nmax_age: 604800",
  );
});

test.each(troubles)("a DNS error (%s) changes nothing and keeps the last state", async (status) => {
  const during = toSnapshot(await reportOn({}, broken(status)), usual);
  expect(compareSnapshots(usual, during)).toEqual([]);
  for (const mechanism of mechanisms) expect(during[mechanism]).toEqual({ ...usual[mechanism], isHeard: false });
});

const silences: readonly (readonly [what: string, published: Published])[] = [
  ["SPF", { spf: "servfail" }],
  ["an include", { zone: { "_spf.esp.test": "timeout" } }],
  ["DMARC", { dmarc: "servfail" }],
  ["what vouches for report addresses", { zone: { "a.example": "timeout" } }],
  ["a selector", { google: "servfail" }],
  ["every selector", { google: "servfail", s2: "servfail" }],
  ["BIMI", { bimi: "servfail" }],
  ["the MX hosts", { zone: { "mx1.a.example": "timeout", "mx2.a.example": "timeout" } }],
  ["the MTA-STS record", { mtaSts: "servfail" }],
  ["the MTA-STS policy", { fetchStranger: async () => ({ ok: false, failure: "timeout", problem: "" }) }],
  [
    "an MTA-STS server that is in trouble",
    {
      fetchStranger: async () => ({
        ok: true,
        status: 503,
        headers: {},
        body: Buffer.from("Sorry."),
        address: "203.0.113.80",
      }),
    },
  ],
  ["TLS reports", { tlsRpt: "servfail" }],
  ["DANE", { zone: { "_25._tcp.mx1.a.example": "servfail", "_25._tcp.mx2.a.example": "timeout" } }],
  ["the root", { zone: { ".": "timeout" } }],
];

test.each(silences)("%s without an answer is not a change", async (_, published) => {
  const during = toSnapshot(await reportOn(published), usual);
  expect(compareSnapshots(usual, during)).toEqual([]);
});

test("an SPF record counts as answered even if its include times out", async () => {
  const zone = { "_spf.esp.test": "timeout" } as const;
  const silent = toSnapshot(await reportOn({ zone }), usual);
  const loosened = toSnapshot(await reportOn({ zone, spf: texts.spf.replace("-all", "+all") }), silent);
  expect(silent.spf).toMatchObject({ verdict: null, record: texts.spf });
  expect(kindsOf(silent, loosened)).toEqual(["spf all_loosened"]);
});

test("a resolver without validation gives no DNSSEC and DANE state", async () => {
  const plain = createZoneDns(zoneOf({}));
  const first = toSnapshot(await reportOn({}, plain), null);
  expect([first.dnssec, first.dane]).toEqual([null, null]);
  expect(compareSnapshots(usual, toSnapshot(await reportOn({}, plain), usual))).toEqual([]);
});

test("a domain that loses DNSSEC is reported", async () => {
  const zone = zoneOf({});
  const { DS: _, ...apex } = zone["a.example"] as Record<string, never>;
  const signed = validating({ ...zone, "a.example": apex });
  const dns = {
    query: async (...question: Parameters<typeof signed.query>) => {
      const answer = await signed.query(...question);
      return { ...answer, authenticated: question[0] === "." || !question[0].endsWith("a.example") };
    },
  };
  const after = toSnapshot(await reportOn({}, dns), usual);
  expect(kindsOf(usual, after)).toEqual(["dnssec dnssec_lost", "dane dane_lost"]);
});

test("a verdict that changes through a new release or learned facts is no drift", async () => {
  const report = await reportOn({ spf: texts.spf.replace("include:_spf.esp.test", "include:gone.test") });
  const judged = toSnapshot(report, null);
  expect(kindsOf(usual, judged)).toEqual(["spf senders_changed"]);
  const newer = { ...report, analysis: { ...report.analysis, version: "99.0.0" } };
  const before = toSnapshot({ ...newer, verdicts: { ...report.verdicts, spf: { word: "pass", isWhole: true } } }, null);
  expect(kindsOf(before, judged)).toEqual([]);
});

test("a selector that only one of two checks queried is not compared", async () => {
  const probed = usual;
  const named = await snapshotOf({ world: { configured: ["google"] } });
  const missing = await snapshotOf({ world: { configured: ["google", "gone"] } });
  expect(kindsOf(probed, named)).toEqual([]);
  expect(kindsOf(named, probed)).toEqual([]);
  expect(kindsOf(named, missing)).toEqual([]);
  expect(kindsOf(probed, await snapshotOf({ s2: null, world: { configured: ["google"] } }))).toEqual([]);
});

test("the loss of a subdomain's DMARC record names the record that now applies", async () => {
  const own = { "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@a.example"] } };
  const parent = { "_dmarc.example": { TXT: ["v=DMARC1; p=none; sp=none; rua=mailto:d@a.example"] } };
  const before = await snapshotOf({ zone: { ...own, ...parent } });
  const after = await snapshotOf({ dmarc: null, zone: parent });
  const [change] = compareSnapshots(before, after);
  expect(change).toMatchObject({ mechanism: "dmarc", kind: "record_removed", direction: "worse" });
  expect(change?.says).toContain("at _dmarc.example now applies instead of the one at _dmarc.a.example");
});

test("hostile records make a short sentence on one line", async () => {
  const evil = `v=spf1 include:\u202eevil.test\r\n\u0007${"x".repeat(3_000)} ~all`;
  const after = await snapshotOf({ spf: evil, dmarc: `v=DMARC1; p=reject; rua=mailto:${"a".repeat(500)}@x.test` });
  for (const { says } of compareSnapshots(usual, after)) {
    expect(says).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(says.length).toBeLessThan(1_200);
  }
});

test("every kind of change has an explanation", () => {
  for (const { means } of Object.values(changeKinds)) expect(means).toMatch(/^[A-Z].*\.$/);
});
