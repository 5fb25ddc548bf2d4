import { expect, test } from "vitest";
import { gradeMarks, toGrade, toneOfScore } from "../../src/api/grade-words.ts";

test.each([
  [100, "A", "good"],
  [90, "A", "good"],
  [89.9, "B", "info"],
  [80, "B", "info"],
  [70, "C", "minor"],
  [55, "D", "major"],
  [54.9, "F", "critical"],
  [0, "F", "critical"],
] as const)("a score of %d is an %s and looks %s", (score, grade, tone) => {
  expect([toGrade(score, 1), toneOfScore(score)]).toEqual([grade, tone]);
});

test("a score with low coverage has no grade, but still has its tone", () => {
  expect([toGrade(95, 0.79), toGrade(95, null), toneOfScore(95)]).toEqual([null, null, "good"]);
  expect([toGrade(null, 1), toneOfScore(null)]).toEqual([null, "unknown"]);
  expect(gradeMarks.map(({ from }) => from)).toEqual([90, 80, 70, 55]);
});
