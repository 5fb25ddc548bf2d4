import { expect, test } from "vitest";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherPtr } from "../../../src/analyzer/facts/gather.ts";
import { broken, counting, troubles } from "./asking.ts";

const reverse = "7.113.0.203.in-addr.arpa";
const gather = (zone: Zone, address: string | null = "203.0.113.7") => gatherPtr(address, createZoneDns(zone));

test("a reverse DNS name that resolves to the client is confirmed", async () => {
  const fact = await gather({
    [reverse]: { PTR: ["mail.a.example"] },
    "mail.a.example": { A: ["198.51.100.1", "203.0.113.7"] },
  });
  expect(fact).toEqual({
    known: true,
    value: {
      count: 1,
      names: ["mail.a.example"],
      forward: [{ name: "mail.a.example", addresses: { known: true, value: ["198.51.100.1", "203.0.113.7"] } }],
      confirmed: ["mail.a.example"],
      generic: null,
      pattern: null,
    },
  });
});

test("a reverse DNS name that resolves elsewhere is not confirmed, and its addresses are listed", async () => {
  expect(
    await gather({ [reverse]: { PTR: ["mail.a.example"] }, "mail.a.example": { A: ["198.51.100.9"] } }),
  ).toMatchObject({
    known: true,
    value: { confirmed: [], forward: [{ addresses: { known: true, value: ["198.51.100.9"] } }] },
  });
});

test("the second of two reverse DNS names may be confirmed, and is then shown", async () => {
  const fact = await gather({
    [reverse]: { PTR: ["z.a.example", "b.a.example"] },
    "z.a.example": { A: ["203.0.113.7"] },
  });
  expect(fact).toMatchObject({ value: { names: ["b.a.example", "z.a.example"], confirmed: ["z.a.example"] } });
});

test("an IPv6 client is looked up in its own family, however its address is written", async () => {
  const zone = {
    "7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa": { PTR: ["six.a.example"] },
    "six.a.example": { A: ["203.0.113.7"], AAAA: ["2001:0db8:0:0::7"] },
  };
  for (const address of ["2001:db8::7", "2001:0DB8:0:0:0:0:0:7"])
    expect(await gather(zone, address)).toMatchObject({ value: { confirmed: ["six.a.example"] } });
});

test("a classless delegation by CNAME (RFC 2317) is followed", async () => {
  expect(
    await gather({
      [reverse]: { CNAME: ["7.0-127.113.0.203.in-addr.arpa"] },
      "7.0-127.113.0.203.in-addr.arpa": { PTR: ["mail.a.example"] },
      "mail.a.example": { CNAME: ["real.a.example"] },
      "real.a.example": { A: ["203.0.113.7"] },
    }),
  ).toMatchObject({ value: { confirmed: ["mail.a.example"] } });
});

test.each([
  ["does not exist", {}],
  ["is empty", { [reverse]: {} }],
])("reverse DNS that %s counts as missing", async (_, zone) => {
  const fact = await gather(zone);
  expect(fact).toMatchObject({ known: true, value: { names: [], confirmed: [], generic: null } });
});

test("if an address has four hundred reverse DNS names, all are counted, fifty kept, and ten resolved", async () => {
  const names = Array.from({ length: 400 }, (_, index) => `h${1000 + index}.a.example`);
  const dns = counting(createZoneDns({ [reverse]: { PTR: names } }));
  const fact = await gatherPtr("203.0.113.7", dns);
  expect(fact).toMatchObject({ value: { count: 400 } });
  expect(fact.known && fact.value.names).toHaveLength(50);
  expect(dns.asked).toHaveLength(11);
});

test("an invalid reverse DNS name has no addresses", async () => {
  const name = `evil\\000.${"x".repeat(70)}.example`;
  expect(await gather({ [reverse]: { PTR: [name] } })).toMatchObject({
    value: { forward: [{ addresses: { known: true, value: [] } }] },
  });
});

test.each(troubles)("reverse DNS with a %s is unknown, not missing", async (status, why) => {
  const fact = await gatherPtr("203.0.113.7", broken(status));
  expect(fact).toEqual({ known: false, why });
});

test("a reverse DNS name without an address answer gives an unknown row", async () => {
  expect(await gather({ [reverse]: { PTR: ["mail.a.example"] }, "mail.a.example": "timeout" })).toMatchObject({
    known: true,
    value: { confirmed: [], forward: [{ addresses: { known: false, why: "timeout" } }] },
  });
});

test.each(["127.0.0.1", "10.1.2.3", "192.168.0.9", "fe80::1", "::1", "100.64.1.1"])(
  "no DNS query is made for %s",
  async (address) => {
    const dns = counting(createZoneDns({}));
    expect(await gatherPtr(address, dns)).toEqual({ known: false, why: "not-public" });
    expect(dns.asked).toEqual([]);
  },
);

test("reverse DNS is unknown without a session", async () => {
  expect(await gather({}, null)).toEqual({ known: false, why: "no-session" });
});

test("a generic name of an access line is reported, unless another name was chosen", async () => {
  const line = "203-0-113-7.dyn.isp.example";
  const here = { A: ["203.0.113.7"] };
  expect(await gather({ [reverse]: { PTR: [line] }, [line]: here })).toMatchObject({
    value: { generic: "dynamic", pattern: "dynamic" },
  });
  expect(
    await gather({ [reverse]: { PTR: [line, "mail.a.example"] }, [line]: here, "mail.a.example": here }),
  ).toMatchObject({ value: { generic: null } });
});
