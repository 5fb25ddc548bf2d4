import { describe, expect, test } from "vitest";
import type { FindingId, Gate, Proof, Severity } from "../../../src/analyzer/checks/check.ts";
import { checks } from "../../../src/analyzer/checks/list.ts";
import type { Finding, Outcome } from "../../../src/analyzer/checks/run.ts";
import { causesOf } from "../../../src/analyzer/reports/causes.ts";
import { issuesOf, type Step, stepsOf, toPlan } from "../../../src/analyzer/reports/plan.ts";
import { createScorer, type Scorer } from "../../../src/analyzer/reports/score.ts";
import { bases, fixtures, letterOf } from "../../fixtures/messages/fixture.ts";
import { analyze } from "../../fixtures/messages/run.ts";
import { createRandom, type Random } from "../domains/random.ts";

const any = { provider: "gmail", sender: "any", reply: "550 5.7.26" } as const satisfies Gate;
const bulk = { provider: "outlook", sender: "bulk", reply: "550 5.7.515" } as const satisfies Gate;

type Faulty = Partial<Pick<Finding, "severity" | "cost" | "gates" | "ownedBy" | "mendedBy">>;

/** What the checks of the catalogue would say, with other severities, costs and replies. */
function toScorer(faults: Readonly<Record<FindingId, Faulty>>, kind: "bulk" | "transactional" = "bulk"): Scorer {
  const found = Map.groupBy(Object.entries(faults), ([id]) => id.split(".", 1)[0] ?? "");
  const outcomes = checks.map(({ id: check }): Outcome => {
    const here = found.get(check);
    if (!here) return { check, outcome: "passed", says: "", lacks: [] };
    const findings = here.map(([id, fault]): Finding => {
      const plain = { severity: "minor", cost: 3, gates: [], ownedBy: null, mendedBy: [] } as const;
      const words = { check, title: id, says: id, fix: null, subject: null, evidence: {} };
      const owner = "dns" as const;
      const whole = { ...plain, ...words, owner, ...fault };
      return { id: id as FindingId, ...whole, cost: whole.ownedBy === null ? whole.cost : 0 };
    });
    return { check, outcome: "found", lacks: [], findings };
  });
  return createScorer(outcomes, { checks, kind });
}

const orderOf = (plan: readonly Step[]) => plan.map(({ finding }) => finding);

