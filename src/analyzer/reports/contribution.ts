// What one message adds to its workspace's dashboard sums. It is stored with the test, because it is subtracted when the
// test is deleted, and reading the report again for that would be a hundred times slower.

import type { FindingId } from "../checks/check.ts";
import type { Judgment } from "./judgment.ts";
import { type Place, type PlacedAt, type Predicted, toPredicted } from "./observation.ts";
import { addIssue, addPlaced, placedNames, type Sign, type Sums } from "./sums.ts";

export type TestContribution = {
  readonly kind: "test";
  /** In tenths. Sums use whole numbers, so adding and subtracting leaves no remainder. */
  readonly score: number | null;
  /** Keyed by provider. */
  readonly folders: Readonly<Record<string, Place>>;
  /** Providers whose folder was observed; left out if there are none. */
  readonly observed?: readonly string[];
  /** The cost of each finding with a cost, in hundredths of a point. */
  readonly issues: Readonly<Record<string, number>>;
  /** Null if its sender has nothing to do. Earlier versions left it out. */
  readonly need?: Need | null;
};

/** Why a message needs its sender. What Home counts, lists, and links to is this and nothing else. */
export type Need = {
  /** The critical or major issue to fix first; null if there is none. */
  readonly issue: FindingId | null;
  readonly isCritical: boolean;
  /** The providers where it is likely or was seen in spam, or would be rejected. */
  readonly lost: readonly string[];
};

export type Contribution = TestContribution | { readonly kind: "bounce" | "complaint" };

export function toContribution(judgment: Judgment): TestContribution {
  const { score, placement, findings } = judgment;
  const predicted = toPredicted(placement);
  const first = findFirstToFix(judgment);
  const issues: Record<string, number> = {};
  for (const { id, cost } of findings) if (cost > 0) issues[id] = (issues[id] ?? 0) + Math.round(cost * 100);
  return {
    kind: "test",
    score: score.composite === null ? null : Math.round(score.composite * 10),
    folders: Object.fromEntries(predicted.map(({ provider, folder }) => [provider, folder])),
    issues,
    need: toNeed({ issue: first?.id ?? null, isCritical: first?.severity === "critical" }, predicted),
  };
}

/** In the order of the report. An issue with a cause goes with it. */
function findFirstToFix({ findings, plan }: Judgment) {
  const grave = findings.filter(
    ({ severity, ownedBy }) => ownedBy === null && (severity === "critical" || severity === "major"),
  );
  const planned = plan.find(({ finding }) => grave.some(({ id }) => id === finding));
  return grave.find(({ id }) => id === planned?.finding) ?? grave[0];
}

function toNeed({ issue, isCritical }: Omit<Need, "lost">, placed: readonly Predicted[]): Need | null {
  const lost = placed.filter(({ folder }) => countedAs[folder] === "spam").map(({ provider }) => provider);
  return issue === null && lost.length === 0 ? null : { issue, isCritical, lost };
}

/** `contribution` is the original from the analysis, with predictions only. */
export function withPlaced(contribution: TestContribution, placed: readonly PlacedAt[]): TestContribution {
  const { kind, score, issues, need } = contribution;
  const folders = Object.fromEntries(placed.map(({ provider, folder }) => [provider, folder]));
  const observed = placed.filter(({ isObserved }) => isObserved).map(({ provider }) => provider);
  return {
    kind,
    score,
    folders,
    ...(observed.length > 0 && { observed }),
    issues,
    // One of an earlier version stays recognizable, so that it is counted again.
    ...(need !== undefined && { need: toNeed(need ?? { issue: null, isCritical: false }, placed) }),
  };
}

const placedIn = {
  inbox: { placed: 1, inbox: 1, spam: 0, promotions: 0 },
  spam: { placed: 1, inbox: 0, spam: 1, promotions: 0 },
  promotions: { placed: 1, inbox: 0, spam: 0, promotions: 1 },
  open: { placed: 1, inbox: 0, spam: 0, promotions: 0 },
};

/** `text` is a Contribution as JSON. `testId` is null for mail that is not a test. */
export function addContribution(into: Sums, text: string, testId: string | null, sign: Sign): void {
  const contribution = JSON.parse(text) as Contribution;
  if (contribution.kind === "test") addTest(into, contribution, testId, sign);
  else if (contribution.kind === "bounce") into.numbers.bounces += sign;
  else into.numbers.complaints += sign;
}

function addTest(
  { numbers, details }: Sums,
  { score, folders, observed = [], issues, need }: TestContribution,
  example: string | null,
  sign: Sign,
): void {
  numbers.tests += sign;
  if (need) details.needing = (details.needing ?? 0) + sign;
  if (score !== null) {
    numbers.scored += sign;
    numbers.points += sign * score;
  }
  for (const [provider, folder] of Object.entries(folders)) {
    const placed = placedIn[countedAs[folder]];
    for (const name of placedNames) numbers[name] += sign * placed[name];
    addPlaced(details, provider, { ...placed, observed: observed.includes(provider) ? 1 : 0 }, sign);
  }
  for (const [id, cost] of Object.entries(issues)) addIssue(details, id, { tests: 1, cost, example }, sign);
}

// Placement in three numbers: the share of each outcome. Open predictions are what is missing to 1.

export type Rates = {
  readonly inbox_rate: number | null;
  readonly spam_rate: number | null;
  readonly promo_rate: number | null;
};

/** How folders count. Rejected mail is as lost to the recipient as spam. */
const countedAs: Readonly<Record<Place, keyof typeof placedIn>> = {
  inbox: "inbox",
  promotions: "promotions",
  spam: "spam",
  rejected: "spam",
  open: "open",
};

export function toRates(placed: readonly Pick<Predicted, "folder">[]): Rates {
  const shareOf = (counted: "inbox" | "spam" | "promotions") =>
    placed.length === 0 ? null : placed.filter(({ folder }) => countedAs[folder] === counted).length / placed.length;
  return { inbox_rate: shareOf("inbox"), spam_rate: shareOf("spam"), promo_rate: shareOf("promotions") };
}
