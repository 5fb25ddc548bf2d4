// All checks, in catalogue order. Messages and domains use the same list.

import { accessibilityChecks } from "./accessibility/list.ts";
import { authenticationChecks } from "./authentication/list.ts";
import { byId, type FindingWords, type ListedCheck } from "./check.ts";
import { complianceChecks } from "./compliance/list.ts";
import { contentChecks } from "./content/list.ts";
import { formatChecks } from "./format/list.ts";
import { identityChecks } from "./identity/list.ts";
import { infrastructureChecks } from "./infrastructure/list.ts";
import { renderingChecks } from "./rendering/list.ts";

export const checks: readonly ListedCheck[] = [
  ...authenticationChecks,
  ...infrastructureChecks,
  ...complianceChecks,
  ...formatChecks,
  ...identityChecks,
  ...contentChecks,
  ...renderingChecks,
  ...accessibilityChecks,
];

/** By the ids of findings. */
export const wordsById: ReadonlyMap<string, FindingWords> = new Map(
  checks.flatMap(({ id, findings }) =>
    Object.entries(findings).map(([name, words]) => [`${id}.${name}`, words] as const),
  ),
);

export const checksById: ReadonlyMap<string, ListedCheck> = byId(checks);
