import { describe, expect, test } from "vitest";
import {
  type Area,
  type Check,
  defineCheck,
  type Gate,
  type ListedCheck,
  type Severity,
} from "../../../src/analyzer/checks/check.ts";
import type { Finding, Outcome } from "../../../src/analyzer/checks/run.ts";
import { toPlan } from "../../../src/analyzer/reports/plan.ts";
import {
  createScorer,
  type Score,
  type ScoredSubject,
  type Scorer,
  weights,
} from "../../../src/analyzer/reports/score.ts";

const toGains = (scorer: Scorer) => new Map(toPlan(scorer).map(({ finding, gain }) => [finding, gain]));
const toScore = (outcomes: readonly Outcome[], judged: ScoredSubject): Score => createScorer(outcomes, judged).now;

type Words = Readonly<Record<string, readonly [Severity, number]>>;

function check(id: string, area: Area, words: Words): ListedCheck {
  const findings = Object.fromEntries(
    Object.entries(words).map(([name, [severity, cost]]) => [
      name,
      { severity, cost, title: "Some fault", says: "Something.", fix: null },
    ]),
  );
  const one = defineCheck({
    id,
    helpPage: "fix-wording",
    label: "Some check",
    owner: "content",
    asks: "something",
    why: "So.",
    refs: [],
    needs: [],
    passes: "Fine.",
    findings,
    run: () => [],
  });
  return { ...one, area };
}

function found(of: Check, ...names: readonly string[]): Outcome {
  const findings = names.map((name, index): Finding => {
    const words = of.findings[name];
    if (!words) throw new Error(name);
    return {
      id: `${of.id}.${name}`,
      check: of.id,
      severity: words.severity,
      cost: words.cost,
      title: "Some fault",
      says: "",
      fix: null,
      owner: words.owner,
      gates: [],
      subject: String(index),
      ownedBy: null,
      mendedBy: [],
      evidence: {},
    };
  });
  return { check: of.id, outcome: "found", lacks: [], findings };
}

const passedOutcome = ({ id }: Check): Outcome => ({ check: id, outcome: "passed", lacks: [], says: "Fine." });
const skippedOutcome = ({ id }: Check): Outcome => ({ check: id, outcome: "skipped", why: "timeout" });

const withGates = (outcome: Outcome, ...gates: readonly Gate[]): Outcome =>
  outcome.outcome === "found"
    ? { ...outcome, findings: outcome.findings.map((finding) => ({ ...finding, gates })) }
    : outcome;

/** Section 5.3 of the catalogue: stakes are chosen so that the coverage is that of the example. */
const example = (() => {
  const strength = check("dkim-key-strength", "authentication", { short: ["minor", 3] });
  const host = check("tls-used", "infrastructure", { none: ["major", 90] });
  const lists = check("ip-blocklist", "infrastructure", { listed: ["critical", 10] });
  const oneClick = check("one-click", "compliance", { missing: ["minor", 8] });
  const format = check("from-header", "format", { missing: ["critical", 45] });
  const content = check("hidden-text", "content", { hidden: ["major", 93] });
  const links = check("link-blocklist", "content", { listed: ["critical", 7] });
  const identity = check("display-name", "identity", { decorated: ["minor", 8] });
  const clipping = check("html-clipping", "rendering", { clipped: ["major", 18] });
  const alt = check("image-alt", "accessibility", { missing: ["minor", 3] });
  const checks = [strength, host, lists, oneClick, format, content, links, identity, clipping, alt];
  const outcomes = [
    found(strength, "short"),
    passedOutcome(host),
    skippedOutcome(lists),
    found(oneClick, "missing"),
    passedOutcome(format),
    passedOutcome(content),
    skippedOutcome(links),
    passedOutcome(identity),
    found(clipping, "clipped"),
    found(alt, "missing", "missing", "missing"),
  ];
  return { outcomes, judged: { checks, kind: "bulk" } as const };
})();