describe("the fix to do first", () => {
  test("the fix to do first is malware before a file type that providers reject", () => {
    const scorer = toScorer({
      "attachment-refused.blocked": { severity: "critical", cost: 45, gates: [any] },
      "attachment-virus.found": { severity: "critical", cost: 45 },
    });
    expect(orderOf(toPlan(scorer))[0]).toBe("attachment-virus.found");
  });

  test("the fix to do first is the issue that caps the score, even if another fix gains more", () => {
    const plan = toPlan(
      toScorer({
        "message-id.missing": { severity: "major", cost: 18 },
        "ptr-record.missing": { severity: "critical", cost: 45, gates: [any] },
        "dmarc-result.unaligned": { severity: "critical", cost: 45, gates: [any] },
      }),
    );
    expect(orderOf(plan)).toEqual(["dmarc-result.unaligned", "ptr-record.missing", "message-id.missing"]);
    expect(plan[0]).toMatchObject({ reason: "rejected", cap: { value: 49, count: 1 } });
    expect(plan[1]?.reason).toBe("rejected");
    expect(plan[2]).toMatchObject({ reason: "cap", composite: 100 });
  });

  test("the fix to do first is one of several that cap the score together, with the score that all of them unlock", () => {
    const refused = { severity: "major", cost: 8, gates: [any] } as const;
    const [first, second, third, last] = toPlan(
      toScorer({
        "spf-end.no-verdict": { severity: "minor", cost: 3 },
        "helo-name.invalid": refused,
        "from-header.missing": refused,
        "header-8bit.raw": { ...refused, severity: "minor" },
      }),
    );
    expect(first).toMatchObject({ gain: 0, composite: 49, cap: { value: 49, count: 3 } });
    expect(second).toMatchObject({ gain: 0, composite: 49, cap: { value: 49, count: 3 } });
    expect(third).toMatchObject({ finding: "header-8bit.raw", gain: 0, cap: { value: 49, count: 3 } });
    expect(new Set([first?.unlocks, second?.unlocks, third?.unlocks])).toEqual(new Set([third?.composite]));
    expect(last).toMatchObject({ finding: "spf-end.no-verdict", reason: "gain", unlocks: null, cap: null });
  });

  test("the fix to do first is a single one if SPF or DKIM would be enough", () => {
    const flaw = { severity: "major", cost: 18 } as const;
    const [first, second] = toPlan(
      toScorer(
        {
          "spf-result.fail": flaw,
          "spf-syntax.invalid-term": { ...flaw, severity: "critical" },
          "dkim-present.missing": flaw,
          "dmarc-result.unauthenticated": { severity: "critical", cost: 0, mendedBy: ["spf", "dkim"], gates: [any] },
        },
        "transactional",
      ),
    );
    expect(first).toMatchObject({ finding: "dkim-present.missing", cap: { value: 49, count: 1 } });
    expect(second).toMatchObject({ finding: "spf-syntax.invalid-term", reason: "cap" });
  });

  test("the fix to do first is the broken signature if that alone lifts the cap and its consequences", () => {
    const plan = toPlan(
      toScorer({
        "dkim-signature.body-changed": { severity: "critical", cost: 45 },
        "dmarc-result.unaligned": { severity: "critical", cost: 45, mendedBy: ["dkim"], gates: [any] },
      }),
    );
    expect(plan[0]).toMatchObject({
      finding: "dkim-signature.body-changed",
      composite: 100,
      cap: { value: 49, count: 1 },
    });
  });

  test("the fix to do first is the issue that a provider rejects, before a more severe one, if there is no cap", () => {
    const grave = { severity: "critical", cost: 60 } as const;
    const plan = toPlan(
      toScorer({
        "spf-result.fail": grave,
        "dkim-key.missing": grave,
        "dmarc-record.several": grave,
        "fcrdns.mismatch": grave,
        "mx-hosts.none": grave,
        "from-header.missing": grave,
        "helo-name.invalid": { severity: "major", cost: 18, gates: [bulk] },
      }),
    );
    const place = orderOf(plan).indexOf("helo-name.invalid");
    expect(plan[place]?.reason).toBe("rejected");
  });

  test("the fix to do first is the issue itself if its cause was not found", () => {
    const plan = toPlan(toScorer({ "spf-result.fail": { severity: "major", ownedBy: "dkim-key.missing" } }));
    expect(orderOf(plan)).toEqual(["spf-result.fail"]);
  });

  test("the fix to do first is the end of a chain of causes, or the first of a loop", () => {
    const chain = toScorer({
      "spf-result.fail": { severity: "critical", cost: 45, gates: [any], ownedBy: "helo-name.invalid" },
      "helo-name.invalid": { severity: "major", ownedBy: "ptr-record.missing" },
      "ptr-record.missing": { severity: "major", cost: 18 },
    });
    expect(orderOf(toPlan(chain))).toEqual(["ptr-record.missing"]);
    expect(toPlan(chain)[0]).toMatchObject({ composite: 100, cap: { value: 49, count: 1 } });
    const circle = toScorer({
      "spf-result.fail": { severity: "major", ownedBy: "dkim-key.missing" },
      "dkim-key.missing": { severity: "major", ownedBy: "spf-result.fail" },
    });
    expect(orderOf(toPlan(circle))).toHaveLength(1);
  });
});

const severities: readonly Severity[] = ["critical", "major", "major", "minor", "minor", "minor", "info"];
const costs: Readonly<Record<Severity, number>> = { critical: 45, major: 18, minor: 3, info: 0, good: 0 };
const proofs: readonly (readonly Proof[])[] = [["spf"], ["dkim"], ["spf", "dkim"]];
const ids = checks.flatMap(({ id, findings }) => Object.keys(findings).map((name): FindingId => `${id}.${name}`));

function toFaults(random: Random): Record<FindingId, Faulty> {
  const picked = random.shuffle(ids).slice(0, 1 + Math.floor(random.next() * 14));
  return Object.fromEntries(
    picked.map((id): [FindingId, Faulty] => {
      const severity = random.pick(severities);
      const isConsequence = random.next() < 0.2 && !/^(?:spf|dkim)-/.test(id);
      return [
        id,
        {
          severity,
          cost: isConsequence ? 0 : costs[severity],
          gates: random.next() < 0.25 ? [random.pick([any, bulk, { ...any, when: "spf-fails" }])] : [],
          ownedBy: random.next() < 0.15 ? (random.pick(picked.filter((other) => other !== id)) ?? null) : null,
          mendedBy: isConsequence ? random.pick(proofs) : [],
        },
      ];
    }),
  );
}

