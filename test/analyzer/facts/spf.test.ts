// What the RFC's own test suite leaves out, by section of RFC 7208.

import { describe, expect, test } from "vitest";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { checkHelo, checkMailFrom } from "../../../src/analyzer/facts/spf.ts";

type Sender = { readonly address?: string; readonly mailFrom?: string; readonly helo?: string | null };

const now = Date.UTC(2026, 0, 1);

function toClient({ address = "192.0.2.1", mailFrom = "ann@example.com", helo = "mail.example.com" }: Sender) {
  return { address, mailFrom, helo, receiver: "mx.assay.example", now };
}

function check(zone: Zone, sender: Sender = {}) {
  return checkMailFrom(toClient(sender), createZoneDns(zone));
}

/** The record at example.com, with other names. */
function checkRecord(record: string, others: Zone = {}, sender: Sender = {}) {
  return check({ "example.com": { TXT: [record] }, ...others }, sender);
}

function counting(dns: Dns): Dns & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    query: (name, type) => {
      asked.push(`${name} ${type}`);
      return dns.query(name, type);
    },
  };
}

const spf = (record: string) => ({ TXT: [record] });

describe("SPF identities (RFC 7208 §2.3, §2.4, §4.1)", () => {
  test("the null reverse-path means postmaster at the HELO name", async () => {
    const zone = {
      "mail.example.com": spf("v=spf1 exists:%{l}.at.%{o} -all"),
      "postmaster.at.mail.example.com": { A: ["127.0.0.2"] },
    };
    expect(await check(zone, { mailFrom: "" })).toMatchObject({
      result: "pass",
      identity: "helo",
      domain: "mail.example.com",
    });
  });

  test("the HELO name is checked separately, whatever the envelope sender is", async () => {
    const dns = createZoneDns({
      "mail.example.com": spf("v=spf1 ip4:192.0.2.1 -all"),
      "example.com": spf("v=spf1 -all"),
    });
    expect(await checkHelo(toClient({}), dns)).toMatchObject({ result: "pass", identity: "helo" });
    expect(await checkMailFrom(toClient({}), dns)).toMatchObject({ result: "fail", identity: "mailfrom" });
  });

  test.each([
    [{ mailFrom: "ann" }],
    [{ mailFrom: "ann@" }],
    [{ mailFrom: "ann@localhost" }],
    [{ mailFrom: "ann@[192.0.2.1]" }],
    [{ mailFrom: "ann@192.0.2.1" }],
    [{ mailFrom: "ann@a b.example" }],
    [{ mailFrom: "", helo: null }],
    [{ mailFrom: "", helo: "" }],
    [{ address: "unknown" }],
  ])("the sender %j has nothing to check and causes no query", async (sender) => {
    const dns = counting(createZoneDns({ "example.com": spf("v=spf1 -all") }));
    expect(await checkMailFrom(toClient(sender), dns)).toMatchObject({ result: "none", problem: expect.any(String) });
    expect(dns.asked).toEqual([]);
  });

  test("the domain follows the last @, without its final dot and in lowercase", async () => {
    const zone = { "example.com": spf("v=spf1 +all") };
    expect(await check(zone, { mailFrom: '"a@b"@EXAMPLE.com.' })).toMatchObject({
      result: "pass",
      domain: "example.com",
    });
  });

  test("an IPv4-mapped client is an IPv4 client (§5)", async () => {
    const sender = { address: "::ffff:192.0.2.1" };
    expect(await checkRecord("v=spf1 ip4:192.0.2.1 -all", {}, sender)).toMatchObject({ result: "pass" });
    expect(await checkRecord("v=spf1 ip6:::ffff:192.0.2.1 ip6:::/0 -all", {}, sender)).toMatchObject({
      result: "fail",
    });
  });
});