describe("the worked example of the catalog", () => {
  const { outcomes, judged } = example;

  test("the worked example of the catalog has the documented score, coverage, and areas", () => {
    const { composite, mean, coverage, areas, limit } = toScore(outcomes, judged);
    expect(mean).toBeCloseTo(96.8, 1);
    expect(composite).toBe(89);
    expect(coverage).toBeCloseTo(0.973, 3);
    expect(limit).toEqual({ value: 89, why: "ceiling", findings: ["html-clipping.clipped"] });
    expect(areas.map(({ area, score, coverage: part }) => [area, score, part])).toEqual([
      ["authentication", 97, 1],
      ["infrastructure", 100, 0.9],
      ["compliance", 92, 1],
      ["format", 100, 1],
      ["identity", 100, 1],
      ["content", 100, 0.93],
      ["rendering", 82, 1],
      ["accessibility", 94.75, 1],
    ]);
  });

  test("the worked example of the catalog has the documented gain of each fix, and their order", () => {
    const gains = toGains(createScorer(outcomes, judged));
    expect(gains.get("html-clipping.clipped")).toBe(8.8);
    expect(gains.get("one-click.missing")).toBe(0);
    const plan = toPlan(createScorer(outcomes, judged));
    expect(plan.slice(0, 2)).toMatchObject([
      { finding: "html-clipping.clipped", composite: 97.8, reason: "cap", unlocks: 97.8 },
      { finding: "one-click.missing", composite: 98.9, reason: "gain", unlocks: null },
    ]);
    expect(plan.at(-1)?.composite).toBe(100);
  });
});

