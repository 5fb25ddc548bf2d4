import { describe, expect, test } from "vitest";
import type { FindingId } from "../../src/checks/check.ts";
import { predictPlacement } from "../../src/placement/predict.ts";
import { providers } from "../../src/placement/provider.ts";
import { readWeightsName, type Shifts, toHundredths, toWeightsName } from "../../src/placement/shifts.ts";
import { base } from "../../src/placement/weights-table.ts";
import { byProvider, toFinding, toOutcomes } from "./given.ts";

const predict = (shifts: Shifts, ids: readonly FindingId[] = []) =>
  byProvider(predictPlacement({ facts: {}, outcomes: toOutcomes(ids.map((id) => toFinding(id))), shifts }));
const oddsAt = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));

const heavier = [
  ...(["dmarc-record.missing", "link-text.mismatch", "helo-name.not-a-name"] as const),
  ...(["tls-used.none", "ip-blocklist.listed", "ptr-record.missing"] as const),
];

describe("a shift", () => {
  test.each([
    [0.4, "Shifted by +0.4, based on 41 of your own observations."],
    [-1.25, "Shifted by -1.25, based on 41 of your own observations."],
  ])("of %d is added to the log-odds of spam of its provider alone, and is told", (value, text) => {
    const [shifted, published] = [predict({ gmail: { value, observations: 41 } }), predict({})];
    expect(shifted.gmail.odds.spam).toBeCloseTo(oddsAt(base + value), 3);
    expect(shifted.gmail.reasons).toContainEqual({ text, points: value, finding: null, change: null });
    for (const provider of providers.filter((one) => one !== "gmail"))
      expect(shifted[provider]).toEqual(published[provider]);
  });

  test("is told beside ever so many heavier reasons", () => {
    const { gmail } = predict({ gmail: { value: 0.01, observations: 20 } }, heavier);
    expect(gmail.reasons.map(({ text }) => text)).toContain(
      "Shifted by +0.01, based on 20 of your own observations.",
    );
  });

  test("moves no published rule: what is refused is refused as surely", () => {
    const refusal: FindingId = "received-path.loop";
    const [{ gmail: shifted }, { gmail }] = [
      predict({ gmail: { value: -3, observations: 20 } }, [refusal]),
      predict({}, [refusal]),
    ];
    expect(shifted.odds.rejected).toBe(gmail.odds.rejected);
    expect(shifted).toMatchObject({ folder: "rejected", smtpReply: gmail.smtpReply });
    expect(shifted.odds.spam).toBeLessThan(gmail.odds.spam);
  });
});

describe("the name of the weights", () => {
  test.each([
    [null, "7"],
    [0.4, "7 gmail+0.40"],
    [-3, "7 gmail-3.00"],
    [0.05, "7 gmail+0.05"],
  ])("with a shift of %s is read back as it was written", (value, name) => {
    const shift = value === null ? {} : { shift: { value, observations: 20 } };
    expect(toWeightsName("7", { provider: "gmail", ...shift })).toBe(name);
    expect(readWeightsName(name)).toEqual({ version: "7", shift: value ?? 0 });
  });
});

test("hundredths know no -0", () => {
  expect([-0.004, 0.004, 0.405, -1.006].map(toHundredths)).toEqual([0, 0, 0.41, -1.01]);
});
