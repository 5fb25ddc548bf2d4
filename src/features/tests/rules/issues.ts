// The issues of a report, in the order in which its pages number them.

import type { Finding } from "../contract/judgment.ts";
import type { TestReport } from "../contract/tests.ts";

/** What the report of a message and the report of a domain have in common. */
export type Judged = Pick<TestReport, "composite" | "grade" | "findings" | "plan" | "limit" | "category_scores"> & {
  readonly notes?: TestReport["notes"];
  readonly suspicion?: TestReport["suspicion"];
};

/** The issues to fix, in the order of the plan. */
export function faultsOf({ findings, plan }: Pick<Judged, "findings" | "plan">): readonly Finding[] {
  const places = new Map((plan ?? []).map(({ finding }, index) => [finding, index]));
  const placeOf = ({ id }: Finding) => places.get(id) ?? places.size;
  return (
    (findings ?? [])
      // A note that holds the score down is also an issue to fix.
      .filter((one) => (isIssue(one) || places.has(one.id)) && one.owned_by === null)
      .toSorted((a, b) => placeOf(a) - placeOf(b) || b.gain - a.gain)
  );
}

export function isIssue({ severity }: Pick<Finding, "severity">): boolean {
  return severity !== "good" && severity !== "info";
}
