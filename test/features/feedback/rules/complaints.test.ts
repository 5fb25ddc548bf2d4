import { describe, expect, test } from "vitest";
import { evaluateFeedback, type FeedbackInput } from "../../../../src/features/feedback/rules/evaluate.ts";
import { dayMs, type KnownProblem } from "../../../../src/features/feedback/rules/problem.ts";

const today = Date.UTC(2026, 10, 21);
const day = (back: number) => today - back * dayMs;

/** SES says what it delivered; other complaints are rated by what DMARC reports count. */
function input(complaints: { readonly ses?: number; readonly others?: number }): FeedbackInput {
  const notice = { kind: "complaint", class: "unknown", day: day(1) } as const;
  const days = Array.from({ length: 8 }, (_, back) => day(back + 1));
  return {
    domain: "shop.example",
    today,
    rows: [],
    tls: [],
    tlsFailures: [],
    problems: [],
    marked: new Set<string>(),
    pointsHere: true,
    firstDay: day(30),
    reporterDays: days.map((at) => ({
      reporter: "google.com",
      day: at,
      arrivedAt: at + dayMs,
      messages: 1_000,
      passed: 1_000,
    })),
    notices: [
      { ...notice, reporter: "Amazon SES", count: complaints.ses ?? 0 },
      { ...notice, reporter: "yahoo.com", count: complaints.others ?? 0 },
    ],
    delivered: days.slice(0, 7).map((at) => ({ reporter: "Amazon SES", day: at, delivered: 1_000 })),
  };
}

const told = (given: FeedbackInput) =>
  evaluateFeedback(given).flatMap((move) =>
    move.what === "update" ? [] : [`${move.what} ${"status" in move ? move.status.subject : move.problem.subject}`],
  );

/** The problems after these moves. */
function problemsAfter(given: FeedbackInput, at: number): KnownProblem[] {
  return evaluateFeedback(given).flatMap((move): KnownProblem[] => {
    if (!("status" in move)) return [{ ...move.problem, resolvedAt: at, resolution: move.resolution }];
    const { kind, subject, level, evidence } = move.status;
    const isOpen = move.what !== "update" || given.problems.some((one) => one.subject === subject);
    const problem = { kind, subject, level, evidence, openedAt: at, resolvedAt: null, resolution: null };
    return isOpen ? [problem] : [];
  });
}

describe("complaints at one provider and elsewhere", () => {
  test("complaints at one provider and elsewhere are one problem at the provider if both occur together", () => {
    expect(told(input({ ses: 20, others: 20 }))).toEqual(["open Amazon SES"]);
    expect(told(input({ others: 20 }))).toEqual(["open domain"]);
    expect(told(input({ ses: 20 }))).toEqual(["open Amazon SES"]);
  });

  test("complaints at one provider and elsewhere are reported as the worse of the two problems", () => {
    expect(told(input({ ses: 20, others: 60 }))).toEqual(["open domain"]);
    expect(told(input({ ses: 60, others: 20 }))).toEqual(["open Amazon SES"]);
  });

  test("complaints at one provider and elsewhere raise no second alert while the first problem is open, unless it is worse", () => {
    const first = { ...input({ others: 20 }), problems: problemsAfter(input({ others: 20 }), today) };
    expect(told({ ...input({ ses: 20, others: 20 }), problems: first.problems })).toEqual([]);
    expect(told({ ...input({ ses: 60, others: 20 }), problems: first.problems })).toEqual(["open Amazon SES"]);
    const provider = problemsAfter(input({ ses: 20 }), today);
    expect(told({ ...input({ ses: 20, others: 20 }), problems: provider })).toEqual([]);
    expect(told({ ...input({ ses: 60, others: 20 }), problems: provider })).toEqual(["escalate Amazon SES"]);
  });

  test("complaints at one provider and elsewhere that were already reported don't raise the other problem when the first ends", () => {
    const open = problemsAfter(input({ ses: 20 }), today);
    const ended = open.map((one) => ({ ...one, resolvedAt: today, resolution: "over" as const }));
    expect(told({ ...input({ others: 20 }), problems: ended })).toEqual([]);
  });
});
