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

test("addresses, single labels, suffixes and what is no name are on no domain list", () => {
  const names = ["192.0.2.1", "[192.0.2.1]", "2001:db8::1", "localhost", "co.uk", "", "a b.example", "..", "\0.com"];
  expect(chooseDomains(names.map(link)).host).toEqual({ chosen: [], more: 0 });
  expect(chooseDomains([link("x".repeat(300))]).registrable).toEqual({ chosen: [], more: 0 });
});

test("a name in another script is asked as DNS has it", () => {
  expect(chooseDomains([link("www.bücher.example")]).registrable.chosen[0]?.domain).toBe("xn--bcher-kva.example");
});

test("a site builder's customers are told apart", () => {
  expect(chooseDomains([link("www.someone.github.io")]).registrable.chosen[0]?.domain).toBe("someone.github.io");
});

test("of very many domains some are asked and the rest is counted", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => link(`d${index}.com`));
  const { chosen, more } = chooseDomains([...many, { domain: "example.com", roles: ["from"] }]).host;
  expect(chosen).toHaveLength(maxDomains);
  expect(chosen[0]?.domain).toBe("example.com");
  expect(more).toBe(100_001 - maxDomains);
});
