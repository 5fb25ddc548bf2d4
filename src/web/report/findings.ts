// The findings of a report, in the order that its page shows them.

import type { Finding } from "../../features/tests/contract/judgment.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";

/** What the report of a message and the report of a domain have in common. */
export type Judged = Pick<TestReport, "composite" | "grade" | "findings" | "plan" | "limit" | "category_scores"> & {
  readonly notes?: TestReport["notes"];
  readonly suspicion?: TestReport["suspicion"];
};

/** Whether the report leaves out how to fix most issues, because that would only help a forger. */
export function withholdsFixes({ suspicion }: Judged): boolean {
  return suspicion?.withholds_fixes ?? false;
}

/** The issues to fix, in the order of the plan. */
export function faultsOf({ findings, plan }: Judged): readonly Finding[] {
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

/** The findings that fixing this one fixes too. */
export function followersOf({ findings }: Judged, id: string): readonly Finding[] {
  return (findings ?? []).filter(({ owned_by }) => owned_by === id);
}

export function notesOf({ findings, plan }: Judged): readonly Finding[] {
  const planned = new Set((plan ?? []).map(({ finding }) => finding));
  return (findings ?? []).filter(
    ({ id, severity, owned_by }) => severity === "info" && owned_by === null && !planned.has(id),
  );
}

export function passesOf({ findings }: Judged): readonly Finding[] {
  return (findings ?? []).filter(({ severity }) => severity === "good");
}

/** ID of a finding's element. Finding IDs have a dot, which CSS selectors would need escaped. */
export function toAnchor(id: string): string {
  return `finding-${id.replace(".", "-")}`;
}
