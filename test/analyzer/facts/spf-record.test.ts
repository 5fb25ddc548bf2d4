import { describe, expect, test } from "vitest";
import type { SpfNode, SpfRecord } from "../../../src/analyzer/checks/authentication-facts.ts";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherSpfRecord } from "../../../src/analyzer/facts/spf-record.ts";

const spf = (record: string) => ({ TXT: [record] });

async function gather(zone: Zone, domain = "example.com"): Promise<SpfRecord> {
  const fact = await gatherSpfRecord(domain, createZoneDns(zone));
  if (!fact.known) throw new Error(fact.why);
  return fact.value;
}

/** For the record at example.com, with other names. */
function gatherRecord(record: string, others: Zone = {}) {
  return gather({ "example.com": spf(record), ...others });
}

function counting(dns: Dns): Dns & { readonly asked: string[] } {
  const asked: string[] = [];
  const query: Dns["query"] = (name, type) => {
    asked.push(`${name} ${type}`);
    return dns.query(name, type);
  };
  return { asked, query };
}

function outline({ domain, lookups, children }: SpfNode): unknown {
  return [domain, lookups, ...children.map(outline)];
}

describe("the SPF record of a domain", () => {
  test("the SPF record of a domain has its strings as published and its parsed terms", async () => {
    const parts = ["v=spf1 ip4:192.0.2.1", "include:b.example -all"];
    const record = await gather({ "example.com": { TXT: [parts, "verification=1", "spf2.0/pra mx"] } });
    expect(record).toMatchObject({ records: [parts.join("")], strings: parts, nearMisses: [], senderId: true });
    expect(record.terms[0]).toMatchObject({ name: "ip4", problem: expect.stringContaining("is not an IPv4 address") });
    expect(record.terms[0]).not.toHaveProperty("network");
  });

  test("the SPF record of a domain has no tree if the domain has several records", async () => {
    const record = await gather({ "example.com": { TXT: ["v=spf1 mx", "v=spf1 a"] } });
    expect(record).toMatchObject({
      records: ["v=spf1 mx", "v=spf1 a"],
      tree: null,
      terms: [],
      lookups: 0,
      passesAnyone: null,
    });
  });

  test("the SPF record of a domain shows a near miss, which is not a record", async () => {
    const record = await gather({ "example.com": { TXT: [" v=spf1 -all", "hello"] } });
    expect(record).toMatchObject({ records: [], nearMisses: [" v=spf1 -all"], tree: null });
  });

  test("the SPF record of a domain has the byte size of the DNS answer", async () => {
    const texts = ["v=spf1 -all", ["a".repeat(255), "b".repeat(10)]];
    // Header 12, question 17, and 12 for each record plus a byte before each string.
    expect((await gather({ "example.com": { TXT: texts } })).bytes).toBe(12 + 17 + (12 + 12) + (12 + 256 + 11));
  });

  test("the SPF record of a domain is unknown with a reason if DNS does not answer, and missing for an invalid name", async () => {
    expect(await gatherSpfRecord("example.com", createZoneDns({ "example.com": "servfail" }))).toEqual({
      known: false,
      why: "servfail",
    });
    expect(await gather({}, "no domain")).toMatchObject({ records: [], tree: null, isWhole: true });
  });
});