describe("SPF names beyond ASCII (RFC 8616 §4)", () => {
  test("a U-label is checked as its A-label", async () => {
    const zone = {
      "xn--bcher-kva.example": spf("v=spf1 exists:%{d}.%{o} -all"),
      "xn--bcher-kva.example.xn--bcher-kva.example": { A: ["127.0.0.2"] },
    };
    expect(await check(zone, { mailFrom: "ann@bücher.example" })).toMatchObject({
      result: "pass",
      domain: "xn--bcher-kva.example",
    });
  });

  test("a term with a non-ASCII local part matches nothing", async () => {
    const record = "v=spf1 a:%{l}.example.com exists:%{s}.example.com include:%{l}.example.com ?all";
    expect(await checkRecord(record, {}, { mailFrom: "änn@example.com" })).toMatchObject({
      result: "neutral",
      matchedTerm: "?all",
    });
  });

  test("a non-ASCII redirect or explanation is ignored", async () => {
    const sender = { mailFrom: "änn@example.com" };
    expect(await checkRecord("v=spf1 redirect=%{l}.example.com", {}, sender)).toMatchObject({ result: "neutral" });
    const others = { "why.example.com": spf("ask %{l}") };
    const result = await checkRecord("v=spf1 -all exp=why.example.com", others, sender);
    expect(result).toMatchObject({ result: "fail", explanation: null });
  });
});

describe("the SPF record (RFC 7208 §4.4, §4.5, §4.6)", () => {
  test("a missing name and a name without a record give none", async () => {
    expect(await check({})).toMatchObject({ result: "none", problem: "example.com does not exist.", record: null });
    const zone = { "example.com": { TXT: [" v=spf1 -all", "v=spf10"] } };
    expect(await check(zone)).toMatchObject({ result: "none", problem: "example.com publishes no SPF record." });
  });

  test("two records give a permerror that contains their number", async () => {
    const zone = { "example.com": { TXT: ["v=spf1 mx", "V=SPF1", "other"] } };
    expect(await check(zone)).toMatchObject({
      result: "permerror",
      cause: "several",
      problem: "example.com publishes 2 SPF records.",
    });
  });

  test.each(["timeout", "servfail", "refused", "unreachable"] as const)(
    "the DNS error %s for the SPF record gives a temperror",
    async (trouble) => {
      expect(await check({ "example.com": trouble })).toMatchObject({
        result: "temperror",
        cause: null,
        problem: `The DNS lookup of the TXT records for example.com failed (${trouble}).`,
      });
    },
  );

  test("a syntax error after the matching term gives a permerror and is named", async () => {
    expect(await checkRecord("v=spf1 ip4:192.0.2.1 ipv4:192.0.2.2 -all")).toMatchObject({
      result: "permerror",
      cause: "syntax",
      problem: expect.stringContaining('In the SPF record for example.com, "ipv4:192.0.2.2" is invalid'),
      record: "v=spf1 ip4:192.0.2.1 ipv4:192.0.2.2 -all",
    });
  });

  test("term names are case-insensitive", async () => {
    const others = { "b.example": spf("v=spf1 IP4:192.0.2.0/24") };
    expect(await checkRecord("v=spf1 REDIRECT=b.example", others)).toMatchObject({ result: "pass" });
  });
});

describe("lazy SPF evaluation", () => {
  test("the SPF check makes no queries for terms after a match, and does not count them", async () => {
    const dns = counting(
      createZoneDns({ "example.com": spf("v=spf1 ip4:192.0.2.1 a mx include:b.example exp=c.example -all") }),
    );
    expect(await checkMailFrom(toClient({}), dns)).toMatchObject({ result: "pass", lookups: 0, voids: 0 });
    expect(dns.asked).toEqual(["example.com TXT"]);
  });

  test("the SPF check resolves only reverse DNS names that could match", async () => {
    const dns = counting(
      createZoneDns({
        "example.com": spf("v=spf1 ptr -all"),
        "1.2.0.192.in-addr.arpa": { PTR: ["mail.example.com", "other.example"] },
        "mail.example.com": { A: ["192.0.2.1"] },
      }),
    );
    expect(await checkMailFrom(toClient({}), dns)).toMatchObject({ result: "pass" });
    expect(dns.asked).toEqual(["example.com TXT", "1.2.0.192.in-addr.arpa PTR", "mail.example.com A"]);
  });

  test("the SPF check makes no query for an invalid name, which matches nothing", async () => {
    const dns = counting(
      createZoneDns({ "example.com": spf("v=spf1 a:%{h}.example.com mx:a..example.com exists:%{l}.x.example ?all") }),
    );
    const client = toClient({ helo: "nul\0", mailFrom: `${"x".repeat(64)}@example.com` });
    expect(await checkMailFrom(client, dns)).toMatchObject({ result: "neutral", voids: 0 });
    expect(dns.asked).toEqual(["example.com TXT"]);
  });
});

