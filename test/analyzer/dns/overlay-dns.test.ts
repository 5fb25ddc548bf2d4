// Compares the overlay's answers with those of a zone that is really changed.

import { describe, expect, test } from "vitest";
import type { Dns, DnsAnswer, RecordType } from "../../../src/analyzer/dns/answer.ts";
import type { GivenRecords } from "../../../src/analyzer/dns/domain-name.ts";
import { createOverlayDns } from "../../../src/analyzer/dns/overlay-dns.ts";
import { parseRecordSets } from "../../../src/analyzer/dns/record-sets.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { continueAnswers } from "../../../src/analyzer/facts/dns-evidence.ts";

const before: Zone = {
  "a.example": { A: ["192.0.2.1"], MX: [{ preference: 10, exchange: "mx.a.example" }], TXT: ["v=spf1 -all"] },
  "mx.a.example": { A: ["192.0.2.5"] },
  "_dmarc.a.example": { TXT: ["v=DMARC1; p=none"] },
  "s1._domainkey.a.example": { CNAME: ["s1.keys.esp.example"] },
  "s2._domainkey.a.example": { TXT: ["v=DKIM1; p=CCCC"] },
  "s1.keys.esp.example": { TXT: ["v=DKIM1; p=AAAA"] },
  "dangling.a.example": { CNAME: ["nowhere.esp.example"] },
  "first.a.example": { CNAME: ["second.a.example"] },
  "second.a.example": { CNAME: ["mx.a.example"] },
  "slow.a.example": "timeout",
};

const asked: readonly [name: string, type: RecordType][] = [
  ...["a.example", "mx.a.example", "first.a.example", "new.a.example"].flatMap((name) =>
    (["A", "AAAA", "MX", "TXT", "CNAME"] as const).map((type) => [name, type] as [string, RecordType]),
  ),
  ...[
    "_dmarc.a.example",
    "s1._domainkey.a.example",
    "s1.keys.esp.example",
    "dangling.a.example",
    "nowhere.esp.example",
    "_domainkey.a.example",
    "below.new.a.example",
    "below.dangling.a.example",
    "other.a.example",
    "slow.a.example",
    "esp.example",
  ].flatMap((name) => [[name, "TXT"] as [string, RecordType], [name, "CNAME"] as [string, RecordType]]),
];

async function askAll(dns: Dns): Promise<DnsAnswer[]> {
  return Promise.all(asked.map(([name, type]) => dns.query(name, type)));
}

const toWords = ({ name, type, status, records, aliases = [] }: DnsAnswer) =>
  `${name} ${type}: ${[...aliases, status].join(" → ")} ${JSON.stringify(records)}`;

function setsOf(records: readonly GivenRecords[]) {
  const parsed = parseRecordSets(records);
  if (!parsed.ok) throw new Error(`${parsed.at}: ${parsed.problem}`);
  return parsed.sets;
}

type Change = readonly [what: string, given: readonly GivenRecords[], changed: Zone];

const txt = (name: string, ...values: string[]): GivenRecords => ({ name, type: "TXT", values });
const { "_dmarc.a.example": _dmarc, ...withoutDmarc } = before;
const { "s1._domainkey.a.example": _alias, ...withoutAlias } = before;
const { "mx.a.example": _mx, ...withoutMxHost } = before;
const { "first.a.example": _first, ...withoutFirst } = before;
const own = before["a.example"] as object;

