// What one message adds to its workspace's dashboard sums. It is stored with the test, because it is subtracted when the
// test is deleted, and reading the report again for that would be a hundred times slower.

import type { Folder } from "../placement/provider.ts";
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
};

export type Contribution = TestContribution | { readonly kind: "bounce" | "complaint" };

export function toContribution({ score, placement, findings }: Judgment): TestContribution {
  const issues: Record<string, number> = {};
  for (const { id, cost } of findings) if (cost > 0) issues[id] = (issues[id] ?? 0) + Math.round(cost * 100);
  return {
    kind: "test",
    score: score.composite === null ? null : Math.round(score.composite * 10),
    folders: Object.fromEntries(placement?.predictions.map(({ provider, folder }) => [provider, folder]) ?? []),
    issues,
  };
}

/** `contribution` is the original from the analysis, with predictions only. */
export function withPlaced(contribution: TestContribution, placed: readonly PlacedAt[]): TestContribution {
  const { kind, score, issues } = contribution;
  const folders = Object.fromEntries(placed.map(({ provider, folder }) => [provider, folder]));
  const observed = placed.filter(({ isObserved }) => isObserved).map(({ provider }) => provider);
  return { kind, score, folders, ...(observed.length > 0 && { observed }), issues };
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
  { score, folders, observed = [], issues }: TestContribution,
  example: string | null,
  sign: Sign,
): void {
  numbers.tests += sign;
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
