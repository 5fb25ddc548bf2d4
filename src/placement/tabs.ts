// Marks → which of Gmail's tabs. All tabs but Promotions count as the inbox, because that is how rates are told.

import type { Reason } from "./provider.ts";
import type { TabMarks } from "./tab-marks.ts";
import { type Tab, tabBase, tabSignals, tabs } from "./tabs-table.ts";

export type TabOdds = {
  /** Of the inbox, the share that goes under Promotions. */
  readonly promotions: number;
  readonly likeliest: Tab;
  readonly reasons: readonly Reason[];
};

const tabNames: Readonly<Record<Tab, string>> = {
  primary: "Primary",
  promotions: "Promotions",
  updates: "Updates",
  social: "Social",
  forums: "Forums",
};

export function chooseTab(marks: TabMarks): TabOdds {
  const holding = tabSignals.flatMap((signal) => {
    const times = signal.times(marks);
    return times > 0 ? [{ ...signal, times }] : [];
  });
  const weightOf = (tab: Tab) =>
    Math.exp(holding.reduce((sum, { points, times }) => sum + times * (points[tab] ?? 0), tabBase[tab]));
  const weights = tabs.map((tab) => ({ tab, weight: weightOf(tab) }));
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const [first] = [...weights].sort((left, right) => right.weight - left.weight);
  const promotions = weightOf("promotions") / total;
  const likeliest = promotions >= 0.5 ? "promotions" : (first?.tab ?? "primary");
  const rival = likeliest === "promotions" ? "primary" : "promotions";
  const told = holding
    .map(({ says, points, times }) => ({
      says,
      points: Math.round(100 * times * ((points[likeliest] ?? 0) - (points[rival] ?? 0))) / 100,
    }))
    .filter(({ points }) => points > 0)
    .sort((left, right) => right.points - left.points)
    .map(({ says, points }) => ({ text: says, points, finding: null, change: null }));
  return { promotions, likeliest, reasons: [toSummary(likeliest), ...told] };
}

function toSummary(tab: Tab): Reason {
  const which = `Within the inbox it will probably stand under ${tabNames[tab]}`;
  const text = tab === "primary" ? `${which}.` : `${which}, which is a tab of the inbox and not spam.`;
  return { text, points: 0, finding: null, change: null };
}
