import { expect, test } from "vitest";
import { isKeyRecord, readKeyRecord } from "../../../src/analyzer/dns/dkim-key.ts";

test.each([
  ["v=DKIM1; k=rsa", true],
  [' \t"v = dkim1', true],
  ['" v=DKIM1', true],
  ["k=rsa; p=", true],
  ["v=spf1 -all", false],
  ['""v=DKIM1', false],
  ["a v=DKIM1", false],
])("%j is a DKIM key record: %s", (text, isKey) => {
  expect(isKeyRecord(readKeyRecord(text))).toBe(isKey);
});
