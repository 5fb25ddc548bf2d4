import { expect, test } from "vitest";
import { toKeyName } from "../../../src/analyzer/dns/signing-names.ts";

test.each([
  [253, true],
  [254, false],
])("a key name of %i characters is looked up: %s", (length, isLookedUp) => {
  const ending = "._domainkey.a.example";
  const labels = "s".repeat(60).concat(".").repeat(3);
  const selector = labels.concat("s".repeat(length - labels.length - ending.length));
  expect(toKeyName(selector, "a.example")).toBe(isLookedUp ? selector + ending : null);
});