describe("SPF limits (RFC 7208 §4.6.4)", () => {
  const hosts = (count: number) => Array.from({ length: count }, (_, index) => `h${index}.example.com`);
  const living = Object.fromEntries(hosts(40).map((host) => [host, { A: ["198.51.100.1"], AAAA: ["2001:db8::9"] }]));

  test("ten lookups are allowed and the eleventh gives a permerror, over all records together", async () => {
    const inner = `v=spf1 ${hosts(5)
      .map((host) => `a:${host}`)
      .join(" ")}`;
    const others = { ...living, "b.example": spf(inner) };
    const outer = (count: number) =>
      `v=spf1 include:b.example ${hosts(count)
        .map((host) => `a:${host}`)
        .join(" ")} ?all`;
    expect(await checkRecord(outer(4), others)).toMatchObject({ result: "neutral", lookups: 10 });
    expect(await checkRecord(outer(5), others)).toMatchObject({
      result: "permerror",
      cause: "lookups",
      problem:
        'More than 10 terms need DNS lookups. The first one over the limit is "a:h4.example.com" in the record for example.com.',
    });
  });

  test("a redirect counts as a lookup, except beside `all`", async () => {
    const ten = hosts(10)
      .map((host) => `a:${host}`)
      .join(" ");
    expect(await checkRecord(`v=spf1 ${ten} redirect=h0.example.com`, living)).toMatchObject({ cause: "lookups" });
    expect(await checkRecord(`v=spf1 redirect=h0.example.com ${ten} ~all`, living)).toMatchObject({
      result: "softfail",
    });
  });

  test("the SPF macro %{p} looks up the client's name, which is one more lookup", async () => {
    const terms = Array.from({ length: 5 }, (_, index) => `exists:%{p}.x${index}.example`).join(" ");
    const others = Object.fromEntries(
      Array.from({ length: 4 }, (_, index) => [`unknown.x${index}.example`, { AAAA: ["2001:db8::1"] }]),
    );
    expect(await checkRecord(`v=spf1 ${terms} a`, others)).toMatchObject({
      result: "permerror",
      cause: "voids",
      lookups: 6,
    });
    const found = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [`unknown.x${index}.example`, { A: ["127.0.0.2"] }]),
    );
    const negated = terms.replaceAll("exists:", "a:");
    expect(await checkRecord(`v=spf1 ${negated} a`, found)).toMatchObject({
      result: "permerror",
      cause: "lookups",
      lookups: 11,
    });
  });

  test.each([
    ["a host that does not exist", "a:gone%.example.com"],
    ["a host without an address of the client's family", "a:six%.example.com"],
    ["a domain without MX", "mx:six%.example.com"],
    ["a name that does not exist", "exists:gone%.example.com"],
  ])("two void lookups are allowed: %s", async (_, term) => {
    const others = Object.fromEntries([1, 2, 3].map((index) => [`six${index}.example.com`, { AAAA: ["2001:db8::1"] }]));
    const terms = (count: number) =>
      Array.from({ length: count }, (__, index) => term.replace("%", String(index + 1))).join(" ");
    expect(await checkRecord(`v=spf1 ${terms(2)} ?all`, others)).toMatchObject({ result: "neutral", voids: 2 });
    expect(await checkRecord(`v=spf1 ${terms(3)} ?all`, others)).toMatchObject({
      result: "permerror",
      cause: "voids",
      problem: expect.stringContaining(term.replace("%", "3")),
    });
  });

  test("an explanation, include, or MX host that is not found is not a void lookup", async () => {
    const others = {
      "mx.example.com": { MX: ["a", "b", "c"].map((host) => ({ preference: 1, exchange: `${host}.gone.example` })) },
      "b.example": spf("v=spf1 a:gone.example"),
    };
    const record = "v=spf1 mx:mx.example.com include:b.example a:gone.example exp=gone.example -all";
    expect(await checkRecord(record, others)).toMatchObject({ result: "fail", voids: 2 });
  });

  test("an mx may have ten hosts, and eleven give a permerror even if the first one matches", async () => {
    const mx = (count: number) => ({ MX: hosts(count).map((exchange, preference) => ({ preference, exchange })) });
    const ours = { ...living, "h0.example.com": { A: ["192.0.2.1"] } };
    expect(await checkRecord("v=spf1 mx:ten.example", { ...ours, "ten.example": mx(10) })).toMatchObject({
      result: "pass",
    });
    expect(await checkRecord("v=spf1 mx:many.example", { ...ours, "many.example": mx(11) })).toMatchObject({
      result: "permerror",
      cause: "lookups",
      problem: '"mx:many.example" in the record for example.com resolves to 11 MX hosts, but the limit is 10.',
    });
  });

  test("only the first ten of the client's names count", async () => {
    const names = [...hosts(10), "mail.example.com"];
    const zone = (order: readonly string[]) => ({
      ...living,
      "1.2.0.192.in-addr.arpa": { PTR: order },
      "mail.example.com": { A: ["192.0.2.1"] },
    });
    expect(await checkRecord("v=spf1 ptr -all", zone(names))).toMatchObject({ result: "fail" });
    expect(await checkRecord("v=spf1 ptr -all", zone(names.toReversed()))).toMatchObject({ result: "pass" });
  });
});

