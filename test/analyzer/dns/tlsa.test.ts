import { expect, test } from "vitest";
import { whyTlsaUnusable } from "../../../src/analyzer/dns/tls-rpt.ts";

const sha256 = "ab".repeat(32);
const record = (usage: number, selector: number, matching: number, association = sha256) => ({
  usage,
  selector,
  matching,
  association,
});

test.each([
  record(3, 1, 1),
  record(3, 0, 1),
  record(2, 0, 1),
  record(2, 1, 2, "ab".repeat(64)),
  record(3, 1, 0, "30820122"),
])("the TLSA record $usage $selector $matching is usable", (usable) => {
  expect(whyTlsaUnusable(usable)).toBeNull();
});

test.each([
  [record(0, 0, 1), "usage 0 is not valid for SMTP"],
  [record(1, 0, 1), "usage 1 is not valid for SMTP"],
  [record(4, 1, 1), "usage 4 does not exist"],
  [record(3, 2, 1), "selector 2 does not exist"],
  [record(3, 1, 3), "matching type 3 does not exist"],
  [record(3, 1, 1, "abcd"), "the digest is 2 bytes long, but matching type 1 requires 32"],
  [record(3, 1, 2), "the digest is 32 bytes long, but matching type 2 requires 64"],
  [record(3, 1, 0, ""), "the digest is empty"],
])("the TLSA record %j is unusable: %s", (unusable, why) => {
  expect(whyTlsaUnusable(unusable)).toBe(why);
});
