// Healthy messages stay healthy, and what is broken in one way is found, named by its one cause, and counted once.

import { describe, expect, test } from "vitest";
import type { Report } from "../../src/reports/report.ts";
import { brokenAuthentication } from "../fixtures/messages/broken-authentication.ts";
import { brokenMessage } from "../fixtures/messages/broken-message.ts";
import { type Base, bases, type Fixture, letterOf } from "../fixtures/messages/fixture.ts";
import { situations } from "../fixtures/messages/quiet.ts";
import { aboveInfo, analyze, idsOf } from "../fixtures/messages/run.ts";

const fixtures = [...brokenAuthentication, ...brokenMessage];
const healthy: Readonly<Record<Base, Report>> = { T: await analyze(bases.T), N: await analyze(bases.N) };

function areasOf({ judgment }: Report) {
  return judgment.score.areas;
}

describe.each([
  ["T", "an order confirmation"],
  ["N", "a newsletter"],
] as const)("%s, %s from a well-run sender,", (base) => {
  test("has full marks, everything checked, and nothing above info", () => {
    const { judgment } = healthy[base];
    expect(idsOf(aboveInfo(healthy[base]))).toEqual([]);
    expect(judgment.score).toMatchObject({ composite: 100, coverage: 1, limit: null });
    // No scanner is named: nothing else stays open.
    expect(judgment.skipped).toEqual([{ check: "second-opinions", why: "off" }]);
    expect(judgment.partly).toEqual([]);
  });
});

describe("broken in one way", () => {
  test("all 45 of the catalogue are there", () => {
    expect(fixtures.map(({ number }) => number)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
  });

  test.each(fixtures.map((fixture) => [fixture.number, fixture.base, fixture.broken, fixture] as const))(
    "%i: %s with %s",
    async (_number, _base, _broken, fixture) => {
      const report = await analyze(letterOf(fixture));
      expect(idsOf(aboveInfo(report))).toEqual([...fixture.fires].sort());
      expectFairLoss(report, fixture);
    },
  );
});

/** At least its cost in its own area, and at most a point in the others. */
function expectFairLoss(report: Report, { base }: Fixture) {
  const costs = new Map<string, number>();
  for (const { area, cost } of aboveInfo(report)) costs.set(area, (costs.get(area) ?? 0) + cost);
  for (const { area, score } of areasOf(report)) {
    const before = areasOf(healthy[base]).find((other) => other.area === area)?.score ?? 100;
    const cost = costs.get(area) ?? 0;
    if (cost > 0) expect({ area, score }).toEqual({ area, score: Math.max(0, before - cost) });
    else if (score !== null) expect(Math.abs(before - score), area).toBeLessThanOrEqual(1);
  }
}

describe("nobody did anything wrong", () => {
  test.each(situations.map((one) => [one.name, one.base, one.situation, one] as const))(
    "%s: %s %s",
    async (_name, _base, _situation, one) => {
      const report = await analyze(letterOf(one));
      expect(idsOf(aboveInfo(report))).toEqual([]);
      const info = idsOf(report.judgment.findings.filter(({ severity }) => severity === "info"));
      const before = idsOf(healthy[one.base].judgment.findings);
      expect(info.filter((id) => !before.includes(id))).toEqual([...one.says].sort());
      expect(report.judgment.score.composite).toBe(100);
    },
  );
});