describe("the SPF include tree", () => {
  test("the SPF include tree counts one lookup per include and redirect, and everything below it", async () => {
    const record = await gatherRecord(
      "v=spf1 a mx include:b.example include:c.example ip4:192.0.2.1 redirect=d.example",
      {
        "b.example": spf("v=spf1 include:c.example exists:%{i}.x.example ptr"),
        "c.example": spf("v=spf1 a:%{p}.example"),
        "d.example": spf("v=spf1 -all"),
      },
    );
    expect(record.tree && outline(record.tree)).toEqual([
      "example.com",
      12,
      ["b.example", 5, ["c.example", 2]],
      ["c.example", 2],
      ["d.example", 0],
    ]);
    expect(record.lookups).toBe(12);
    expect(record.tree?.children.map(({ via }) => via)).toEqual([
      "include:b.example",
      "include:c.example",
      "redirect=d.example",
    ]);
  });

  test("the SPF include tree does not follow terms after `all`, or a redirect beside it", async () => {
    const record = await gatherRecord("v=spf1 redirect=b.example -all include:c.example a");
    expect(record).toMatchObject({ lookups: 0, voids: [], tree: { children: [] }, isWhole: true });
    expect(record.terms).toHaveLength(4);
  });

  test("the SPF include tree follows macros of the domain, and only counts macros of a message", async () => {
    const dns = counting(
      createZoneDns({
        "example.com": spf("v=spf1 include:%{d2}.spf.%{o} include:%{i}.x.example a:%{l}.example -all"),
        "example.com.spf.example.com": spf("v=spf1"),
      }),
    );
    expect(await gatherSpfRecord("example.com", dns)).toMatchObject({ value: { lookups: 3, isWhole: true } });
    expect(dns.asked).toEqual(["example.com TXT", "example.com.spf.example.com TXT"]);
  });

  test("the SPF include tree distinguishes targets that are missing, empty, duplicate, or unanswered", async () => {
    const record = await gatherRecord(
      "v=spf1 include:gone.example include:empty.example include:two.example include:slow.example include:a..b -all",
      {
        "empty.example": { A: ["192.0.2.1"] },
        "two.example": { TXT: ["v=spf1", "v=spf1 a"] },
        "slow.example": "timeout",
      },
    );
    expect(record.tree?.children).toMatchObject([
      { exists: false, recordCount: { known: true, value: 0 } },
      { exists: true, recordCount: { known: true, value: 0 } },
      { exists: true, recordCount: { known: true, value: 2 }, record: null },
      { recordCount: { known: false, why: "timeout" } },
      { exists: false, recordCount: { known: true, value: 0 } },
    ]);
    expect(record.isWhole).toBe(false);
  });

  test("the SPF include tree says whether the domain of a missing target can be registered", async () => {
    const record = await gatherRecord(
      "v=spf1 include:free.example include:old.free.example include:old.taken.example include:x.slow.example -all",
      { "taken.example": { A: ["192.0.2.1"] }, "slow.example": "timeout" },
    );
    expect(record.tree?.children).toMatchObject([
      { isFree: { known: true, value: true } },
      { isFree: { known: true, value: true } },
      { isFree: { known: true, value: false } },
      { exists: false, isFree: { known: false, why: "timeout" } },
    ]);
  });

  test("the SPF include tree stops where a loop closes", async () => {
    const record = await gatherRecord("v=spf1 include:b.example -all", {
      "b.example": spf("v=spf1 include:EXAMPLE.com"),
    });
    expect(record.tree?.children[0]?.children).toMatchObject([{ domain: "EXAMPLE.com", isLoop: true, children: [] }]);
    expect(record).toMatchObject({ lookups: 2, isWhole: true });
  });

  test("the SPF include tree of endless includes stops at the query limit and says so", async () => {
    const fan = (name: string) =>
      spf(
        `v=spf1 ${Array.from({ length: 9 }, (_, index) => `include:${index}.${name} a:h${index}.${name}`).join(" ")}`,
      );
    const dns = counting({ query: (name, type) => createZoneDns({ [name]: fan(name) }).query(name, type) });
    const fact = await gatherSpfRecord("example.com", dns);
    expect(fact).toMatchObject({ value: { isWhole: false } });
    expect(dns.asked.length).toBeLessThanOrEqual(60);
    expect(JSON.stringify(fact).length).toBeLessThan(1_000_000);
  });

  test("the SPF include tree of 60 KB records is read up to a limit and says so", async () => {
    const inner = Array.from({ length: 9 }, (_, index) => `b${index}.example`);
    const outer = `v=spf1 ${inner.map((name) => `include:${name}`).join(" ")} -all`;
    const long = spf(`v=spf1 ${"a ".repeat(30_000)}`);
    const record = await gatherRecord(outer, Object.fromEntries(inner.map((name) => [name, long])));
    expect(record).toMatchObject({ isWhole: false, tree: { children: { length: 9 } } });
    expect(record.lookups).toBe(9 + 3 * 30_000);
  });

  test("the SPF include tree keeps only part of a record of 60 KB", async () => {
    const record = await gatherRecord(`v=spf1 ${"ip4:192.0.2.1 ".repeat(4_000)}-all`);
    expect(JSON.stringify(record).length).toBeLessThan(100_000);
  });
});

