import { expect, test } from "vitest";
import { readDomainName, readSendingDomain } from "../../../src/analyzer/dns/domain-name.ts";

test.each([
  ["Example.COM.", "example.com"],
  [" example.com ", "example.com"],
  ["https://ann:pw@www.example.com:8443/path?x=a@b", "www.example.com"],
  ["example.com:25", "example.com"],
  ["ann@example.com", "example.com"],
  ["mailto:ann@example.com", "example.com"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["EXAMPLE。com", "example.com"],
  ["customer.github.io", "customer.github.io"],
])("%j is the domain %s", (typed, domain) => {
  expect(readDomainName(typed)).toEqual({ ok: true, domain });
});

test.each(["", "..", "a..example", "exa mple.com", "example.com\u0000x", "*.example.com", "a.example,b.example"])(
  "%j is not a domain name",
  (typed) => expect(readDomainName(typed)).toMatchObject({ ok: false }),
);

test.each(["192.0.2.1", "0x7f.1", "[::1]", "http://[::1]:80/", "::1"])(
  "the IP address %s is not a domain name",
  (typed) => {
    expect(readDomainName(typed)).toMatchObject({ ok: false });
  },
);

test.each(["com", "co.uk", "localhost"])("the domain %s cannot be registered", (typed) => {
  expect(readDomainName(typed)).toMatchObject({ ok: false, problem: expect.stringMatching(/cannot be registered/) });
});

test("long input is rejected quickly", () => {
  for (const text of ["a.".repeat(500_000), "@".repeat(1_000_000), "a".repeat(1_000_000), "/".repeat(1_000_000)])
    expect(readDomainName(text)).toMatchObject({ ok: false });
});

test.each([
  ["goodshop.com", "goodshop.com"],
  ["https://goodshop.com/about", "goodshop.com"],
  ["news.goodshop.com", "news.goodshop.com"],
  ["news@www.goodshop.com", "www.goodshop.com"],
  ["www.com", "www.com"],
  ["www.co.uk", "www.co.uk"],
  ["mail_out.goodshop.com", "mail_out.goodshop.com"],
])("%j is the sending domain %s", (typed, domain) => expect(readSendingDomain(typed)).toEqual({ ok: true, domain }));

test.each([
  ["https://www.goodshop.com/about", "goodshop.com"],
  ["www.goodshop.com", "goodshop.com"],
  ["www.news.goodshop.com", "news.goodshop.com"],
  ["https://shop.goodshop.co.uk/?a=b@c", "goodshop.co.uk"],
  ["_dmarc.goodshop.com", "goodshop.com"],
  ["_dmarc.www.goodshop.com", "goodshop.com"],
  ["_domainkey.goodshop.com", "goodshop.com"],
  ["s1._domainkey.news.goodshop.com", "news.goodshop.com"],
  ["_25._tcp.mx.goodshop.com", "mx.goodshop.com"],
])("for %j, the domain %s is suggested", (typed, suggestion) => {
  expect(readSendingDomain(typed)).toEqual({ ok: false, problem: expect.stringContaining(suggestion), suggestion });
});

test("a record name without a domain gets no suggestion", () => {
  expect(readSendingDomain("_dmarc.com")).toEqual({
    ok: false,
    problem: "_dmarc.com is the name of a DNS record. Enter a domain like example.com.",
  });
});