const changes: readonly Change[] = [
  ["nothing", [], before],
  [
    "a record in place of another",
    [txt("A.Example.", "v=spf1 mx -all")],
    { ...before, "a.example": { ...own, TXT: ["v=spf1 mx -all"] } },
  ],
  [
    "two records at a name",
    [txt("a.example", "one", '"two " "halves"')],
    { ...before, "a.example": { ...own, TXT: ["one", ["two ", "halves"]] } },
  ],
  [
    "a type taken from a name that holds others",
    [{ name: "a.example", type: "MX", values: [] }],
    { ...before, "a.example": { A: ["192.0.2.1"], TXT: ["v=spf1 -all"] } },
  ],
  ["the last record of a name: the name is gone", [txt("_dmarc.a.example")], withoutDmarc],
  [
    "the last record, of which another type was asked too",
    [{ name: "mx.a.example", type: "A", values: [] }],
    withoutMxHost,
  ],
  [
    "a new name, which then exists",
    [txt("new.a.example", "hello")],
    { ...before, "new.a.example": { TXT: ["hello"] } },
  ],
  [
    "a name below a new one: that exists too",
    [txt("x.new.a.example", "hello")],
    { ...before, "x.new.a.example": { TXT: ["hello"] } },
  ],
  [
    "what an alias leads to",
    [txt("s1.keys.esp.example", "v=DKIM1; p=BBBB")],
    { ...before, "s1.keys.esp.example": { TXT: ["v=DKIM1; p=BBBB"] } },
  ],
  [
    "what an alias led to in vain",
    [txt("nowhere.esp.example", "found")],
    { ...before, "nowhere.esp.example": { TXT: ["found"] } },
  ],
  [
    "a name below what an alias led to in vain",
    [txt("x.nowhere.esp.example", "found")],
    { ...before, "x.nowhere.esp.example": { TXT: ["found"] } },
  ],
  [
    "an alias in the middle of a chain",
    [{ name: "second.a.example", type: "CNAME", values: ["a.example"] }],
    { ...before, "second.a.example": { CNAME: ["a.example"] } },
  ],
  [
    "a new alias",
    [{ name: "new.a.example", type: "CNAME", values: ["first.a.example."] }],
    { ...before, "new.a.example": { CNAME: ["first.a.example"] } },
  ],
  [
    "an alias in place of records",
    [{ name: "_dmarc.a.example", type: "CNAME", values: ["s1.keys.esp.example"] }],
    { ...before, "_dmarc.a.example": { CNAME: ["s1.keys.esp.example"] } },
  ],
  [
    "records in place of an alias",
    [txt("first.a.example", "hello")],
    { ...before, "first.a.example": { TXT: ["hello"] } },
  ],
  ["an alias taken away", [{ name: "s1._domainkey.a.example", type: "CNAME", values: [] }], withoutAlias],
  ["an alias taken away that others lead by", [{ name: "first.a.example", type: "CNAME", values: [] }], withoutFirst],
  [
    "an alias that bites its tail",
    [{ name: "new.a.example", type: "CNAME", values: ["new.a.example"] }],
    { ...before, "new.a.example": { CNAME: ["new.a.example"] } },
  ],
  ["a wildcard", [txt("*.a.example", "any")], { ...before, "*.a.example": { TXT: ["any"] } }],
  [
    "a wildcard that is an alias",
    [{ name: "*.a.example", type: "CNAME", values: ["mx.a.example"] }],
    { ...before, "*.a.example": { CNAME: ["mx.a.example"] } },
  ],
  [
    "a wildcard beside a name that hides it",
    [txt("*.a.example", "any"), { name: "new.a.example", type: "A", values: ["192.0.2.9"] }],
    { ...before, "*.a.example": { TXT: ["any"] }, "new.a.example": { A: ["192.0.2.9"] } },
  ],
  [
    "a wildcard above an alias that leads to nothing, below which it does not answer",
    [txt("*.a.example", "any")],
    { ...before, "*.a.example": { TXT: ["any"] } },
  ],
  [
    "a wildcard and a name taken away, which it then answers for",
    [txt("*.a.example", "any"), txt("_dmarc.a.example")],
    { ...withoutDmarc, "*.a.example": { TXT: ["any"] } },
  ],
];

describe("DNS answers with overlaid records equal those of a changed zone", () => {
  test.each(changes)(
    "DNS answers with overlaid records equal those of a changed zone for %s",
    async (_, given, changed) => {
      const base = createZoneDns(before);
      const overlay = createOverlayDns({ base, recorded: await askAll(base), sets: setsOf(given), at: 0 });
      expect((await askAll(overlay)).map(toWords)).toEqual((await askAll(createZoneDns(changed))).map(toWords));
    },
  );
});

test("overlaid and removed records cause no DNS query", async () => {
  const base: Dns = {
    query: (name) => {
      throw new Error(`${name} was asked.`);
    },
  };
  const sets = setsOf([txt("a.example", "hello"), txt("gone.example")]);
  const overlay = createOverlayDns({ base, recorded: [], sets, at: 7 });
  expect(await overlay.query("a.example", "TXT")).toMatchObject({ status: "answered", at: 7, server: null });
  expect(await overlay.query("gone.example", "TXT")).toMatchObject({ status: "nxdomain" });
});

