// The findings of a report, sorted as its page tells them.

import type { Finding } from "../../api/judgment.ts";
import type { TestReport } from "../../api/tests.ts";

/** What is judged alike of a message and of a domain. */
export type Judged = Pick<TestReport, "composite" | "coverage" | "findings" | "plan" | "category_scores">;

/** What costs points or mail, in the order in which mending gives most. */
export function faultsOf({ findings, plan }: Judged): readonly Finding[] {
  const places = new Map((plan ?? []).map(({ finding }, index) => [finding, index]));
  const placeOf = ({ id }: Finding) => places.get(id) ?? places.size;
  return (findings ?? [])
    .filter(({ severity, owned_by }) => severity !== "good" && severity !== "info" && owned_by === null)
    .toSorted((a, b) => placeOf(a) - placeOf(b) || b.gain - a.gain);
}

/** What mending it adds once all that stands above it is mended; null where the plan does not have it. */
export function toStepGain({ plan, composite }: Judged, id: string): number | null {
  const at = plan?.findIndex(({ finding }) => finding === id) ?? -1;
  const step = plan?.[at];
  if (!step || composite === null) return null;
  return Math.max(0, step.composite - (plan?.[at - 1]?.composite ?? composite));
}

/** Faults that go with the one they follow from. */
export function followersOf({ findings }: Judged, id: string): readonly Finding[] {
  return (findings ?? []).filter(({ owned_by }) => owned_by === id);
}

export function notesOf({ findings }: Judged): readonly Finding[] {
  return (findings ?? []).filter(({ severity, owned_by }) => severity === "info" && owned_by === null);
}

export function passesOf({ findings }: Judged): readonly Finding[] {
  return (findings ?? []).filter(({ severity }) => severity === "good");
}

/** Its place in the page. A finding's name has a dot, which no selector likes. */
export function toAnchor(id: string): string {
  return `finding-${id.replace(".", "-")}`;
}