describe("void lookups", () => {
  test("void lookups are hosts without addresses, names without MX, and missing exists names", async () => {
    const record = await gatherRecord(
      "v=spf1 a:old.example a:four.example a:six.example mx:four.example exists:old.example a include:b.example -all",
      { "four.example": { A: ["192.0.2.1"] }, "six.example": { AAAA: ["2001:db8::1"] }, "b.example": spf("v=spf1 mx") },
    );
    expect(record.voids).toEqual([
      { term: "a:old.example", domain: "example.com", name: "old.example" },
      { term: "mx:four.example", domain: "example.com", name: "four.example" },
      { term: "exists:old.example", domain: "example.com", name: "old.example" },
      { term: "a", domain: "example.com", name: "example.com" },
      { term: "mx", domain: "b.example", name: "b.example" },
    ]);
  });

  test("void lookups do not include names without an answer", async () => {
    expect(await gatherRecord("v=spf1 a:slow.example -all", { "slow.example": "timeout" })).toMatchObject({
      voids: [],
      isWhole: false,
    });
  });

  test("void lookups do not include an mx with more than ten hosts, which is reported with their number", async () => {
    const mx = (count: number) => ({
      MX: Array.from({ length: count }, (_, preference) => ({ preference, exchange: `h${preference}.example` })),
    });
    const record = await gatherRecord("v=spf1 mx:ten.example mx:many.example -all", {
      "ten.example": mx(10),
      "many.example": mx(12),
    });
    expect(record.mxOverLimit).toEqual([{ term: "mx:many.example", domain: "example.com", hosts: 12 }]);
  });
});

describe("an SPF record that passes anyone", () => {
  const others: Zone = {
    "open.example": spf("v=spf1 +all"),
    "closed.example": spf("v=spf1 ip4:192.0.2.0/24 -all"),
    "faulty.example": spf("v=spf1 moo +all"),
    "host.example": { A: ["192.0.2.1"] },
  };

  test.each([
    ["v=spf1 mx +all", "+all"],
    ["v=spf1 all", "all"],
    ["v=spf1 ip4:0.0.0.0/0 -all", "ip4:0.0.0.0/0"],
    ["v=spf1 ip6:::/0 -all", "ip6:::/0"],
    ["v=spf1 a:host.example/0 -all", "a:host.example/0"],
    ["v=spf1 include:open.example -all", "include:open.example"],
    ["v=spf1 include:closed.example include:open.example -all", "include:open.example"],
    ["v=spf1 redirect=open.example", "redirect=open.example"],
    ["v=spf1 -ip4:0.0.0.0/0 +all", "+all"],
  ])("an SPF record that passes anyone is recognized in %j", async (record, term) => {
    expect(await gatherRecord(record, others)).toMatchObject({ passesAnyone: term });
  });

  test.each([
    "v=spf1 mx -all",
    "v=spf1 ?all",
    "v=spf1 -all +all",
    "v=spf1 ip4:0.0.0.0/1 -all",
    "v=spf1 -include:open.example +all",
    "v=spf1 include:closed.example ~all",
    "v=spf1 include:faulty.example +all",
    "v=spf1 include:gone.example +all",
    "v=spf1 a:gone.example/0 -all",
    "v=spf1 moo +all",
  ])("%j is not an SPF record that passes anyone", async (record) => {
    expect(await gatherRecord(record, others)).toMatchObject({ passesAnyone: null });
  });
});
