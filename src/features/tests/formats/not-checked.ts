// What was not checked, by reason. Few checks are named. Of many, only their number in each area is given, because a
// page of names helps no reader. The JSON has them all.

import type { Why } from "../../../analyzer/checks/fact.ts";
import { checksById } from "../../../analyzer/checks/list.ts";
import type { Judgment } from "../../../analyzer/reports/judgment.ts";
import { areaLabels } from "../../../analyzer/reports/score.ts";

type NotChecked = { readonly why: Why | "broken"; readonly what: string };

const mostNamed = 5;

export function toNotChecked({ skipped, partly }: Pick<Judgment, "skipped" | "partly">): NotChecked[] {
  const all = [
    ...skipped.map(({ check, why }) => ({ check, why, isPartly: false })),
    ...partly.map(({ check, why }) => ({ check, why, isPartly: true })),
  ];
  return [...Map.groupBy(all, ({ why }) => why)].map(([why, alike]) => {
    const names = new Set(alike.map(({ check, isPartly }) => `${toLabel(check)}${isPartly ? " (partly)" : ""}`));
    if (names.size <= mostNamed) return { why, what: [...names].join(", ") };
    const areas = Map.groupBy(new Set(alike.map(({ check }) => check)), toArea);
    const counts = [...areas].map(([area, checks]) => `${checks.length} in ${area}`);
    return { why, what: `${names.size} checks (${counts.join(", ")})` };
  });
}

function toLabel(check: string): string {
  return checksById.get(check)?.label ?? check;
}

function toArea(check: string): string {
  const area = checksById.get(check)?.area;
  return area === undefined ? "other areas" : areaLabels[area];
}
