// Judgments that an earlier program kept. Until 0.1.0 the sentence with the evidence was called `title`, and there was
// neither a short title nor an owner: both come from the catalogue.

import type { Owner } from "../checks/check.ts";
import { checksById } from "../checks/list.ts";
import type { JudgedFinding, Judgment, Occurrence } from "./judgment.ts";

type Kept<T extends { readonly says: string }> = Omit<T, "says"> & { readonly says?: string };
type KeptFinding = Omit<Kept<JudgedFinding>, "owner" | "occurrences"> & {
  readonly owner?: Owner;
  readonly occurrences: readonly (Kept<Occurrence> & { readonly title?: string })[];
};

export function upgradeJudgment<T extends Pick<Judgment, "findings">>(judgment: T): T {
  const findings: readonly KeptFinding[] = judgment.findings;
  return findings.every(({ says }) => says !== undefined)
    ? judgment
    : { ...judgment, findings: findings.map(upgradeFinding) };
}

/** Of a finding that is no longer in the catalogue, its sentence is the only title there is. */
function upgradeFinding(kept: KeptFinding): JudgedFinding {
  const { id, check, title, says = title } = kept;
  const known = checksById.get(check);
  const words = known?.findings[id.slice(check.length + 1)];
  return {
    ...kept,
    says,
    title: words?.title ?? title,
    owner: words?.owner ?? known?.owner ?? "email-service",
    occurrences: kept.occurrences.map(({ title: sentence = says, ...one }) => ({ says: sentence, ...one })),
  };
}