describe("SPF mechanisms (RFC 7208 §5)", () => {
  test.each([
    ["v=spf1 ip4:192.0.2.1 -all", "pass", null],
    ["v=spf1 -all", "softfail", null],
    ["v=spf1 ~all", "softfail", null],
    ["v=spf1 ?all", "softfail", null],
    ["v=spf1", "softfail", null],
    ["v=spf1 a:slow.example", "temperror", null],
    ["v=spf1 moo", "permerror", "syntax"],
    ["no record", "permerror", "includes"],
  ])("an include of %j gives %s (table in §5.2)", async (inner, result, cause) => {
    const others = { "b.example": spf(inner), "slow.example": "timeout" as const };
    expect(await checkRecord("v=spf1 include:b.example ~all", others)).toMatchObject({ result, cause });
  });

  test("an include of a missing name, or one with two records, is named", async () => {
    expect(await checkRecord("v=spf1 include:gone.example -all")).toMatchObject({
      cause: "includes",
      problem:
        '"include:gone.example" in the record for example.com does not point to an SPF record: gone.example does not exist.',
    });
    const others = { "b.example": { TXT: ["v=spf1 mx", "v=spf1 a"] } };
    expect(await checkRecord("v=spf1 include:b.example -all", others)).toMatchObject({
      cause: "includes",
      problem: "b.example publishes 2 SPF records.",
    });
  });

  test("a loop of includes is named", async () => {
    const others = { "b.example": spf("v=spf1 include:Example.COM") };
    expect(await checkRecord("v=spf1 include:b.example -all", others)).toMatchObject({
      result: "permerror",
      cause: "includes",
      problem: '"include:Example.COM" in the record for b.example leads back to Example.COM in a loop.',
    });
  });

  test("the same include on two branches is not a loop", async () => {
    const others = { "b.example": spf("v=spf1 include:c.example"), "c.example": spf("v=spf1 ip4:198.51.100.1") };
    const record = "v=spf1 include:b.example include:c.example ~all";
    expect(await checkRecord(record, others)).toMatchObject({ result: "softfail", lookups: 3 });
  });

  test("the deciding term is inside the includes, or the include itself if it fails", async () => {
    const others = { "b.example": spf("v=spf1 include:c.example"), "c.example": spf("v=spf1 ip4:192.0.2.0/24 -all") };
    expect(await checkRecord("v=spf1 include:b.example -all", others)).toMatchObject({
      matchedTerm: "ip4:192.0.2.0/24",
      matchedIn: "c.example",
    });
    expect(await checkRecord("v=spf1 -include:b.example +all", others)).toMatchObject({
      result: "fail",
      matchedTerm: "-include:b.example",
      matchedIn: "example.com",
    });
    expect(await checkRecord("v=spf1 ip4:198.51.100.1", others)).toMatchObject({
      result: "neutral",
      matchedTerm: null,
    });
  });

  test("a matching MX host decides even if DNS does not answer for another", async () => {
    const mx = (...exchanges: string[]) => ({ MX: exchanges.map((exchange) => ({ preference: 1, exchange })) });
    const others = {
      "slow.example": "timeout" as const,
      "good.example": { A: ["192.0.2.1"] },
      "bad.example": { A: ["192.0.2.2"] },
    };
    const record = "v=spf1 mx:m.example -all";
    expect(await checkRecord(record, { ...others, "m.example": mx("slow.example", "good.example") })).toMatchObject({
      result: "pass",
    });
    expect(await checkRecord(record, { ...others, "m.example": mx("slow.example", "bad.example") })).toMatchObject({
      result: "temperror",
    });
  });

  test("a null MX (RFC 7505) has no host", async () => {
    const dns = counting(
      createZoneDns({ "example.com": { TXT: ["v=spf1 mx -all"], MX: [{ preference: 0, exchange: "." }] } }),
    );
    expect(await checkMailFrom(toClient({}), dns)).toMatchObject({ result: "fail", voids: 0 });
    expect(dns.asked).toEqual(["example.com TXT", "example.com MX"]);
  });

  test("a DNS error for the client's own names is no error", async () => {
    const timeout = { "1.2.0.192.in-addr.arpa": "timeout" as const };
    expect(await checkRecord("v=spf1 ptr -all", timeout)).toMatchObject({ result: "fail", voids: 0 });
    const slowName = {
      "1.2.0.192.in-addr.arpa": { PTR: ["slow.example.com", "mail.example.com"] },
      "slow.example.com": "servfail" as const,
      "mail.example.com": { A: ["192.0.2.1"] },
    };
    expect(await checkRecord("v=spf1 ptr -all", slowName)).toMatchObject({ result: "pass" });
  });

  test("a name with the same ending is not a subdomain", async () => {
    const others = { "1.2.0.192.in-addr.arpa": { PTR: ["badexample.com"] }, "badexample.com": { A: ["192.0.2.1"] } };
    expect(await checkRecord("v=spf1 ptr -all", others)).toMatchObject({ result: "fail" });
  });

  test.each([
    ["2001:db8:8000::1", "v=spf1 ip6:2001:db8::/33 -all", "fail"],
    ["2001:db8:7fff::1", "v=spf1 ip6:2001:db8::/33 -all", "pass"],
    ["2001:db8::1", "v=spf1 ip4:0.0.0.0/0 -all", "fail"],
    ["192.0.2.129", "v=spf1 ip4:192.0.2.200/25 -all", "pass"],
    ["192.0.2.127", "v=spf1 ip4:192.0.2.200/25 -all", "fail"],
    ["255.255.255.255", "v=spf1 ip4:0.0.0.0/0 -all", "pass"],
  ])("a client at %s under %j gets %s", async (address, record, result) => {
    expect(await checkRecord(record, {}, { address })).toMatchObject({ result });
  });
});