function expectWhole(scorer: Scorer): void {
  const plan = toPlan(scorer);
  const named = orderOf(plan);
  expect(new Set(named).size).toBe(named.length);
  const all = scorer.left(new Set());
  // Each with a cost, or that holds a cap, is a step or goes back to one.
  const holding = scorer.now.limit?.findings ?? [];
  for (const finding of all) {
    if (finding.cost > 0) expect(named).toContain(finding.id);
    if (holding.includes(finding.id)) expect(causesOf(finding, all).some((cause) => named.includes(cause))).toBe(true);
  }
  const owned = all.filter(({ id, ownedBy }) => ownedBy !== null && named.includes(id));
  for (const { id } of owned) expect(all.some((one) => one.id === id && one.ownedBy === null)).toBe(true);
  expect(plan.at(-1)?.composite ?? scorer.now.composite).toBe(scorer.without(new Set(named)).composite);
  expectSteps(scorer, plan);
}

function expectSteps(scorer: Scorer, plan: readonly Step[]): void {
  const fixed = new Set<FindingId>();
  for (const step of plan) {
    const { limit } = scorer.without(fixed);
    const first = plan[0]?.cap?.value;
    if (limit !== null && step.cap?.value === first && step.unlocks === plan[0]?.unlocks) {
      // It holds the score down now, whatever holds it at its turn.
      expect(first).toBeLessThanOrEqual(limit.value);
    } else if (limit !== null) {
      if (limit.why === "cap") expect(step.cap?.value).toBe(limit.value);
      else expect(step.cap?.value).toBeLessThanOrEqual(limit.value);
      // Behind a cap may be another of the same value.
      expect(step.unlocks).toBeGreaterThanOrEqual(limit.value);
    } else expect(step).toMatchObject({ cap: null, unlocks: null });
    if (limit?.why === "cap") {
      // All that hold it together lift it, and not without this one.
      const rest = orderOf(plan).slice(fixed.size);
      const run = rest.slice(
        0,
        rest.findIndex((_, index) => isLifted(scorer, [...fixed, ...rest.slice(0, index + 1)], limit.value)) + 1,
      );
      expect(run).toContain(step.finding);
      const others = run.filter((id) => id !== step.finding);
      expect(isLifted(scorer, [...fixed, ...others], limit.value)).toBe(false);
    }
    fixed.add(step.finding);
    expect(step.composite).toBe(scorer.without(fixed).composite);
    const alone = scorer.without(new Set([step.finding])).composite ?? 0;
    expect(step.gain).toBeCloseTo(alone - (scorer.now.composite ?? 0), 1);
  }
}

function isLifted({ without }: Scorer, fixed: readonly FindingId[], value: number): boolean {
  const { limit } = without(new Set(fixed));
  return limit === null || limit.why !== "cap" || limit.value !== value;
}

test("every issue is one step, the first lifts the cap, and the last gives the best score", () => {
  const random = createRandom(32);
  for (let round = 0; round < 150; round++)
    expectWhole(toScorer(toFaults(random), random.pick(["bulk", "transactional"])));
});

test.each(fixtures.map((fixture) => [fixture.number, fixture.broken, fixture] as const))(
  "fixture %i, %s: the list of issues equals the plan",
  async (_number, _broken, fixture) => {
    const { judgment } = await analyze(letterOf(fixture));
    expect(issuesOf(judgment).map(({ id }) => id)).toEqual(orderOf(judgment.plan));
    for (const { finding, gain } of judgment.plan)
      expect(judgment.findings.find(({ id }) => id === finding)?.gain).toBe(gain);
  },
);

test("a report of an earlier version keeps its steps", async () => {
  const [fixture] = fixtures;
  const { judgment } = await analyze(fixture ? letterOf(fixture) : bases.T);
  const plan = judgment.plan.map(({ finding, composite }) => ({ finding, composite })) as unknown as Step[];
  const steps = stepsOf({ ...judgment, plan });
  expect(orderOf(steps)).toEqual(orderOf(judgment.plan));
  expect(steps.map(({ gain }) => gain)).toEqual(judgment.plan.map(({ gain }) => gain));
});
