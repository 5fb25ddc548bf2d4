import { describe, expect, test } from "vitest";
import type { DnsAnswer, DnsRecord } from "../../../src/analyzer/dns/answer.ts";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import { claimedSession } from "../../../src/analyzer/mail/session/session.ts";
import { compareReports } from "../../../src/analyzer/reports/compare.ts";
import { compareDns } from "../../../src/analyzer/reports/compare-dns.ts";
import type { Side } from "../../../src/analyzer/reports/compare-mail.ts";
import { analyzeLetter, inputOf, type Letter, receivedAt } from "../domain-cases/verdict-world.ts";

async function sideOf(letter: Letter, changes: Partial<Side> = {}): Promise<Side> {
  const report = await analyzeLetter(letter);
  return { report, session: inputOf(letter).session, receivedAt, label: null, ...changes };
}

const later = { receivedAt: receivedAt + 60_000 };

async function compare(before: Letter, after: Letter) {
  return compareReports(await sideOf(before), await sideOf(after));
}

const answer = (records: readonly DnsRecord[], changes: Partial<DnsAnswer> = {}): DnsAnswer => ({
  name: "a.example",
  type: "TXT",
  status: records.length > 0 ? "answered" : "nodata",
  records,
  ttlSeconds: 60,
  authenticated: false,
  server: null,
  durationMs: 1,
  at: 1,
  ...changes,
});
const text = (part: string): DnsRecord => ({ type: "TXT", parts: [part] });
const mx = (preference: number, exchange: string): DnsRecord => ({ type: "MX", preference, exchange });

describe("two reports of the same message", () => {
  test("two reports of the same message have no differences", async () => {
    const same = await compare({}, {});
    expect(same).toMatchObject({ causes: [], says: ["No relevant changes."], dns: [], mail: [] });
    expect(same.findings).toEqual({ gone: [], added: [], changed: [] });
    expect(same.rules.findings).toEqual([]);
  });

  test("two reports of the same message have no differences with another record order, text split, or TTL", async () => {
    const zone = (entry: Zone[string]): Zone => ({ "a.example": entry });
    const one = { ttlSeconds: 60, A: ["192.0.2.1", "192.0.2.9"], TXT: ["v=spf1 ip4:192.0.2.20 -all", "other"] };
    const other = { A: ["192.0.2.9", "192.0.2.1"], TXT: ["other", ["v=spf1 ip4:192.0.2.20", " -all"]] };
    const same = await compare({ zone: zone(one) }, { zone: zone(other) });
    expect(same.dns).toEqual([]);
  });
});

describe("a DNS change", () => {
  test("a DNS change to a published policy shows its record, its verdicts, and the resolved findings", async () => {
    const { causes, dns, verdicts, findings, says, scores } = await compare(
      { zone: { "_dmarc.a.example": {} } },
      { zone: { "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@a.example"] } } },
    );
    expect(causes).toEqual(["dns"]);
    expect(dns).toEqual([
      {
        name: "_dmarc.a.example",
        type: "TXT",
        before: { status: "nodata", records: [], leftOut: 0 },
        after: { status: "answered", records: ["v=DMARC1; p=reject; rua=mailto:d@a.example"], leftOut: 0 },
        says: "New TXT record at _dmarc.a.example: “v=DMARC1; p=reject; rua=mailto:d@a.example”.",
      },
    ]);
    expect(verdicts.map(({ says }) => says)).toContain("DMARC changed from none to pass.");
    expect(findings.gone.map(({ id }) => id)).toContain("dmarc-record.missing");
    const [composite] = scores;
    expect(says[0]).toBe(`The score rose from ${composite?.before} to ${composite?.after}.`);
    expect(says).toContain(`No longer found: ${findings.gone[0]?.title}`);
  });

  const cases: readonly [string, DnsAnswer, DnsAnswer, string | null][] = [
    ["another text", answer([text("a")]), answer([text("b")]), "The TXT record for a.example changed from “a” to “b”."],
    ["a text that is gone", answer([text("a")]), answer([]), "The TXT record for a.example was removed. It was “a”."],
    ["a name that is gone", answer([]), answer([], { status: "nxdomain" }), "The name a.example no longer exists."],
    [
      "silence",
      answer([text("a")]),
      answer([], { status: "timeout" }),
      "The lookup of the TXT record for a.example failed (timeout). Previously, it succeeded.",
    ],
    ["silence of another sort", answer([], { status: "servfail" }), answer([], { status: "timeout" }), null],
    ["what was not asked for want of time", answer([text("a")]), answer([], { status: "budget" }), null],
    ["another question", answer([text("a")]), answer([], { name: "b.example" }), null],
    [
      "time, server and TTL",
      answer([text("a")]),
      answer([text("a")], { at: 9, ttlSeconds: 9, server: "192.0.2.53", durationMs: 5 }),
      null,
    ],
    [
      "another writing of the same name",
      answer([mx(1, "MX.a.example")], { type: "MX" }),
      answer([mx(1, "mx.a.example")], { type: "MX" }),
      null,
    ],
    [
      "another preference",
      answer([mx(1, "mx.a.example")], { type: "MX" }),
      answer([mx(2, "mx.a.example")], { type: "MX" }),
      "The MX record for a.example changed from “1 mx.a.example” to “2 mx.a.example”.",
    ],
    [
      "a serial",
      answer([{ type: "SOA", primary: "ns.example", serial: 1, minimum: 2 }], { type: "SOA" }),
      answer([{ type: "SOA", primary: "ns.example", serial: 2, minimum: 2 }], { type: "SOA" }),
      null,
    ],
    [
      "control characters",
      answer([text("a")]),
      answer([text("\u001b[2J")]),
      "The TXT record for a.example changed from “a” to “\\u001b[2J”.",
    ],
  ];
  test.each(cases)("a DNS change is described correctly for %s", (_, before, after, says) => {
    expect(compareDns([before], [after]).map((change) => change.says)).toEqual(says === null ? [] : [says]);
  });
});

