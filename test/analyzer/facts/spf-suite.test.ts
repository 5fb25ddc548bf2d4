import { describe, expect, test } from "vitest";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { checkMailFrom } from "../../../src/analyzer/facts/spf.ts";
import { readSpfSuite } from "./spf-suite.ts";

const suite = readSpfSuite();

test.skipIf(suite.length === 0)("the suite has 203 cases, 22 of them with an explanation", () => {
  const cases = suite.flatMap((scenario) => scenario.cases);
  expect(cases).toHaveLength(203);
  expect(cases.filter(({ explanation }) => explanation !== undefined)).toHaveLength(22);
});

describe.each(suite)("RFC 7208 test suite, $description", ({ zone, cases }) => {
  test.each(cases)("the result is right in the RFC 7208 test $name", async ({ client, results, explanation }) => {
    const question = { ...client, receiver: "assay.example", now: 0 };
    const result = await checkMailFrom(question, createZoneDns(zone));
    expect(result).toMatchObject({ result: results[0], ...(explanation === undefined ? {} : { explanation }) });
  });
});