describe("an SPF redirect (RFC 7208 §6.1)", () => {
  test("a redirect uses the result, term, and explanation of the other record", async () => {
    const others = { "b.example": spf("v=spf1 -all exp=why.b.example"), "why.b.example": spf("%{d} says no to %{o}") };
    expect(await checkRecord("v=spf1 redirect=b.example exp=why.example.com", others)).toMatchObject({
      result: "fail",
      domain: "example.com",
      matchedTerm: "-all",
      matchedIn: "b.example",
      explanation: "b.example says no to example.com",
      record: "v=spf1 redirect=b.example exp=why.example.com",
    });
  });

  test.each(["gone.example", "a..example", "%{h}"])("a redirect to %s gives a permerror", async (target) => {
    expect(await checkRecord(`v=spf1 redirect=${target}`, {}, { helo: "localhost" })).toMatchObject({
      result: "permerror",
      cause: "includes",
    });
  });
});

describe("SPF explanations (RFC 7208 §6.2)", () => {
  test("SPF explanations use the macros of the failing domain, and know the time and receiver", async () => {
    const others = { "why.example.com": { TXT: [["%{s} (%{h}) at %{t} ", "by %{r}: %{c}, 100%%"]] } };
    const { explanation } = await checkRecord("v=spf1 -all exp=why.%{d}", others);
    expect(explanation).toBe(
      `ann@example.com (mail.example.com) at ${now / 1000} by mx.assay.example: 192.0.2.1, 100%`,
    );
  });

  test("SPF explanations exist only for a fail", async () => {
    const dns = counting(
      createZoneDns({ "example.com": spf("v=spf1 ~all exp=why.example.com"), "why.example.com": spf("no") }),
    );
    expect(await checkMailFrom(toClient({}), dns)).toMatchObject({ result: "softfail", explanation: null });
    expect(dns.asked).toEqual(["example.com TXT"]);
  });

  test("SPF explanations are cut if they are too long", async () => {
    const others = { "why.example.com": spf("%{s}".repeat(10_000)) };
    const { explanation } = await checkRecord("v=spf1 -all exp=why.example.com", others);
    expect(explanation?.length).toBeLessThanOrEqual(1_000);
  });
});

