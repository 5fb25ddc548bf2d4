// Reads the plans in `ASSAY_PLANS`. Any error in the file stops the server from starting.

import { readFile } from "node:fs/promises";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import { Refusal } from "../../../platform/errors.ts";
import { fileReasons } from "../../../platform/system/private-file.ts";
import { type Plans, parsePlans, selfHostedPlans } from "../rules/plans.ts";

export async function loadPlans(file: string | null): Promise<Plans> {
  if (file === null) return selfHostedPlans;
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "file not found" : fileReasons[error.code ?? ""];
    throw new Refusal("invalid_request", `${named(file)} cannot be read: ${why ?? "unknown error"}.`);
  });
  const reading = parsePlans(text);
  if (reading.ok) return reading.plans;
  const lines = reading.problems.map((problem) => `  ${toVisibleCut(problem, 300)}.`);
  throw new Refusal("invalid_request", `${named(file)} has errors:\n${lines.join("\n")}`);
}

function named(file: string): string {
  return `ASSAY_PLANS file ${JSON.stringify(toVisibleCut(file, 200))}`;
}
