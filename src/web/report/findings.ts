// The findings of a report, as its page shows them.

import type { Finding } from "../../features/tests/contract/judgment.ts";
import type { Judged } from "../../features/tests/rules/issues.ts";

/** Whether the report leaves out how to fix most issues, because that would only help a forger. */
export function withholdsFixes({ suspicion }: Judged): boolean {
  return suspicion?.withholds_fixes ?? false;
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
