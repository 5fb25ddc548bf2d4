// What one message adds to the sums of its workspace's dashboard. It is kept beside the test, because it must be taken
// back when the test goes, and to read the report again for that would cost a hundred times more.

import type { Folder } from "../placement/provider.ts";
import type { Judgment } from "./judgment.ts";
import { countedAs } from "./rates.ts";
import { noDetails, noNumbers, type Sums } from "./sums.ts";

export type TestContribution = {
  readonly kind: "test";
  /** In tenths, as all that is added up is whole: what is added and taken back leaves nothing behind. */
  readonly score: number | null;
  /** By provider. */
  readonly folders: Readonly<Record<string, Folder>>;
  /** What each finding that costs something costs, in hundredths of a point. */
  readonly issues: Readonly<Record<string, number>>;
};

export type Contribution = TestContribution | { readonly kind: "bounce" | "complaint" };

export function toContribution({ score, placement, findings }: Judgment): TestContribution {
  const issues: Record<string, number> = {};
  for (const { id, cost } of findings) if (cost > 0) issues[id] = (issues[id] ?? 0) + Math.round(cost * 100);
  return {
    kind: "test",
    score: score.composite === null ? null : Math.round(score.composite * 10),
    folders: Object.fromEntries(
      placement?.predictions.map(({ provider, folder }) => [provider, folder]) ?? [],
    ),
    issues,
  };
}

export function parseContribution(text: string): Contribution {
  return JSON.parse(text) as Contribution;
}

/** `testId` is null for what is no test. */
export function toSums(contribution: Contribution, testId: string | null): Sums {
  const numbers = noNumbers();
  const details = noDetails();
  if (contribution.kind === "test") addTest({ numbers, details }, contribution, testId);
  else if (contribution.kind === "bounce") numbers.bounces = 1;
  else numbers.complaints = 1;
  return { numbers, details };
}

function addTest(
  { numbers, details }: Sums,
  { score, folders, issues }: TestContribution,
  testId: string | null,
) {
  numbers.tests = 1;
  if (score !== null) Object.assign(numbers, { scored: 1, points: score });
  for (const [provider, folder] of Object.entries(folders)) {
    details.providers[provider] = { placed: 1, inbox: 0, spam: 0, promotions: 0, [countedAs[folder]]: 1 };
    numbers.placed += 1;
    numbers[countedAs[folder]] += 1;
  }
  for (const [id, cost] of Object.entries(issues)) details.issues[id] = { tests: 1, cost, example: testId };
}
