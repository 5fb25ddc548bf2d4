import { expect, test } from "vitest";
import { gradeAt } from "../../../src/analyzer/reports/grade-words.ts";
import { gradeMarks, toneOfScore } from "../../../src/analyzer/words/grade-words.ts";

test.each([
  [100, "A", "good"],
  [90, "A", "good"],
  [89.9, "B", "info"],
  [80, "B", "info"],
  [70, "C", "minor"],
  [55, "D", "major"],
  [54.9, "F", "critical"],
  [0, "F", "critical"],
] as const)("a score of %d has the grade %s and the color %s", (score, grade, tone) => {
  expect([gradeAt(score), toneOfScore(score)]).toEqual([grade, tone]);
});

test('a missing score has the color "unknown"', () => {
  expect(toneOfScore(null)).toBe("unknown");
  expect(gradeMarks.map(({ from }) => from)).toEqual([90, 80, 70, 55]);
});
