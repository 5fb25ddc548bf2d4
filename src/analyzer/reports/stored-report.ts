// Reports as they are kept, by this program or an earlier one.

import type { Owner } from "../checks/check.ts";
import { unknown } from "../checks/fact.ts";
import type { KindFact, KindReason } from "../checks/kind.ts";
import { checksById } from "../checks/list.ts";
import type { DomainReport } from "./domain-report.ts";
import type { ReportedDoor } from "./door.ts";
import type { JudgedFinding, Judgment, Occurrence } from "./judgment.ts";
import type { Report } from "./report.ts";

/**
 * Reads a stored report. Null for one in an older format: the test's row keeps the verdicts, and re-analysis replaces
 * it.
 */
export function parseReport(json: string): Report | null {
  const { entrance, ...report } = JSON.parse(json) as Partial<Report> & OldNames;
  const { judgment, door = entrance } = report;
  const isWhole = judgment?.tallies && judgment.placement && report.surroundings && report.timeline;
  if (!isWhole) return null;
  const surroundings = withMalware((report as Report).surroundings);
  const upgraded = { surroundings, judgment: upgradeJudgment(judgment), ...(door && { door }) };
  return withWeighedKind({ ...(report as Report), ...upgraded });
}

/** Field names in old reports. */
type OldNames = { readonly entrance?: ReportedDoor };

/** Old reports are from before the scan. */
function withMalware(surroundings: Report["surroundings"]): Report["surroundings"] {
  const { malware = unknown("off") } = surroundings as Partial<Report["surroundings"]>;
  return { ...surroundings, malware };
}

/** Null for one that an earlier program wrote in another shape: the next check replaces it. */
export function parseDomainReport(json: string): DomainReport | null {
  const report = JSON.parse(json) as Partial<DomainReport>;
  const { judgment, verdicts, facts, analysis } = report;
  const isWhole = judgment && verdicts && facts && analysis;
  return isWhole ? { ...(report as DomainReport), judgment: upgradeJudgment(judgment) } : null;
}

/** Old reports have reasons as plain sentences and no confidence for the kind. */
function withWeighedKind(report: Report): Report {
  const { judgment } = report;
  const alternatives = (judgment.alternatives as Judgment["alternatives"] | undefined) ?? [];
  const kind = judgment.kind && readKindFact(judgment.kind);
  return { ...report, judgment: { ...judgment, kind, alternatives } };
}

type OldKindFact = Omit<KindFact, "reasons"> & { readonly reasons: readonly (KindReason | string)[] };

function readKindFact(fact: OldKindFact & Partial<KindFact>): KindFact {
  const { kind, overridden } = fact;
  const reasons = fact.reasons.map((one) => (typeof one === "string" ? { text: one, points: null, kind } : one));
  return {
    ...fact,
    reasons,
    scoredAs: fact.scoredAs ?? kind,
    confidence: fact.confidence ?? null,
    scores: fact.scores ?? null,
    source: fact.source ?? (overridden ? "person" : "inferred"),
  };
}

// Reads judgments of earlier versions. Before 0.1.0, `title` was the sentence with the evidence, and there was no short
// title and no owner. Both now come from the catalogue.

type KeptReport<T extends { readonly says: string }> = Omit<T, "says"> & { readonly says?: string };
type KeptFinding = Omit<KeptReport<JudgedFinding>, "owner" | "occurrences"> & {
  readonly owner?: Owner;
  readonly occurrences: readonly (KeptReport<Occurrence> & { readonly title?: string })[];
};

function upgradeJudgment<T extends Pick<Judgment, "findings">>(judgment: T): T {
  const findings: readonly KeptFinding[] = judgment.findings;
  return findings.every(({ says }) => says !== undefined)
    ? judgment
    : { ...judgment, findings: findings.map(upgradeFinding) };
}

/** A finding that is no longer in the catalogue has only its sentence as a title. */
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
