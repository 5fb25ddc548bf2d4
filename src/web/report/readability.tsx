// The accessibility findings: language, headings, alt and link texts, contrast and size, each with its places.

import type { Finding } from "../../features/tests/contract/judgment.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { isIssue } from "../../features/tests/rules/issues.ts";
import { toCount, toList, toPlural, toScore } from "../client/words.ts";
import { Severity } from "../parts/tone.tsx";
import { passesOf, toAnchor } from "./findings.ts";

const area = "accessibility";
const mostPlaces = 4;

export function Readability({ test }: { readonly test: TestReport }) {
  const { findings, category_scores, skipped, not_applicable } = test;
  const faults = (findings ?? []).filter((one) => one.area === area && one.severity !== "good");
  const passes = passesOf(test).filter((one) => one.area === area);
  const score = category_scores?.find(({ id }) => id === area)?.score ?? null;
  const isAsked = faults.length + passes.length > 0;
  return (
    <div class="card">
      <h3>Accessibility{isAsked ? `: ${toConclusion(faults)}` : ""}</h3>
      {isAsked ? (
        <ul class="read-l">
          {faults.map((finding) => (
            <Fault key={finding.id} finding={finding} />
          ))}
          {passes.map(({ id, summary }) => (
            <li key={id} class="small">
              <Severity tone="good"> </Severity>
              <span>{summary}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">
          {skipped === null && not_applicable === null ? "Not checked yet." : "No HTML, so there’s nothing to check."}
        </p>
      )}
      {score !== null && <p class="small muted mt-3">Area score: {toScore(score)} out of 100.</p>}
    </div>
  );
}

function toConclusion(found: readonly Finding[]): string {
  const issues = found.filter(isIssue).length;
  const notes = found.length - issues;
  const parts = [
    ...(issues > 0 ? [toPlural(issues, "issue", "issues")] : []),
    ...(notes > 0 ? [toPlural(notes, "note", "notes")] : []),
  ];
  return parts.length === 0 ? "no issues" : toList(parts);
}

function Fault({
  finding: { id, title, summary, severity, occurrences, occurrences_left_out },
}: {
  readonly finding: Finding;
}) {
  const others = occurrences.slice(1);
  const left = others.length - mostPlaces + occurrences_left_out;
  return (
    <li>
      <Severity tone={severity}> </Severity>
      <span>
        <a href={`#${toAnchor(id)}`}>{title}</a>
        <span class="under small muted">{summary}</span>
        {others.length > 0 && (
          <ul class="small muted places">
            {others.slice(0, mostPlaces).map((one, index) => (
              <li key={index}>{one.summary}</li>
            ))}
            {left > 0 && <li>And {toCount(left)} more</li>}
          </ul>
        )}
      </span>
    </li>
  );
}
