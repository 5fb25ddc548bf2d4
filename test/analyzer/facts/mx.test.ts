import { expect, test } from "vitest";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherMx, toProbeLabel } from "../../../src/analyzer/facts/mx.ts";
import { broken, counting, troubles } from "./asking.ts";

const soa = { primary: "ns.a.example", serial: 1, minimum: 300 };
const ten = (exchange: string) => ({ preference: 10, exchange });

async function gather(zone: Zone, domain = "a.example", depth: "hosts" | "existence" = "hosts") {
  const dns = counting(createZoneDns(zone));
  const [row] = await gatherMx([{ domain, depth }], dns);
  return { ...row, asked: dns.asked };
}

test("a domain with two MX hosts has both with addresses, the preferred first", async () => {
  const { of, fact } = await gather({
    "a.example": { SOA: [soa], MX: [{ preference: 20, exchange: "b.a.example" }, ten("MX.a.example")] },
    "mx.a.example": { A: ["203.0.113.1"], AAAA: ["2001:db8::1"] },
    "b.a.example": { A: ["203.0.113.2"] },
  });
  expect(of).toBe("a.example");
  const host = { alias: { known: true, value: null }, literal: false, private: false };
  expect(fact).toEqual({
    known: true,
    value: {
      domain: "a.example",
      exists: true,
      soa: { known: true, value: true },
      wildcard: { known: true, value: false },
      nullMx: false,
      hosts: [
        {
          name: "mx.a.example",
          preference: 10,
          addresses: { known: true, value: ["203.0.113.1", "2001:db8::1"] },
          ...host,
        },
        { name: "b.a.example", preference: 20, addresses: { known: true, value: ["203.0.113.2"] }, ...host },
      ],
      hostsLeftOut: 0,
      addresses: null,
    },
  });
});

test("a domain that does not exist is reported as nonexistent", async () => {
  const { fact } = await gather({});
  expect(fact).toMatchObject({
    known: true,
    value: { exists: false, hosts: [], addresses: { known: true, value: [] } },
  });
});

test("the domain's own addresses count if it has no MX", async () => {
  const { fact } = await gather({ "a.example": { A: ["203.0.113.1"] } });
  expect(fact).toMatchObject({
    value: { exists: true, hosts: [], addresses: { known: true, value: ["203.0.113.1"] } },
  });
});

test("a domain with only TXT records receives no mail", async () => {
  const { fact } = await gather({ "a.example": { TXT: ["hello"] } });
  expect(fact).toMatchObject({ value: { exists: true, addresses: { known: true, value: [] } } });
});

test("a null MX is recognized, and next to another MX it is only a host without addresses", async () => {
  const nothing = { preference: 0, exchange: "." };
  expect((await gather({ "a.example": { MX: [nothing] } })).fact).toMatchObject({
    value: { nullMx: true, hosts: [], addresses: null },
  });
  expect(
    (await gather({ "a.example": { MX: [nothing, ten("mx.a.example")] }, "mx.a.example": {} })).fact,
  ).toMatchObject({ value: { nullMx: false, hosts: [{ name: "." }, { name: "mx.a.example" }] } });
});

test("an MX host that is an alias has the alias target", async () => {
  const { fact } = await gather({
    "a.example": { MX: [ten("mx.a.example")] },
    "mx.a.example": { CNAME: ["real.host.example"] },
    "real.host.example": { A: ["203.0.113.1"] },
  });
  expect(fact).toMatchObject({
    value: { hosts: [{ alias: { known: true, value: "real.host.example" }, addresses: { known: true } }] },
  });
});

test.each(["203.0.113.7", "[203.0.113.7]", "2001:db8::7"])("the MX target %s is not a host", async (exchange) => {
  const { fact, asked } = await gather({ "a.example": { MX: [ten(exchange)] } });
  expect(fact).toMatchObject({ value: { hosts: [{ literal: true }] } });
  expect(asked).toEqual(["a.example MX", "a.example SOA"]);
});

test("a host is marked as private only if all its addresses are private", async () => {
  const zone = (...addresses: string[]) => ({
    "a.example": { MX: [ten("mx.a.example")] },
    "mx.a.example": { A: addresses },
  });
  const hosts = (isPrivate: boolean) => ({ value: { hosts: [{ private: isPrivate }] } });
  expect((await gather(zone("10.0.0.1", "192.168.1.1"))).fact).toMatchObject(hosts(true));
  expect((await gather(zone("10.0.0.1", "203.0.113.1"))).fact).toMatchObject(hosts(false));
  expect((await gather(zone())).fact).toMatchObject(hosts(false));
});

