// What one message adds to its workspace's dashboard sums. It is stored with the test, because it is subtracted when the
// test is deleted, and reading the report again for that would be a hundred times slower.

import type { FindingId } from "../checks/check.ts";
import { type Folder, isEitherWay } from "../placement/provider.ts";
import type { Judgment } from "./judgment.ts";
import type { PlacedAt } from "./observation.ts";
import { addIssue, addPlaced, type Sign, type Sums } from "./sums.ts";

export type TestContribution = {
  readonly kind: "test";
  /** In tenths. Sums use whole numbers, so adding and subtracting leaves no remainder. */
  readonly score: number | null;
  /** Keyed by provider. */
  readonly folders: Readonly<Record<string, Folder>>;
  /** Providers whose folder was observed; left out if there are none. */
  readonly observed?: readonly string[];
  /** The cost of each finding with a cost, in hundredths of a point. */
  readonly issues: Readonly<Record<string, number>>;
  /** Left out if its sender has nothing to do. */
  readonly need?: Need;
};

/** Why a message needs its sender. What Home counts, lists, and links to is this and nothing else. */
export type Need = {
  /** The critical or major issue to fix first; null if there is none. */
  readonly issue: FindingId | null;
  /** The providers where it is likely or was seen in spam, or would be rejected. */
  readonly lost: readonly string[];
};

export type Contribution = TestContribution | { readonly kind: "bounce" | "complaint" };

export function toContribution(judgment: Judgment): TestContribution {
  const { score, placement, findings } = judgment;
  const predictions = placement?.predictions ?? [];
  const issues: Record<string, number> = {};
  for (const { id, cost } of findings) if (cost > 0) issues[id] = (issues[id] ?? 0) + Math.round(cost * 100);
  return {
    kind: "test",
    score: score.composite === null ? null : Math.round(score.composite * 10),
    folders: Object.fromEntries(predictions.map(({ provider, folder }) => [provider, folder])),
    issues,
    ...toNeed({
      issue: findFirstToFix(judgment),
      lost: predictions.filter((one) => isLost(one) && !isEitherWay(one.odds)).map(({ provider }) => provider),
    }),
  };
}

/** In the order of the report. An issue with a cause goes with it. */
function findFirstToFix({ findings, plan }: Judgment): FindingId | null {
  const grave = findings
    .filter(({ severity, ownedBy }) => ownedBy === null && (severity === "critical" || severity === "major"))
    .map(({ id }) => id);
  return plan.find(({ finding }) => grave.includes(finding))?.finding ?? grave[0] ?? null;
}

function isLost({ folder }: { readonly folder: Folder }): boolean {
  return countedAs[folder] === "spam";
}

function toNeed(need: Need): { readonly need?: Need } {
  return need.issue !== null || need.lost.length > 0 ? { need } : {};
}

/** `contribution` is the original from the analysis, with predictions only. */
export function withPlaced(contribution: TestContribution, placed: readonly PlacedAt[]): TestContribution {
  const { kind, score, issues, need } = contribution;
  const folders = Object.fromEntries(placed.map(({ provider, folder }) => [provider, folder]));
  const observed = placed.filter(({ isObserved }) => isObserved).map(({ provider }) => provider);
  const lost = placed.filter((one) => isLost(one) && (one.isObserved || need?.lost.includes(one.provider)));
  return {
    kind,
    score,
    folders,
    ...(observed.length > 0 && { observed }),
    issues,
    ...toNeed({ issue: need?.issue ?? null, lost: lost.map(({ provider }) => provider) }),
  };
}

const placedIn = {
  inbox: { placed: 1, inbox: 1, spam: 0, promotions: 0 },
  spam: { placed: 1, inbox: 0, spam: 1, promotions: 0 },
  promotions: { placed: 1, inbox: 0, spam: 0, promotions: 1 },
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
    const counted = countedAs[folder];
    numbers.placed += sign;
    numbers[counted] += sign;
    const seen = observed.includes(provider) ? 1 : 0;
    addPlaced(details, provider, { ...placedIn[counted], observed: seen }, sign);
  }
  for (const [id, cost] of Object.entries(issues)) addIssue(details, id, { tests: 1, cost, example }, sign);
}

// Placement in three numbers: the share of each outcome among providers with a known folder.

export type Rates = {
  readonly inbox_rate: number | null;
  readonly spam_rate: number | null;
  readonly promo_rate: number | null;
};

/** How folders count. Rejected mail is as lost to the recipient as spam. */
const countedAs: Readonly<Record<Folder, "inbox" | "spam" | "promotions">> = {
  inbox: "inbox",
  promotions: "promotions",
  spam: "spam",
  rejected: "spam",
};

export function toRates(placed: readonly { readonly folder: Folder }[]): Rates {
  const shareOf = (counted: "inbox" | "spam" | "promotions") =>
    placed.length === 0 ? null : placed.filter(({ folder }) => countedAs[folder] === counted).length / placed.length;
  return { inbox_rate: shareOf("inbox"), spam_rate: shareOf("spam"), promo_rate: shareOf("promotions") };
}
