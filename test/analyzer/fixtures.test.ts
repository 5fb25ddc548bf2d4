// Healthy messages have no issues. Each message with one problem gets its finding, its cause, and a single penalty.

import { describe, expect, test } from "vitest";
import type { Report } from "../../src/analyzer/reports/report.ts";
import { unauthenticated } from "../../src/analyzer/reports/score.ts";
import { type Base, bases, type Fixture, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { aboveInfo, analyze, idsOf, replay } from "../fixtures/messages/run.ts";
import { timeless } from "./recorded.ts";

const healthy: Readonly<Record<Base, Report>> = { T: await analyze(bases.T), N: await analyze(bases.N) };
const rows = fixtures.map((fixture) => [fixture.number, fixture.base, fixture.broken, fixture] as const);

describe.each([
  ["T", "an order confirmation"],
  ["N", "a newsletter"],
] as const)("fixture %s, %s from a well-run sender,", (base, _what) => {
  test("a healthy fixture gets full marks, with everything checked and no issues", () => {
    const { judgment } = healthy[base];
    expect(idsOf(aboveInfo(healthy[base]))).toEqual([]);
    expect(judgment.score).toMatchObject({ composite: 100, coverage: 1, limit: null });
    // No scanner is named: nothing else stays open.
    expect(judgment.skipped).toEqual([{ check: "second-opinions", why: "off" }]);
    expect(judgment.partly).toEqual([]);
    expect(judgment.plan).toEqual([]);
  });

  test("a healthy fixture gets the recorded report without DNS queries", async () => {
    expect(timeless(await replay(bases[base], healthy[base]))).toEqual(timeless(healthy[base]));
  });
});

test("the healthy fixtures have the kind and size of real shop mail", () => {
  expect(healthy.T.judgment.kind).toMatchObject({ kind: "transactional", overridden: false });
  expect(healthy.N.judgment.kind).toMatchObject({ kind: "bulk", overridden: false, mailingList: false });
  expect(Buffer.byteLength(bases.N.html)).toBeGreaterThan(30_000);
  expect(Buffer.byteLength(bases.N.html)).toBeLessThan(60_000);
});

describe("fixtures with one problem", () => {
  test("fixtures with one problem include all 45 of the catalog", () => {
    expect(fixtures.map(({ number }) => number)).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
  });

  test.each(rows)(
    "the report finds the one problem of fixture %i: %s with %s",
    async (_number, _base, _broken, fixture) => {
      const letter = letterOf(fixture);
      const report = await analyze(letter);
      expect(idsOf(aboveInfo(report))).toEqual([...fixture.fires].sort());
      expectFairLoss(report, fixture);
      const { composite, coverage } = report.judgment.score;
      expect({ composite, coverage }).toEqual({ composite: fixture.composite, coverage: 1 });
      expect(timeless(await replay(letter, report))).toEqual(timeless(report));
    },
  );
});

/** While nothing authenticates the author, the area of authentication has 40 at most. */
function leastOf({ judgment }: Report): number {
  const isUnproven = judgment.findings.some(({ id }) => unauthenticated.findings.includes(id));
  return isUnproven ? 100 - unauthenticated.most : 0;
}

/** At least its cost in its own area, and at most a point in the others. */
function expectFairLoss(report: Report, { base }: Fixture): void {
  const costs = new Map<string, number>();
  // An unauthenticated author caps the area, and costs nothing on top.
  const counted = aboveInfo(report).filter(({ check }) => check !== "dmarc-result");
  for (const { area, cost } of counted) costs.set(area, (costs.get(area) ?? 0) + cost);
  for (const { area, score } of report.judgment.score.areas) {
    const before = healthy[base].judgment.score.areas.find((other) => other.area === area)?.score ?? 100;
    const lost = before - (score ?? 0);
    const cost = Math.max(costs.get(area) ?? 0, area === "authentication" ? leastOf(report) : 0);
    if (cost > 0) expect({ area, lost }).toEqual({ area, lost: expect.closeTo(cost) });
    else expect(Math.abs(lost), area).toBeLessThanOrEqual(1);
  }
}

test("a sender without SPF and DKIM sees the gain of each fix, and of both", async () => {
  const fixture = fixtures.find(({ number }) => number === 26);
  if (!fixture) throw new Error("There is no fixture 26.");
  const { judgment } = await analyze(letterOf(fixture));
  const gains = judgment.findings.flatMap(({ id, gain }) => (gain > 0 ? [[id, gain]] : []));
  expect(gains).toEqual([
    ["spf-result.softfail", 40],
    ["dkim-present.missing", 40],
  ]);
  expect(judgment.plan).toMatchObject([
    { finding: "spf-result.softfail", composite: 89, cures: ["dmarc-result.policy-quarantine"] },
    { finding: "dkim-present.missing", composite: 100 },
  ]);
});

test("fixing SPF gains the promised points if only a provider's signature passes", async () => {
  const byService = fixtures.find(({ number }) => number === 18);
  const broken = fixtures.find(({ number }) => number === 1);
  if (!byService || !broken) throw new Error("No such fixture.");
  const both = await analyze(byService.change(broken.change(bases.T)));
  const mended = await analyze(byService.change(bases.T));
  const promised = both.judgment.findings.find(({ id }) => id === "spf-record.missing")?.gain ?? 0;
  const gained = (mended.judgment.score.composite ?? 0) - (both.judgment.score.composite ?? 0);
  // Once DMARC passes by SPF alone, the want of an own signature is told instead.
  expect(gained).toBeGreaterThan(20);
  expect(promised).toBeGreaterThanOrEqual(gained);
});