test("a subdomain that exists only through a wildcard is marked", async () => {
  const wild = { "*.a.example": { MX: [ten("mx.b.example")] }, "mx.b.example": { A: ["203.0.113.1"] } };
  const wildcard = (value: boolean) => ({ value: { wildcard: { known: true, value } } });
  expect((await gather(wild, "news.a.example")).fact).toMatchObject(wildcard(true));
  const published = { ...wild, "news.a.example": { MX: [ten("mx.c.example")] } };
  expect((await gather(published, "news.a.example")).fact).toMatchObject(wildcard(false));
  const byAddress = { "*.a.example": { A: ["203.0.113.1"] } };
  expect((await gather(byAddress, "news.a.example")).fact).toMatchObject(wildcard(true));
});

test("checking whether a domain exists costs at most three queries, and gives no hosts", async () => {
  const { fact, asked } = await gather({ "a.example": { MX: [ten("mx.a.example")] } }, "a.example", "existence");
  expect(asked).toEqual(["a.example MX"]);
  expect(fact).toMatchObject({
    value: { exists: true, soa: { known: false, why: "off" }, hosts: [{ addresses: { why: "off" } }] },
  });
  expect((await gather({ "a.example": {} }, "a.example", "existence")).asked).toHaveLength(3);
});

test.each(troubles)("a %s makes the domain unknown, not a domain without mail", async (status, why) => {
  expect(await gatherMx([{ domain: "a.example", depth: "hosts" }], broken(status))).toEqual([
    { of: "a.example", fact: { known: false, why } },
  ]);
});

test("an MX host that does not answer is unknown, not unresolvable", async () => {
  const { fact } = await gather({
    "a.example": { MX: [ten("dead.a.example"), ten("half.a.example"), ten("odd.a.example")], SOA: "timeout" },
    "dead.a.example": "timeout",
    "half.a.example": { A: [], AAAA: "servfail" },
    "odd.a.example": { A: ["203.0.113.1"], CNAME: "refused" },
  });
  expect(fact).toMatchObject({
    value: {
      soa: { known: false, why: "timeout" },
      hosts: [
        { addresses: { known: false, why: "timeout" } },
        { addresses: { known: false, why: "servfail" } },
        { addresses: { known: true }, alias: { known: false, why: "refused" } },
      ],
    },
  });
  const own = await gather({ "a.example": { A: "timeout" } });
  expect(own.fact).toMatchObject({ value: { exists: true, addresses: { known: false, why: "timeout" } } });
});

test("a domain that is named twice is queried once, with the larger depth", async () => {
  const dns = counting(createZoneDns({ "a.example": { MX: [{ preference: 0, exchange: "." }] } }));
  const rows = await gatherMx(
    [
      { domain: "A.example", depth: "hosts" },
      { domain: "a.example", depth: "existence" },
    ],
    dns,
  );
  expect(rows.map(({ of }) => of)).toEqual(["a.example"]);
  expect(dns.asked).toEqual(["a.example MX", "a.example SOA"]);
});

test("a hundred hosts and a thousand domains need a limited number of queries", async () => {
  const MX = Array.from({ length: 100 }, (_, index) => ten(`mx${index}.b.example`));
  const hosts = Object.fromEntries(MX.map(({ exchange }) => [exchange, { A: ["203.0.113.1"] }]));
  const { fact, asked } = await gather({ "a.example": { MX }, ...hosts });
  expect(fact).toMatchObject({ value: { hostsLeftOut: 90 } });
  expect(asked).toHaveLength(32);
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    domain: `d${index}.example`,
    depth: "existence" as const,
  }));
  expect(await gatherMx(many, createZoneDns({}))).toHaveLength(10);
});

test.each(["[203.0.113.7]", "bücher.example", "a b.example", "x\0.example", "", `${"x".repeat(64)}.example`])(
  "the invalid domain %j is not queried",
  async (domain) => {
    const { fact, asked } = await gather({}, domain);
    expect(fact).toEqual({ known: false, why: "parser-failed" });
    expect(asked).toEqual([]);
  },
);

test("the label of a wildcard probe is constant for a domain and differs between domains", () => {
  expect(toProbeLabel("A.example")).toBe(toProbeLabel("a.example"));
  expect(toProbeLabel("a.example")).not.toBe(toProbeLabel("b.example"));
});
