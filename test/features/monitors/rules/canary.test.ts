import { describe, expect, test } from "vitest";
import {
  type CanaryReport,
  judgeReturn,
  learnUsual,
  toSpanWords,
} from "../../../../src/features/monitors/rules/canary.ts";

const good: CanaryReport = {
  score: 95,
  verdicts: { spf: "pass", dkim: "pass", dmarc: "pass" },
  folders: { gmail: "inbox", yahoo: "inbox" },
};
const terms: { objectiveMs: number; minScore: number | null } = { objectiveMs: 60_000, minScore: null };
const usual = [95, 94, 95, 96, 95].reduce<ReturnType<typeof learnUsual> | null>(
  (known, score) => learnUsual(known, { ...good, score }),
  null,
);
const judge = (report: Partial<CanaryReport>, more: Partial<typeof terms> = {}) =>
  judgeReturn({ delayMs: 5_000, report: { ...good, ...report } }, usual, { ...terms, ...more });

describe("a canary that returned", () => {
  test("a canary that returned is OK if it is as usual", () => {
    expect(judge({})).toEqual({ outcome: "ok", says: "Back after 5 s." });
  });

  test("a canary that returned is late after the time limit, whatever else is wrong", () => {
    const report = { ...good, score: 10 };
    expect(judgeReturn({ delayMs: 61_000, report }, usual, terms)).toEqual({
      outcome: "late",
      says: "Back after 1 min 1 s. Expected within 1 min.",
    });
  });

  test("a canary that returned is no longer authenticated if a result that used to pass fails", () => {
    const verdicts = { spf: "pass", dkim: "fail", dmarc: "fail" };
    expect(judge({ verdicts })).toMatchObject({
      outcome: "unauthenticated",
      says: expect.stringContaining("DKIM is now fail, DMARC is now fail. It passed before."),
    });
  });

  test("a canary that returned isn't blamed for a DNS problem or an unknown result", () => {
    expect(judge({ verdicts: { spf: "temperror", dkim: null, dmarc: null } }).outcome).toBe("ok");
  });

  test("a canary that returned is misplaced if spam is predicted instead of the inbox, and is marked as a prediction", () => {
    const { outcome, says } = judge({ folders: { gmail: "spam", yahoo: "inbox" } });
    expect(outcome).toBe("misplaced");
    expect(says).toContain("predicts spam at Gmail, and inbox before. This is predicted, not observed.");
  });

  test("a canary that returned has degraded with a score far below the usual one, or below a configured score", () => {
    expect(judge({ score: 80 })).toMatchObject({ outcome: "worse" });
    expect(judge({ score: 90 }).outcome).toBe("ok");
    expect(judge({ score: 90 }, { minScore: 92 })).toMatchObject({ outcome: "worse" });
    expect(judge({ score: 80 }, { minScore: 50 }).outcome).toBe("ok");
    expect(judge({ score: null }).outcome).toBe("ok");
  });

  test("a canary that returned needs three good runs before a score can be unusual", () => {
    const short = learnUsual(learnUsual(null, good), good);
    expect(judgeReturn({ delayMs: 1, report: { ...good, score: 10 } }, short, terms).outcome).toBe("ok");
  });
});

test("an unknown result doesn't erase a known one", () => {
  const learned = learnUsual(usual, { ...good, verdicts: { spf: null, dkim: null, dmarc: "fail" } });
  expect(learned.verdicts).toEqual({ spf: "pass", dkim: "pass", dmarc: "fail" });
});

test("durations have at most two units", () => {
  const spans = [0, 940, 9_960, 65_000, 3_600_000, 3_660_000, 90_000_000, 200_000_000];
  expect(spans.map(toSpanWords)).toEqual(["0 s", "0.9 s", "10 s", "1 min 5 s", "1 h", "1 h 1 min", "25 h", "2 d 7 h"]);
});