describe("SPF macros (RFC 7208 §7)", () => {
  test("an SPF macro counts every digit of an IPv6 address separately", async () => {
    const digits = "1.0.b.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2";
    const others = { [`${digits}.ip6._spf.example.com`]: { A: ["127.0.0.2"] } };
    const sender = { address: "2001:DB8:0:0::CB01", mailFrom: "ann@email.example.com" };
    const zone = { "email.example.com": spf("v=spf1 exists:%{ir}.%{v}._spf.%{d2} -all"), ...others };
    expect(await check(zone, sender)).toMatchObject({ result: "pass" });
  });

  test("a quoted local part is used without its quotes", async () => {
    const others = { "ann.lee.at.example.com": { A: ["127.0.0.2"] } };
    const sender = { mailFrom: '"ann\\.lee"@example.com' };
    expect(await checkRecord("v=spf1 exists:%{l}.at.%{o} -all", others, sender)).toMatchObject({ result: "pass" });
  });

  test.each([
    ["the domain itself", ["far.example", "a.example.com", "example.com"], "example.com"],
    ["otherwise a name below it", ["far.example", "a.b.example.com", "a.example.com"], "a.example.com"],
    ["otherwise any name that resolves back", ["liar.example", "far.example"], "far.example"],
    ["otherwise the word unknown", ["liar.example"], "unknown"],
  ])("the SPF macro %%{p} is %s", async (_, names, expected) => {
    const addresses = ["far.example", "example.com", "a.example.com", "a.b.example.com"];
    const others = {
      ...Object.fromEntries(addresses.map((name) => [name, { A: ["192.0.2.1"] }])),
      "example.com": { ...spf("v=spf1 -all exp=why.example.com"), A: ["192.0.2.1"] },
      "liar.example": { A: ["198.51.100.1"] },
      "1.2.0.192.in-addr.arpa": { PTR: names },
      "why.example.com": spf("%{p}"),
    };
    expect(await check(others)).toMatchObject({ explanation: expected });
  });

  test('the SPF macro %{p} is "unknown" if DNS does not answer, without an error', async () => {
    const others = { "1.2.0.192.in-addr.arpa": "timeout" as const, "unknown.x.example": { A: ["127.0.0.2"] } };
    expect(await checkRecord("v=spf1 exists:%{p}.x.example -all", others)).toMatchObject({ result: "pass" });
  });
});
