// The findings of a report, sorted as its page tells them.

import { toCapWords } from "../../api/gate-words.ts";
import type { Finding } from "../../api/judgment.ts";
import type { TestReport } from "../../api/tests.ts";
import { toDeciding as findDeciding, toHolding } from "../../api/verdict-words.ts";

/** What is judged alike of a message and of a domain. */
export type Judged = Pick<
  TestReport,
  "composite" | "coverage" | "findings" | "plan" | "limit" | "category_scores"
> & { readonly notes?: TestReport["notes"] };

/** What there is to fix, in the order of the plan. */
export function faultsOf({ findings, plan }: Judged): readonly Finding[] {
  const places = new Map((plan ?? []).map(({ finding }, index) => [finding, index]));
  const placeOf = ({ id }: Finding) => places.get(id) ?? places.size;
  return (
    (findings ?? [])
      // A note that holds the score down is something to do, too.
      .filter((one) => (isIssue(one) || places.has(one.id)) && one.owned_by === null)
      .toSorted((a, b) => placeOf(a) - placeOf(b) || b.gain - a.gain)
  );
}

export function isIssue({ severity }: Pick<Finding, "severity">): boolean {
  return severity !== "good" && severity !== "info";
}

/** That it holds the score, and what fixing it unlocks; null where it does not. */
export function capWordsOf({ plan, limit }: Judged, id: string): string | null {
  const step = plan?.find(({ finding }) => finding === id);
  return step ? toCapWords(step, limit?.value ?? null) : null;
}

/** What caps the score, in the order to fix it. */
export function holdingOf({ findings, plan, limit }: Judged): readonly Finding[] {
  return toHolding(limit, plan ?? []).flatMap((id) => findings?.find((one) => one.id === id) ?? []);
}

/** The issues that decide. */
export function toDeciding(
  judged: Pick<TestReport, "findings" | "limit" | "kind"> & Partial<Pick<TestReport, "sending_volume">>,
): ReadonlySet<string> {
  const findings = (judged.findings ?? []).map((finding) => ({ ...finding, owner: finding.owned_by }));
  const isBulk = judged.sending_volume === "large" && judged.kind === "bulk";
  return findDeciding(findings, judged.limit?.findings ?? [], isBulk);
}

/** Faults that go with the one they follow from. */
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

/** Its place in the page. A finding's name has a dot, which no selector likes. */
export function toAnchor(id: string): string {
  return `finding-${id.replace(".", "-")}`;
}