test("a huge record set is shown in part and counted", () => {
  const records = Array.from({ length: 400 }, (_, index) => text("x".repeat(3_000) + index));
  const [change] = compareDns([answer([])], [answer(records)]);
  expect(change?.after).toMatchObject({ leftOut: 390 });
  expect(JSON.stringify(change).length).toBeLessThan(12_000);
});

describe("a message change", () => {
  test("a message change names the body, subject, header, or signature that changed", async () => {
    const before = await sideOf({ headers: ["X-Mailer: one", "List-Id: <a.example>"] });
    const after = await sideOf(
      { headers: ["X-Mailer: two"], body: "Another.\r\n", sign: { key: "ed25519" }, from: "Eve <eve@a.example>" },
      later,
    );
    const { causes, mail } = compareReports(before, after);
    expect(causes).toEqual(["mail"]);
    expect(mail.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["From", "The body", "The DKIM signature", "X-Mailer", "List-Id"]),
    );
    expect(mail.find(({ what }) => what === "X-Mailer")).toEqual({
      what: "X-Mailer",
      before: "one",
      after: "two",
      says: "X-Mailer changed from “one” to “two”.",
    });
    expect(mail.find(({ what }) => what === "List-Id")?.after).toBeNull();
  });

  test("a message change ignores what is unique to each message", async () => {
    const own = (mark: string) => ({
      headers: [`Received: from x by y; ${mark}`, `Content-Type: text/plain; boundary="${mark}"`],
    });
    const before = await sideOf(own("one"));
    const after = await sideOf(own("two"), later);
    expect(compareReports(before, after).mail).toEqual([]);
  });

  test("a message change compares linked hosts by the message's links, whether or not each was looked up", async () => {
    const linked = (body: string) => ({
      headers: ["List-Unsubscribe: <https://a.example/leave>"],
      body: `https://a.example/one https://a.example/two ${body}\r\n`,
    });
    const same = compareReports(await sideOf(linked("")), await sideOf(linked("Hello."), later));
    expect(same.mail.map(({ what }) => what)).not.toContain("The list of linked hosts");
    const without = { headers: [], body: "https://a.example/one\r\n" };
    const other = compareReports(await sideOf(linked("https://shop.example/")), await sideOf(without, later));
    expect(other.mail.find(({ what }) => what === "The list of linked hosts")).toMatchObject({
      before: "a.example, shop.example",
      after: "a.example",
    });
  });

  test("a message change ignores linked hosts in a report from before they were stored", async () => {
    const before = await sideOf({ body: "https://a.example/\r\n" });
    const { linkHosts: _gone, ...old } = before.report;
    const { mail } = compareReports({ ...before, report: old }, await sideOf({ body: "Hello.\r\n" }, later));
    expect(mail.map(({ what }) => what)).not.toContain("The list of linked hosts");
  });

  test("a message change is named if nothing else explains another verdict", async () => {
    const before = await sideOf({});
    const after = await sideOf({ change: (text) => text.replace("20 Nov 2026", "20 Nov 2020") }, later);
    const { causes, mail, findings } = compareReports(before, after);
    expect(findings.added.length).toBeGreaterThan(0);
    expect(causes).toEqual(["mail"]);
    expect(mail.map(({ what }) => what)).toEqual(["Details unique to each message"]);
  });

  test("a message change in hundreds of headers is shown in part and counted", async () => {
    const headers = Array.from({ length: 500 }, (_, index) => `X-Flood-${index}: 1`);
    const { mail } = compareReports(await sideOf({}), await sideOf({ headers }, later));
    expect(mail.length).toBeLessThanOrEqual(50);
    expect(mail.at(-1)?.says).toMatch(/^More headers differ \(\d+\)\.$/);
  });
});