test("a DNS error stays an error where no record is overlaid", async () => {
  const overlay = createOverlayDns({
    base: createZoneDns({ "a.example": "servfail" }),
    recorded: [],
    sets: setsOf([txt("a.example", "hello")]),
    at: 0,
  });
  expect(await overlay.query("a.example", "MX")).toMatchObject({ status: "servfail" });
  expect(await overlay.query("not\0a name", "MX")).toMatchObject({ status: "malformed" });
});

test("a recorded answer is not queried again", async () => {
  const recorded = await createZoneDns(before).query("a.example", "TXT");
  const dns = continueAnswers([recorded], createZoneDns({ "b.example": { TXT: ["live"] } }));
  expect(await dns.query("A.example.", "TXT")).toBe(recorded);
  expect(await dns.query("b.example", "TXT")).toMatchObject({ status: "answered" });
});

describe("records in text form", () => {
  const parse = (type: GivenRecords["type"], ...values: string[]) =>
    parseRecordSets([{ name: "a.example", type, values }]);
  const recordsOf = (type: GivenRecords["type"], value: string) => {
    const parsed = parse(type, value);
    return parsed.ok ? parsed.sets[0]?.records[0] : parsed;
  };

  test("records in text form can be plain text or quoted as in a zone file", () => {
    const whole = { type: "TXT", parts: ["v=DMARC1; p=none; rua=mailto:a@a.example"] };
    expect(recordsOf("TXT", "v=DMARC1; p=none; rua=mailto:a@a.example")).toEqual(whole);
    expect(recordsOf("TXT", '"v=DMARC1; p=none; rua=mailto:a@a.example"')).toEqual(whole);
    expect(recordsOf("TXT", '( "v=DKIM1; "\n  "p=AAAA" ) ; a key')).toEqual({
      type: "TXT",
      parts: ["v=DKIM1; ", "p=AAAA"],
    });
    expect(recordsOf("TXT", "v=DMARC1\\; p=none")).toEqual({ type: "TXT", parts: ["v=DMARC1; p=none"] });
  });

  test("records in text form of other types are read as in a zone file", () => {
    expect(recordsOf("MX", "10 MX.a.example.")).toEqual({ type: "MX", preference: 10, exchange: "mx.a.example" });
    expect(recordsOf("MX", "0 .")).toEqual({ type: "MX", preference: 0, exchange: "." });
    expect(recordsOf("AAAA", "2001:db8::1")).toEqual({ type: "AAAA", address: "2001:db8::1" });
    expect(recordsOf("TLSA", "3 1 1 AB CD")).toEqual({
      type: "TLSA",
      fields: { usage: 3, selector: 1, matchingType: 1, certificate: "abcd" },
    });
  });

  const refused: readonly [string, readonly GivenRecords[], string][] = [
    ["a name that is none", [txt("a\u0007.example", "x")], "0.name"],
    ["an empty name", [txt("", "x")], "0.name"],
    ["an address that is none", [{ name: "a.example", type: "A", values: ["192.0.2.1", "192.0.2.256"] }], "0.values.1"],
    [
      "two records in one value",
      [{ name: "a.example", type: "A", values: ["192.0.2.1\nb.example A 192.0.2.2"] }],
      "0.values.0",
    ],
    ["a quotation mark that is not closed", [txt("a.example", '"v=spf1')], "0.values.0"],
    [
      "an alias beside records",
      [txt("a.example", "x"), { name: "a.example", type: "CNAME", values: ["b.example"] }],
      "1.name",
    ],
    ["two aliases of a name", [{ name: "a.example", type: "CNAME", values: ["b.example", "c.example"] }], "0.values"],
    ["a type given twice", [txt("a.example", "x"), txt("A.example.", "y")], "1.name"],
    ["a wildcard taken away", [txt("*.a.example")], "0.name"],
    ["a star within a name", [txt("a.*.example", "x")], "0.name"],
  ];
  test.each(refused)("records in text form are rejected at the right line for %s", (_, given, at) => {
    expect(parseRecordSets(given)).toMatchObject({ ok: false, at });
  });
});
