// A report in short: what to fix first and where the message lands, without the evidence. An answer of a few kilobytes
// instead of a hundred, for pipelines and agents.

import { z } from "zod";
import { pick } from "../../../platform/contract/primitives.ts";
import { type Finding, finding, judgmentFields, type PlanStep } from "./judgment.ts";
import { placementResults } from "./placement.ts";

const { id, title, severity, owner, summary, fix, records, cost } = finding.shape;

const briefIssue = z
  .strictObject({
    id,
    title,
    severity,
    owner,
    summary,
    fix,
    records,
    cost,
    composite: z
      .number()
      .nullable()
      .describe("Score once this issue and all previous ones are fixed. `null` without a score."),
  })
  .meta({ id: "BriefIssue" });
type BriefIssue = z.infer<typeof briefIssue>;

const { provider, folder, method, confidence } = placementResults.element.shape;

/** In place of the report. Each is null until the test is analyzed. */
export const briefFields = {
  grade: judgmentFields.grade,
  limit: judgmentFields.limit,
  issues: z.array(briefIssue).nullable().describe("The issues to fix, most important first, as in `plan`."),
  placement: z.array(z.strictObject({ provider, folder, method, confidence })).nullable(),
};

type BriefFields = { [Name in keyof typeof briefFields]: z.infer<(typeof briefFields)[Name]> };

type Report = Pick<BriefFields, "grade" | "limit"> & {
  readonly findings: readonly Finding[] | null;
  readonly plan: readonly PlanStep[] | null;
  readonly placement_results: z.infer<typeof placementResults> | null;
};

export function toBriefFields({ grade, limit, findings, plan, placement_results }: Report): BriefFields {
  return {
    grade,
    limit,
    issues: findings && toBriefIssues(findings, plan ?? []),
    placement: placement_results?.map((one) => pick(one, ["provider", "folder", "method", "confidence"])) ?? null,
  };
}

/** In the order of the plan. */
export function toBriefIssues(findings: readonly Finding[], plan: readonly PlanStep[]): BriefIssue[] {
  const byId = new Map(findings.map((one) => [one.id, one]));
  return plan.flatMap(({ finding: name, composite }) => {
    const found = byId.get(name);
    if (found === undefined) return [];
    const { id, title, severity, owner, summary, fix, records, cost } = found;
    return [{ id, title, severity, owner, summary, fix, records, cost, composite }];
  });
}
