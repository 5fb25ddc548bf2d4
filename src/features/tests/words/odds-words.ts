// The odds of the folders in whole percents that add up to 100. Rounded one by one, they may add up to 99 or 101.

import type { TestReport } from "../contract/tests.ts";

type Prediction = NonNullable<NonNullable<TestReport["placement_results"]>[number]["predicted"]>;
type Odds = Prediction["odds"];
type Folder = keyof Odds;

/** Less than half a percent is not shown. */
const leastOdds = 0.005;

/** The folders that are shown. Only a certainty is 100, and everything shown is at least 1. */
export function toOddsPercents(odds: Odds): ReadonlyMap<Folder, number> {
  const shown = toShown(odds);
  const whole = shown.reduce((sum, folder) => sum + odds[folder], 0);
  const exact = (folder: Folder) => (odds[folder] / whole) * 100;
  const percents = new Map(shown.map((folder) => [folder, Math.max(Math.floor(exact(folder)), 1)]));
  const restOf = (folder: Folder) => Number((exact(folder) - (percents.get(folder) ?? 0)).toFixed(6));
  let left = 100 - percents.values().reduce((sum, percent) => sum + percent, 0);
  while (left !== 0) {
    const step = Math.sign(left);
    // The largest remainder is rounded up first. If two are equal, the smaller share wins, because a point matters more
    // there.
    const [next = "inbox"] = shown.toSorted((a, b) => step * (restOf(b) - restOf(a)) || step * (odds[a] - odds[b]));
    percents.set(next, (percents.get(next) ?? 0) + step);
    left -= step;
  }
  return percents;
}

/** Next to an almost certain folder, the second one is shown even if it is tiny: a prediction is never certain. */
function toShown(odds: Odds): Folder[] {
  const likely = (Object.keys(odds) as Folder[])
    .filter((folder) => odds[folder] > 0)
    .toSorted((a, b) => odds[b] - odds[a]);
  return likely.filter((folder, index) => index < 2 || odds[folder] >= leastOdds);
}
