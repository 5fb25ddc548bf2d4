import { expect, test } from "vitest";
import { analyzeLetter } from "../domain-cases/verdict-world.ts";

test.each([
  ["two From headers", { headers: ["From: Eve <eve@b.example>"] }],
  ["no From header", { from: null }],
  ["a From that cannot be read", { from: "Shop" }],
])("a message with %s has no DMARC checks, and none counts as unchecked", async (_, letter) => {
  const { judgment } = await analyzeLetter(letter);
  const policyChecks = judgment.notApplicable.filter(({ check }) => /^dmarc-(?!result)/.test(check));
  expect(policyChecks).toHaveLength(7);
  expect(policyChecks[0]?.why).toBe(
    "The From header does not have exactly one author domain that could have a DMARC policy.",
  );
  expect(judgment.skipped.map(({ check }) => check)).not.toContainEqual(expect.stringMatching(/^dmarc-/));
});
