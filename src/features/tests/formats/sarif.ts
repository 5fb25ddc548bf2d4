// Judgments as SARIF 2.1.0 (OASIS, with errata 01) for code scanning: a rule for each finding, a result for each occurrence,
// and a notification for each check that was not completed.

import { pathToFileURL } from "node:url";
import type { FindingId, FindingWords, ListedCheck, Severity } from "../../../analyzer/checks/check.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import { checks } from "../../../analyzer/checks/list.ts";
import { toReferences } from "../../../analyzer/checks/references.ts";
import type { JudgedFinding, Occurrence } from "../../../analyzer/reports/judgment.ts";
import { gradeOf } from "../../../analyzer/reports/report.ts";
import { areaLabels } from "../../../analyzer/reports/score.ts";
import { version } from "../../../analyzer/version.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { type JudgedSubject, toDetails } from "./gate-text.ts";

const levels = { critical: "error", major: "error", minor: "warning", info: "note", good: "none" } as const;

export function toSarif(judged: readonly JudgedSubject[]): object {
  const rules = toRules(judged);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Assay", version, semanticVersion: version, rules } },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: judged.flatMap(toNotifications) }],
        results: judged.flatMap((one) => toResults(one, indexes)),
        columnKind: "utf16CodeUnits",
        properties: { judged: judged.map(toSummary) },
      },
    ],
  };
}

function isTold({ severity }: { readonly severity: Severity }): boolean {
  return severity !== "good";
}

type Rule = { readonly id: FindingId };

/** Rules for the findings that occur, in the order of the catalog. */
function toRules(judged: readonly JudgedSubject[]): Rule[] {
  const found = new Set(
    judged.flatMap(({ report }) => report?.judgment.findings.filter(isTold) ?? []).map(({ id }) => id),
  );
  return checks.flatMap((check) =>
    Object.entries(check.findings).flatMap(([name, words]) => {
      const id: FindingId = `${check.id}.${name}`;
      return found.has(id) ? [toRule(id, check, words)] : [];
    }),
  );
}

function toRule(id: FindingId, { asks, why, refs, area }: ListedCheck, { severity, title }: FindingWords) {
  const references = refs.flatMap(toReferences);
  const helpUri = references.find(({ url }) => url !== null)?.url;
  const cited = references.map(({ title: page, url }) => (url === null ? page : `${page} (${url})`));
  const help = [why, `See ${cited.join("; ")}.`];
  return {
    id,
    shortDescription: toMessage(title),
    fullDescription: toMessage(`Checks ${asks}. ${why}`),
    help: toMessage(help.join("\n\n")),
    ...(helpUri && { helpUri }),
    defaultConfiguration: { level: levels[severity] },
    properties: { tags: [areaLabels[area]] },
  };
}

/** Each occurrence of a finding is a separate result, because each has its own location. */
function toResults({ report, ...place }: JudgedSubject, indexes: ReadonlyMap<FindingId, number>): object[] {
  return (report?.judgment.findings.filter(isTold) ?? []).flatMap((finding) =>
    finding.occurrences.map((occurrence) => ({
      ruleId: finding.id,
      ruleIndex: indexes.get(finding.id) ?? -1,
      // A finding that another one causes disappears with it.
      level: finding.ownedBy === null ? levels[finding.severity] : "note",
      message: toMessage([occurrence.says, ...toDetails(finding, occurrence.fix)].map(toVisible).join("\n")),
      locations: [toLocation(place, toLine(finding, occurrence))],
      properties: {
        severity: finding.severity,
        gain: finding.gain,
        ...(finding.ownedBy !== null && { ownedBy: finding.ownedBy }),
        ...(occurrence.subject !== null && { subject: toVisible(occurrence.subject) }),
      },
    })),
  );
}

function toNotifications({ report, ...place }: JudgedSubject): object[] {
  return (report?.judgment.skipped ?? []).map(({ check, why }) => ({
    level: why === "broken" ? "error" : "note",
    associatedRule: { id: check },
    message: toMessage(`${check} was not checked: ${whyWords[why]}.`),
    locations: [toLocation(place, null)],
  }));
}

function toSummary({ name, report }: JudgedSubject): object {
  const { kind = null, score = null } = report?.judgment ?? {};
  return {
    name: toVisible(name),
    kind: kind?.kind ?? null,
    composite: score?.composite ?? null,
    grade: report && gradeOf(report),
    coverage: score?.coverage ?? null,
  };
}

type ArtifactName = Pick<JudgedSubject, "name" | "path">;

function toLocation({ name, path }: ArtifactName, line: number | null): object {
  if (path === null) return { logicalLocations: [{ fullyQualifiedName: toVisible(name) }] };
  // Findings about the whole message point to its first line, because scanners do not show results without a location.
  return { physicalLocation: { artifactLocation: { uri: toUri(path) }, region: { startLine: line ?? 1 } } };
}

/** A relative path stays relative, so that a scanner finds the file in its repository. */
function toUri(path: string): string {
  const written = path.toWellFormed();
  if (written.startsWith("/")) return pathToFileURL(written).href;
  return written
    .replace(/^(\.\/)+/, "")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
}

/** Only for the "format" area, whose lines are lines of the message. Other areas count lines of the decoded HTML. */
function toLine({ area }: JudgedFinding, { evidence: { line, fields } }: Occurrence): number | null {
  const first: unknown = Array.isArray(fields) ? fields[0]?.line : undefined;
  const told = line ?? first;
  return area === "format" && typeof told === "number" && Number.isInteger(told) && told > 0 ? told : null;
}

/** §3.11.5: single braces are placeholders. §3.11.6: "](" makes a link. */
function toMessage(text: string): { readonly text: string } {
  return { text: text.replace(/[{}]/g, "$&$&").replaceAll("](", "] (") };
}
