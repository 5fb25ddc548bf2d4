import { expect, test } from "vitest";
import { hostOfListAddress, readListAddresses } from "../../../../src/analyzer/mail/headers/list-header.ts";

test("addresses are read in order, ignoring the text around them", () => {
  expect(
    readListAddresses(
      "<mailto:a@b.example?subject=x>\t(by mail), <https://b.example/\r\n\tu>, <http://b.example>, text",
    ),
  ).toEqual({
    uris: ["mailto:a@b.example?subject=x", "https://b.example/u", "http://b.example"],
    https: ["https://b.example/u"],
    http: ["http://b.example"],
    mailto: ["mailto:a@b.example?subject=x"],
  });
});

test("unusable links are ignored", () => {
  const { https, http, mailto } = readListAddresses(
    "<>, <https://>, <http:///x>, <mailto:>, <mailto:a>, <ftp://a.example>",
  );
  expect([...https, ...http, ...mailto]).toEqual([]);
});

test.each([
  ["https://A.example./u", "a.example"],
  ["https://bücher.example/u", "xn--bcher-kva.example"],
  ["mailto:leave@News.example?subject=a@b", "news.example"],
  ["mailto:a@b.example,c@d.example", "b.example"],
  ["mailto:nobody", null],
  ["https://[", null],
])("the unsubscribe link %s leads to %s", (uri, host) => expect(hostOfListAddress(uri)).toBe(host));

test("a hostile header is parsed quickly", () => {
  expect(readListAddresses("<".repeat(100_000)).uris).toEqual([]);
  expect(readListAddresses("<a>".repeat(30_000)).uris).toHaveLength(20);
});
