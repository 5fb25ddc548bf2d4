// What one report praises and faults at once, by what each line is about.

import { isAboveInfo } from "../../src/analyzer/reports/causes.ts";
import type { Judgment } from "../../src/analyzer/reports/judgment.ts";
import { allHeaders, families, namesIn, ofAbsence, universalOfHeaders } from "./praise-families.ts";

type Line = { readonly check: string; readonly says: string; readonly id: string };

export function praiseIn({ passes, findings }: Judgment): Line[] {
  return [
    ...passes.map(({ check, says }) => ({ check, says, id: `${check}.passed` })),
    ...findings.filter(({ severity }) => severity === "good").flatMap(linesOf),
  ].filter(({ says }) => says !== "");
}

function faultsIn({ findings }: Judgment): Line[] {
  return findings.filter(isAboveInfo).flatMap(linesOf);
}

function linesOf({ check, id, occurrences }: Judgment["findings"][number]): Line[] {
  return occurrences.map(({ says, subject }) => ({ check, id, says: `${says} ${subject ?? ""}` }));
}

/** Each as "praise ↔ fault". */
export function contradictionsIn(judgment: Judgment): string[] {
  const faults = faultsIn(judgment);
  return praiseIn(judgment).flatMap((praise) =>
    faults
      .filter((fault) => isOfSameThing(praise, fault))
      .map((fault) => `${praise.id}: ${praise.says} ↔ ${fault.id}: ${fault.says}`),
  );
}

function isOfSameThing(praise: Line, fault: Line): boolean {
  if (praise.check === fault.check || ofAbsence.includes(fault.id)) return false;
  if (universalOfHeaders.includes(praise.check) && allHeaders.test(fault.check)) return true;
  return families.some(
    ({ checks, isSingle }) =>
      checks.test(praise.check) &&
      checks.test(fault.check) &&
      (isSingle || sharesName(namesIn(praise.says), namesIn(fault.says))),
  );
}

function sharesName(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === 0 || other.size === 0 || !one.isDisjointFrom(other);
}
