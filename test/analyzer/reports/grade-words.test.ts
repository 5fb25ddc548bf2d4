// A message has the same grade everywhere.

import { expect, test } from "vitest";
import type { ResultWord } from "../../../src/analyzer/checks/authentication-facts.ts";
import { checkCatalog } from "../../../src/analyzer/checks/catalog.ts";
import { type Fact, known, unknown } from "../../../src/analyzer/checks/fact.ts";
import { toGrade } from "../../../src/analyzer/reports/grade-words.ts";
import type { Report } from "../../../src/analyzer/reports/report.ts";
import { toReportFields } from "../../../src/features/tests/contract/report.ts";
import { toSummary } from "../../../src/features/tests/routes/tests.ts";
import { bases } from "../../fixtures/messages/fixture.ts";
import { analyze } from "../../fixtures/messages/run.ts";

const words = [
  null,
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror",
] as const satisfies readonly (ResultWord | null)[];
type Word = (typeof words)[number];
type Results = { readonly spf: Word; readonly dkim: Word; readonly dmarc: Word };

const combinations: readonly Results[] = words.flatMap((spf) =>
  words.flatMap((dkim) => words.map((dmarc) => ({ spf, dkim, dmarc }))),
);

const report = await analyze(bases.T);

function toFact<T>(fact: Fact<T>, word: Word, change: (value: T, word: ResultWord) => object): Fact<T> {
  if (word === null) return unknown("not-public");
  if (!fact.known) throw new Error("The report has no authentication.");
  return known({ ...fact.value, ...change(fact.value, word) });
}

function withResults({ spf, dkim, dmarc }: Results): Report {
  const { authentication } = report;
  const setResult = (_: object, result: ResultWord) => ({ result });
  return {
    ...report,
    authentication: {
      ...authentication,
      spf: toFact(authentication.spf, spf, setResult),
      dkim: toFact(authentication.dkim, dkim, ({ signatures }, result) => ({
        signatures: signatures.map((one) => ({ ...one, result })),
      })),
      dmarcResult: toFact(authentication.dmarcResult, dmarc, setResult),
    },
  };
}

const gradeInReport = (results: Results) => toReportFields(withResults(results), checkCatalog).grade;

function gradeInList(results: Results) {
  const { composite, coverage } = report.judgment.score;
  const row = { recipients: "[]", received_at: 0, analyzed_at: 0, composite, coverage, ...results };
  return toSummary(row as unknown as Parameters<typeof toSummary>[0]).grade;
}

test("a list and a report show the same grade for every combination of results", () => {
  const differing = combinations.filter((results) => gradeInList(results) !== gradeInReport(results));
  expect(differing).toEqual([]);
});

test.each([
  ["A", "pass", "pass", "pass"],
  ["A", null, "pass", "pass"],
  ["A", "fail", "none", "fail"],
  ["A", "none", "none", "none"],
  ["A", "permerror", "pass", "permerror"],
  [null, null, null, null],
  [null, "pass", "pass", "temperror"],
  [null, null, "none", "none"],
  [null, null, "pass", "none"],
  [null, "pass", null, "none"],
  [null, "temperror", "pass", "none"],
] as const)("the grade is %s with SPF %s, DKIM %s, and DMARC %s", (grade, spf, dkim, dmarc) => {
  expect(gradeInReport({ spf, dkim, dmarc })).toBe(grade);
});

test.each([
  [90, "A"],
  [89.9, "B"],
  [70, "C"],
  [55, "D"],
  [54.9, "F"],
])("%s points give the grade %s", (points, grade) => {
  expect(toGrade({ composite: points, coverage: 1 }, null)).toBe(grade);
});

test("there is no grade if less than 80% was checked", () => {
  expect(toGrade({ composite: 100, coverage: 0.79 }, null)).toBeNull();
  expect(toGrade({ composite: null, coverage: 0 }, null)).toBeNull();
});
