import { expect, test } from "vitest";
import { whyTlsaUnusable } from "../../src/dns/tls-rpt.ts";

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
])("$usage $selector $matching can be used", (usable) => {
  expect(whyTlsaUnusable(usable)).toBeNull();
});

test.each([
  [record(0, 0, 1), "usage 0 is not for SMTP"],
  [record(1, 0, 1), "usage 1 is not for SMTP"],
  [record(4, 1, 1), "there is no usage 4"],
  [record(3, 2, 1), "there is no selector 2"],
  [record(3, 1, 3), "there is no matching type 3"],
  [record(3, 1, 1, "abcd"), "a digest of matching type 1 has 32 bytes, this one 2"],
  [record(3, 1, 2), "a digest of matching type 2 has 64 bytes, this one 32"],
  [record(3, 1, 0, ""), "it holds nothing to compare with"],
])("%j cannot: %s", (unusable, why) => {
  expect(whyTlsaUnusable(unusable)).toBe(why);
});
