import { expect, test } from "vitest";
import { readEmail } from "../../../src/platform/contract/emails.ts";

test.each([
  ["ann@example.com", "ann@example.com"],
  ["  Ann.Lee+News@Example.COM. ", "ann.lee+news@example.com"],
  ["ann@bücher.example", "ann@xn--bcher-kva.example"],
  ["ANN@XN--BCHER-KVA.example", "ann@xn--bcher-kva.example"],
  ["jose\u0301@example.com", "jos\u00e9@example.com"],
  ["ΔΟΚΙΜΉ@example.com", "δοκιμή@example.com"],
  ["o'hara/ops=x@example.com", "o'hara/ops=x@example.com"],
  ["root@localhost", "root@localhost"],
])("the address %j is the account %s", (typed, email) => {
  expect(readEmail(typed)).toBe(email);
});

test.each([
  "",
  "@",
  "ann",
  "ann@",
  "@example.com",
  "ann@@example.com",
  "ann@b@example.com",
  "ann lee@example.com",
  '"ann lee"@example.com',
  "Ann <ann@example.com>",
  "ann@example.com, bob@example.com",
  "ann@example.com\r\nBcc: bob@example.com",
  "ann@exa mple.com",
  "ann@[192.0.2.1]",
  "ann@192.0.2.1",
  "ann@-example.com",
  "ann@example..com",
  ".ann@example.com",
  "ann.@example.com",
  "a..b@example.com",
  "a\u200bnn@example.com",
  "a\u202enn@example.com",
  "ann\0@example.com",
  `${"a".repeat(65)}@example.com`,
  `ann@${"a.".repeat(130)}com`,
  "ann＠example.com",
])("%j is not an email address", (typed) => {
  expect(readEmail(typed)).toBeUndefined();
});

test("an invalid address is rejected quickly at any length", () => {
  expect(readEmail(`${"a.".repeat(500_000)}@example.com`)).toBeUndefined();
});
