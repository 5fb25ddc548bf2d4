import { expect, test } from "vitest";
import { faultsOf } from "./domain-world.ts";
import { checkFixture, domainFixtures } from "./fixtures-table.ts";

test.each(domainFixtures)("a domain with the right verdicts, $name: $why", async (fixture) => {
  const { words, faults, notes = [] } = fixture;
  const report = await checkFixture(fixture);
  const { spf, dkim, dmarc, bimi } = report.verdicts;
  expect([...new Set(faultsOf(report))].sort()).toEqual([...faults].sort());
  expect([spf, dkim, dmarc, bimi].map(({ word }) => word).join(" ")).toBe(words);
  expect(report.judgment.findings.map(({ id }) => id)).toEqual(expect.arrayContaining([...notes]));
});

test("at least sixty fixtures cover every verdict of every mechanism", () => {
  expect(domainFixtures.length).toBeGreaterThanOrEqual(60);
  const said = ["spf", "dkim", "dmarc", "bimi"].map(
    (_, index) => new Set(domainFixtures.map(({ words }) => words.split(" ")[index])),
  );
  expect(said.map((words) => [...words].sort())).toEqual([
    ["error", "fail", "missing", "pass", "warn"],
    ["error", "fail", "missing", "pass", "warn"],
    ["error", "fail", "missing", "pass", "warn"],
    // A logo is optional: nothing about it is more than minor.
    ["error", "missing", "pass", "warn"],
  ]);
});
