import { expect, test } from "vitest";
import { chooseDomains, maxDomains } from "../../../src/analyzer/facts/listed-domains.ts";

const link = (domain: string) => ({ domain, roles: ["link"] });

test("the sender's domains come first, each once with all its roles", () => {
  const domains = [
    link("www.shop.example.co.uk"),
    { domain: "example.com", roles: ["dkim"] },
    { domain: "News.Example.com.", roles: ["from"] },
  ];
  expect(chooseDomains(domains).registrable).toEqual({
    chosen: [
      { domain: "example.com", roles: ["from", "dkim"] },
      { domain: "example.co.uk", roles: ["link"] },
    ],
    more: 0,
  });
  expect(chooseDomains(domains).host.chosen.map(({ domain }) => domain)).toEqual([
    "news.example.com",
    "example.com",
    "www.shop.example.co.uk",
  ]);
});

test("IP addresses, single labels, suffixes, and invalid names are not queried at domain blocklists", () => {
  const names = ["192.0.2.1", "[192.0.2.1]", "2001:db8::1", "localhost", "co.uk", "", "a b.example", "..", "\0.com"];
  expect(chooseDomains(names.map(link)).host).toEqual({ chosen: [], more: 0 });
  expect(chooseDomains([link("x".repeat(300))]).registrable).toEqual({ chosen: [], more: 0 });
});

test("an internationalized name is queried as an A-label", () => {
  expect(chooseDomains([link("www.bücher.example")]).registrable.chosen[0]?.domain).toBe("xn--bcher-kva.example");
});

test("customers of a site builder are separate domains", () => {
  expect(chooseDomains([link("www.someone.github.io")]).registrable.chosen[0]?.domain).toBe("someone.github.io");
});

test("with very many domains, some are queried and the others are counted", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => link(`d${index}.com`));
  const { chosen, more } = chooseDomains([...many, { domain: "example.com", roles: ["from"] }]).host;
  expect(chosen).toHaveLength(maxDomains);
  expect(chosen[0]?.domain).toBe("example.com");
  expect(more).toBe(100_001 - maxDomains);
});
