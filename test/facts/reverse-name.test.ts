import { expect, test } from "vitest";
import { gatherReverseName } from "../../src/facts/reverse-name.ts";
import { createZoneDns } from "../../src/system/zone.ts";

const dns = createZoneDns({
  "10.2.0.192.in-addr.arpa": { PTR: ["mail.b.example", "mail.a.example"] },
  "11.2.0.192.in-addr.arpa": {},
  "12.2.0.192.in-addr.arpa": { PTR: "servfail" },
  "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa": { PTR: ["six.example"] },
});

test.each([
  ["192.0.2.10", { known: true, value: "mail.a.example" }],
  ["2001:db8::1", { known: true, value: "six.example" }],
  ["192.0.2.11", { known: true, value: null }],
  ["192.0.2.99", { known: true, value: null }],
])("the reverse name of %s is told", async (address, expected) => {
  expect(await gatherReverseName(address, dns)).toEqual(expected);
});

test("what DNS does not answer, and an address that nobody knows, is unknown", async () => {
  expect(await gatherReverseName("192.0.2.12", dns)).toMatchObject({ known: false });
  expect(await gatherReverseName(null, dns)).toMatchObject({ known: false });
});
