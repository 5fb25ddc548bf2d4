// No issue is reported if nobody made a mistake: everyday situations, and DNS that doesn't answer.

import { describe, expect, test } from "vitest";
import { type Dns, unanswered } from "../../src/analyzer/dns/answer.ts";
import type { Report } from "../../src/analyzer/reports/report.ts";
import { bases, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { heardWith, type Letter, withZone } from "../fixtures/messages/letter.ts";
import { situations } from "../fixtures/messages/quiet.ts";
import { aboveInfo, analystWith, analyze, idsOf, replay } from "../fixtures/messages/run.ts";
import { refusing } from "../fixtures/messages/sender.ts";
import { timeless } from "./recorded.ts";

const rows = situations.map((one) => [one.name, one.base, one.situation, one] as const);

test.each(rows)("no issue is found in situation %s: %s %s", async (_name, _base, _situation, one) => {
  const letter = letterOf(one);
  const report = await analyze(letter);
  expect(idsOf(aboveInfo(report))).toEqual([]);
  const before = idsOf((await analyze(bases[one.base])).judgment.findings);
  expect(infoIn(report).filter((id) => !before.includes(id))).toEqual([...one.says].sort());
  expect(report.judgment.score.composite).toBe(100);
  expect(timeless(await replay(letter, report))).toEqual(timeless(report));
});

function infoIn({ judgment }: Report): string[] {
  return idsOf(judgment.findings.filter(({ severity }) => severity === "info"));
}

/** Nobody answers, as a resolver that died would not. */
const deadDns: Dns = { query: async (name, type) => unanswered(name, type, "timeout", 0) };
const withoutDns = (letter: Letter) => analyze(letter, analystWith(deadDns));

describe("a report with DNS down", () => {
  test("the receipt fixture is less than half checked, and every skipped check says so", async () => {
    const alive = (await analyze(bases.T)).judgment;
    const { judgment } = await withoutDns(bases.T);
    expect(judgment.findings.map(({ id }) => id)).toEqual(["tls-used.modern"]);
    expect(judgment.score.coverage).toBeLessThan(0.6);
    const coverage = Object.fromEntries(judgment.score.areas.map((one) => [one.area, one.coverage]));
    expect(coverage.authentication).toBeLessThan(0.1);
    expect(coverage.infrastructure).toBeLessThan(0.3);
    expect(coverage).toMatchObject({ format: 1, rendering: 1, accessibility: 1 });
    const expected = (check: string) => {
      if (check === "second-opinions") return "off";
      // Their lists failed their own test.
      return /blocklist|allowlist/.test(check) ? "unused" : "timeout";
    };
    for (const { check, why } of judgment.skipped) expect({ check, why }).toEqual({ check, why: expected(check) });
    // What was judged with DNS is judged without it, or named as skipped; nothing becomes a matter that does not arise.
    const answered = new Set([...judgment.passes, ...judgment.findings, ...judgment.skipped].map(({ check }) => check));
    const judged = [...alive.passes, ...alive.findings].map(({ check }) => check);
    expect(judged.filter((check) => !answered.has(check))).toEqual([]);
  });

  test("no check that needs DNS passes", async () => {
    const { judgment } = await withoutDns(bases.N);
    const passing = judgment.passes.map(({ check }) => check);
    const ofDns = passing.filter((check) =>
      /^(spf|dmarc|bimi|ptr|fcrdns|mx)-?|-blocklist|-exists|-resolves/.test(check),
    );
    expect(ofDns).toEqual([]);
    expect(judgment.partly).toContainEqual({ check: "list-unsubscribe", lacks: "mx", why: "timeout" });
  });

  test.each([
    ...fixtures.map((one) => [one.number, one.base, one.broken, one] as const),
    ...situations.map((one) => [one.name, one.base, one.situation, one] as const),
  ])("the fixture %s, %s with %s, loses no additional points", async (_number, _base, _broken, one) => {
    const letter = letterOf(one);
    const alive = (await analyze(letter)).judgment;
    const dead = (await withoutDns(letter)).judgment;
    const found = new Set(alive.findings.map(({ id }) => id));
    expect(dead.findings.filter(({ id }) => !found.has(id))).toEqual([]);
    for (const [index, { area, score }] of dead.score.areas.entries())
      if (score !== null) expect(score, area).toBeGreaterThanOrEqual(alive.score.areas[index]?.score ?? 0);
    expect(dead.score.coverage).toBeLessThan(0.65);
    expect(dead.kind?.kind).toBe(alive.kind?.kind);
  });
});

test("a blocklist that refuses is skipped, and only the coverage is lower", async () => {
  const { judgment, surroundings } = await analyze(
    withZone({ ...refusing("zen.spamhaus.org"), ...refusing("bl.spamcop.net") })(bases.T),
  );
  expect(judgment.skipped).toContainEqual({ check: "ip-blocklist", why: "unused" });
  expect(judgment.findings.filter(({ severity }) => severity !== "good").map(({ id }) => id)).toEqual([
    "bimi-record.missing",
  ]);
  expect(judgment.score.composite).toBe(100);
  expect(judgment.score.coverage).toBeLessThan(1);
  expect(surroundings.listings).toMatchObject({ value: [{ fact: { why: "unused" } }, { fact: { why: "unused" } }] });
});

test("if one blocklist refuses and another answers, the check uses the other", async () => {
  const { judgment } = await analyze(withZone(refusing("zen.spamhaus.org"))(bases.T));
  expect(judgment.passes).toContainEqual({
    check: "ip-blocklist",
    says: "203.0.113.7 is on none of the blocklists that responded: SpamCop.",
  });
  expect(judgment.partly).toEqual([]);
});

test("a message from 127.0.0.1 is reported as from a private address, and no client check counts", async () => {
  const local = heardWith({ clientAddress: "127.0.0.1", helo: "localhost", isPlain: true });
  const report = await analyze(local(bases.T));
  expect(idsOf(aboveInfo(report))).toEqual([]);
  expect(infoIn(report)).toContain("source-address.private");
  const unchecked = report.judgment.skipped.map(({ check }) => check);
  expect(unchecked).toEqual(
    expect.arrayContaining([
      "spf-result",
      "spf-helo",
      "ptr-record",
      "fcrdns",
      "ptr-generic",
      "helo-name",
      "helo-resolves",
      "tls-used",
      "ip-blocklist",
      "allowlist",
    ]),
  );
  expect(report.judgment.score.composite).toBe(100);
});
