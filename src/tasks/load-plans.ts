import { readFile } from "node:fs/promises";
import { type Plans, parsePlans, selfHostedPlans } from "../accounts/plans.ts";
import { Refusal } from "../errors.ts";
import { fileReasons } from "../system/file-reasons.ts";
import { toVisibleCut } from "../visible-text.ts";

/** The plans of `ASSAY_PLANS`; a file that is wrong in anything stops the start. */
export async function loadPlans(file: string | null): Promise<Plans> {
  if (file === null) return selfHostedPlans;
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "it is not there" : fileReasons[error.code ?? ""];
    throw new Refusal("invalid_request", `${named(file)} cannot be read: ${why ?? "an unknown reason"}.`);
  });
  const reading = parsePlans(text);
  if (reading.ok) return reading.plans;
  const lines = reading.problems.map((problem) => `  ${toVisibleCut(problem, 300)}.`);
  throw new Refusal("invalid_request", `${named(file)} is wrong:\n${lines.join("\n")}`);
}

function named(file: string): string {
  return `The file of plans, ASSAY_PLANS ${JSON.stringify(toVisibleCut(file, 200))},`;
}
