import { expect, test } from "vitest";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { gatherLinkHosts, maxLinkHosts } from "../../../src/analyzer/facts/gather.ts";

const zone = {
  "www.shop.example": { A: ["203.0.113.7"] },
  "mail.example": { MX: [{ preference: 10, exchange: "mx.mail.example" }] },
};

const named = (...domains: string[]) => domains.map((domain) => ({ domain, roles: ["link"] }));

function gather(domains: ReturnType<typeof named>, ...others: string[]) {
  return gatherLinkHosts(domains, others, createZoneDns(zone));
}

test("linked hosts that exist are separated from those that do not", async () => {
  expect(await gather(named("www.shop.example", "mail.example", "shoop.com", "app.test"))).toEqual([
    { of: "www.shop.example", fact: { known: true, value: { host: "www.shop.example", exists: true } } },
    { of: "mail.example", fact: { known: true, value: { host: "mail.example", exists: true } } },
    { of: "shoop.com", fact: { known: true, value: { host: "shoop.com", exists: false } } },
    { of: "app.test", fact: { known: false, why: "reserved-name" } },
  ]);
});

test("IP addresses, single labels, and hosts of images are not looked up", async () => {
  const domains = [...named("203.0.113.5", "2001:db8::1", "localhost"), { domain: "cdn.example", roles: ["image"] }];
  expect(await gather(domains)).toEqual([]);
});

test("hosts that another fact already covers are left out", async () => {
  expect(await gather(named("u.own.example"), "u.own.example")).toEqual([]);
});

test("only the first hosts are looked up", async () => {
  const many = named(...Array.from({ length: 20 }, (_, index) => `h${index}.example`));
  expect((await gather(many)).map(({ of }) => of)).toEqual(many.slice(0, maxLinkHosts).map(({ domain }) => domain));
});