describe("a sender change", () => {
  test("a sender change names the IP, reverse DNS, HELO, and envelope sender", async () => {
    const { causes, infrastructure } = await compare(
      {},
      { ip: "192.0.2.20", helo: "other.example", mailFrom: "x@bounce.example" },
    );
    expect(causes).toContain("infrastructure");
    expect(infrastructure.map(({ says }) => says)).toEqual(
      expect.arrayContaining([
        "The sending IP address changed from “192.0.2.10” to “192.0.2.20”.",
        "The HELO name changed from “mail.esp.example” to “other.example”.",
        "The return-path domain changed from “esp.example” to “bounce.example”.",
      ]),
    );
  });

  test("a sender change is not reported for a value that is unknown in one report", async () => {
    expect((await compare({}, { ip: null, helo: null })).infrastructure).toEqual([]);
  });

  test("a sender change includes encryption only for a session that we received", async () => {
    const side = await sideOf({});
    const heard = { ...side.session, door: { kind: "smtp" } } as const;
    const tls = { version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", serverName: null };
    const { infrastructure } = compareReports({ ...side, session: heard }, { ...side, session: { ...heard, tls } });
    expect(infrastructure.map(({ what, before }) => [what, before])).toEqual([["The TLS connection", "none"]]);
    const claimed = claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] });
    expect(compareReports(side, { ...side, session: claimed }).infrastructure).toEqual([]);
  });
});

describe("a change of Assay's rules", () => {
  test("a change of Assay's rules is the cause if nothing else changed", async () => {
    const side = await sideOf({ zone: { "_dmarc.a.example": {} } });
    const { report } = side;
    const findings = report.judgment.findings.filter(({ id }) => id !== "dmarc-record.missing");
    const earlier: Side = {
      ...side,
      report: {
        ...report,
        judgment: { ...report.judgment, findings },
        analysis: { ...report.analysis, version: "0.0.1" },
      },
    };
    const { causes, rules, says } = compareReports(earlier, side);
    expect(causes).toEqual(["rules"]);
    expect(rules).toEqual({ before: "0.0.1", after: report.analysis.version, findings: ["dmarc-record.missing"] });
    expect(says.join(" ")).toContain(
      "Nothing else changed, so the cause is a change in Assay's own rules (from version 0.0.1 to 0.1.0). New: No DMARC record",
    );
  });

  test("a change of Assay's rules is no cause if a new version gives the same results", async () => {
    const side = await sideOf({});
    const analysis = { ...side.report.analysis, version: "0.0.1" };
    const { causes, rules } = compareReports({ ...side, report: { ...side.report, analysis } }, side);
    expect(causes).toEqual([]);
    expect(rules).toMatchObject({ before: "0.0.1", findings: [] });
  });

  test("a change of Assay's rules is not blamed for another label or for skipped queries", async () => {
    const side = await sideOf({});
    expect(compareReports(side, { ...side, label: "bulk" }).causes).toEqual(["circumstances"]);
    const analysis = { ...side.report.analysis, unasked: ["hosts A x.example"] };
    const { causes } = compareReports(side, { ...side, report: { ...side.report, analysis } });
    expect(causes).toEqual(["circumstances"]);
  });
});