describe("the score", () => {
  const spf = check("spf-result", "authentication", { fail: ["major", 18], shown: ["critical", 0] });
  const key = check("dkim-key", "authentication", { missing: ["critical", 45] });
  const judged = { checks: [spf, key], kind: "transactional" } as const;

  test("the score is empty for a message of which nothing could be checked", () => {
    expect(toScore([skippedOutcome(spf), skippedOutcome(key)], judged)).toMatchObject({
      composite: null,
      coverage: 0,
      areas: expect.arrayContaining([{ area: "authentication", score: null, weight: 30, coverage: 0 }]),
    });
  });

  test("the score is empty if less than half was checked", () => {
    const { composite, coverage } = toScore([found(spf, "fail"), skippedOutcome(key)], judged);
    expect(composite).toBeNull();
    expect(coverage).toBeCloseTo(18 / 63);
  });

  test("the score is under 70 with one critical issue, and lower with each further one", () => {
    const { composite, limit } = toScore([found(spf, "fail"), found(key, "missing")], judged);
    expect(limit).toBeNull(); // 37 points are left, which is lower than any ceiling
    expect(composite).toBe(37);
  });

  test("the score loses no points for a consequence of another finding", () => {
    const outcome = found(key, "missing");
    const owned =
      outcome.outcome === "found"
        ? {
            ...outcome,
            findings: outcome.findings.map((one) => ({ ...one, cost: 0, ownedBy: "spf-result.fail" as const })),
          }
        : outcome;
    expect(toScore([found(spf, "fail"), owned], judged).composite).toBe(82);
    expect(toGains(createScorer([found(spf, "fail"), owned], judged)).get("spf-result.fail")).toBe(18);
  });

  describe("the score of a message without SPF and DKIM", () => {
    const signed = check("dkim-present", "authentication", { missing: ["major", 18] });
    const result = check("dmarc-result", "authentication", { unauthenticated: ["critical", 0] });
    const checks = [spf, signed, result];
    const refusal = { provider: "gmail", sender: "any", reply: "550 5.7.26" } as const;
    const unproven = (...mendedBy: readonly ("spf" | "dkim")[]) => {
      const outcome = withGates(found(result, "unauthenticated"), refusal);
      return "findings" in outcome
        ? { ...outcome, findings: outcome.findings.map((one) => ({ ...one, mendedBy })) }
        : outcome;
    };
    const missing = withGates(found(signed, "missing"), { ...refusal, when: "spf-fails" });
    const gainsOf = (...outcomes: readonly Outcome[]) =>
      Object.fromEntries(toGains(createScorer(outcomes, { checks, kind: "transactional" })));

    test("the score of a message without SPF and DKIM shows that fixing either is enough", () => {
      expect(gainsOf(found(spf, "fail"), missing, unproven("spf", "dkim"))).toEqual({
        "spf-result.fail": 42,
        "dkim-present.missing": 42,
      });
    });

    test("the score of a message without SPF and DKIM shows no gain for the SPF of another domain", () => {
      const gains = gainsOf(found(spf, "fail"), missing, unproven("dkim"));
      expect(gains).toMatchObject({ "spf-result.fail": 0, "dkim-present.missing": 42 });
    });

    test("the score of a message without SPF and DKIM shows no gain while another issue keeps SPF or DKIM from passing", () => {
      const record = check("spf-syntax", "authentication", { "invalid-term": ["major", 18] });
      const outcomes = [found(spf, "fail"), found(record, "invalid-term"), unproven("spf")];
      const gains = toGains(createScorer(outcomes, { checks: [...checks, record], kind: "transactional" }));
      expect(gains.get("spf-result.fail")).toBe(0);
    });
  });

  test("the score is capped if a large provider rejects any sender, but not if one defers or may reject", () => {
    const gmail = { provider: "gmail", sender: "any", reply: "550 5.7.26" } as const;
    const capped = toScore([withGates(found(spf, "shown"), gmail), passedOutcome(key)], judged);
    expect(capped).toMatchObject({ composite: 49, limit: { why: "cap", findings: ["spf-result.shown"] } });
    for (const milder of [
      { ...gmail, reply: "421 4.7.0" },
      { ...gmail, reply: "no mitigation (no refusal)" },
      { ...gmail, may: true as const },
      { ...gmail, provider: "gmx" as const },
      { ...gmail, sender: "bulk" as const },
      { ...gmail, reply: "no mitigation (no refusal)" },
    ])
      expect(toScore([withGates(found(spf, "shown"), milder), passedOutcome(key)], judged).composite).toBe(100);
  });

  test("the score is capped for bulk mail if a provider rejects bulk senders", () => {
    const outcomes = [
      withGates(found(spf, "shown"), { provider: "outlook", sender: "bulk", reply: "550 5.7.515" }),
      passedOutcome(key),
    ];
    expect(toScore(outcomes, { ...judged, kind: "bulk" }).composite).toBe(64);
  });

  test("the score is capped if a provider first defers and then rejects", () => {
    const later = { provider: "gmail", sender: "any", reply: "421 4.7.32, then refusal" } as const;
    expect(toScore([withGates(found(spf, "shown"), later), passedOutcome(key)], judged).composite).toBe(49);
  });

  test("the score loses at most twice a check's weight, and five points for wording", () => {
    const links = check("link-text", "content", { mismatch: ["major", 18] });
    const many = Array(30).fill("mismatch");
    const { areas } = toScore([found(links, ...many)], { checks: [links], kind: null });
    expect(areas.find(({ area }) => area === "content")?.score).toBeCloseTo(64);
    const wording = check("wording", "content", { phrases: ["minor", 3], shouting: ["minor", 3] });
    const subject = check("subject-style", "content", { capitals: ["minor", 3], address: ["minor", 8] });
    const worded = [found(wording, "phrases", "shouting"), found(subject, "capitals", "address")];
    const score = toScore(worded, { checks: [wording, subject], kind: null });
    expect(score.areas.find(({ area }) => area === "content")?.score).toBe(87);
  });
});

test("a check of a reserved name is not missing, and its area counts by the others", () => {
  const [named, other] = [
    check("named", "authentication", { bad: ["major", 30] }),
    check("other", "authentication", { bad: ["major", 10] }),
  ];
  const body = check("body", "content", { bad: ["major", 10] });
  const scoreFor = (why: "reserved-name" | "timeout") =>
    toScore(
      [
        { check: "named", outcome: "skipped", why },
        { check: "other", outcome: "skipped", why: "timeout" },
        passedOutcome(body),
      ],
      { checks: [named, other, body], kind: null },
    ).coverage;
  expect(scoreFor("reserved-name")).toBeCloseTo(weights.content / (weights.content + weights.authentication / 4));
  expect(scoreFor("timeout")).toBeCloseTo(weights.content / (weights.content + weights.authentication));
});
