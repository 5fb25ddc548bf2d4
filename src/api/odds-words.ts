// The odds of the folders as whole per cents that make 100 together: rounded one by one they may make 99 or 101.

import type { TestReport } from "./tests.ts";

type Prediction = NonNullable<NonNullable<TestReport["placement_results"]>[number]["predicted"]>;
type Odds = Prediction["odds"];
type Folder = keyof Odds;

/** Less than half a per cent is not shown. */
const leastOdds = 0.005;

/** Of the folders that are shown. Nothing but all is 100, and what is shown is at least 1. */
export function toOddsPercents(odds: Odds): ReadonlyMap<Folder, number> {
  const shown = toShown(odds);
  const whole = shown.reduce((sum, folder) => sum + odds[folder], 0);
  const exact = (folder: Folder) => (odds[folder] / whole) * 100;
  const percents = new Map(shown.map((folder) => [folder, Math.max(Math.floor(exact(folder)), 1)]));
  const restOf = (folder: Folder) => Number((exact(folder) - (percents.get(folder) ?? 0)).toFixed(6));
  let left = 100 - percents.values().reduce((sum, percent) => sum + percent, 0);
  while (left !== 0) {
    const step = Math.sign(left);
    // The largest remainder is rounded up first; of alike ones the smaller share, where one point says more.
    const [next = "inbox"] = shown.toSorted(
      (a, b) => step * (restOf(b) - restOf(a)) || step * (odds[a] - odds[b]),
    );
    percents.set(next, (percents.get(next) ?? 0) + step);
    left -= step;
  }
  return percents;
}

/** Beside a folder that is all but sure the next one is shown, however small: the prediction is never sure itself. */
function toShown(odds: Odds): Folder[] {
  const likely = (Object.keys(odds) as Folder[])
    .filter((folder) => odds[folder] > 0)
    .toSorted((a, b) => odds[b] - odds[a]);
  return likely.filter((folder, index) => index < 2 || odds[folder] >= leastOdds);
}
