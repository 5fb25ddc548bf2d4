// The findings of two reports: only in one, different in both, and the same in both.

import { useId } from "preact/hooks";
import { toneOfScore } from "../../../analyzer/words/grade-words.ts";
import { toCount, toPlural, toScore } from "../../../web/client/words.ts";
import { Table } from "../../../web/parts/table.tsx";
import { Words } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import { toAnchor } from "../../../web/report/findings.ts";
import type { Finding } from "../../tests/contract/judgment.ts";
import { type ComparedFinding, type Comparison, type SideNames, withoutGood } from "./comparison.ts";

type FindingsProps = {
  readonly findings: Comparison["findings"];
  /** All findings of `after`. */
  readonly all: readonly Pick<Finding, "id" | "severity" | "title" | "summary" | "owned_by">[];
  readonly titles: { readonly gone: string; readonly added: string };
  /** Paths of the reports. Null if a report no longer has a page. */
  readonly addresses: { readonly before: string | null; readonly after: string };
};

export function FindingsCompared({ findings, all, titles, addresses }: FindingsProps) {
  const gone = withoutGood(findings.gone);
  const added = withoutGood(findings.added);
  const changed = findings.changed.filter(({ before, after }) => withoutGood([before, after]).length > 0);
  const told = new Set([...added.map(({ id }) => id), ...changed.map(({ after }) => after.id)]);
  const known = new Map(withoutGood(all).map((finding) => [finding.id, finding]));
  const same = [...known.values()].filter(({ id }) => !told.has(id));
  return (
    <div class="stack">
      <div class="grid g2">
        <FindingCard title={titles.gone} findings={gone} address={addresses.before} />
        <FindingCard title={titles.added} findings={added} address={addresses.after} />
      </div>
      {changed.length > 0 && <ChangedFindings changed={changed} address={addresses.after} />}
      {same.length > 0 && (
        <details class="more">
          <summary>{toPlural(same.length, "finding", "findings")} in both, unchanged</summary>
          <FindingList findings={same} address={addresses.after} />
        </details>
      )}
    </div>
  );
}

type ListedFinding = Pick<ComparedFinding, "id" | "severity" | "title" | "summary"> & { readonly count?: number };
type ListProps = { readonly findings: readonly ListedFinding[]; readonly address: string | null };

function FindingCard({ title, ...list }: ListProps & { readonly title: string }) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h3 id={id}>
        {title}: {list.findings.length === 0 ? "none" : toCount(list.findings.length)}
      </h3>
      {list.findings.length > 0 && <FindingList {...list} />}
    </section>
  );
}

export function FindingList({ findings, address }: ListProps) {
  return (
    <ul class="found">
      {findings.map((finding) => (
        <li key={finding.id}>
          <Severity tone={finding.severity} />
          <FindingTitle finding={finding} address={address} />
        </li>
      ))}
    </ul>
  );
}

function FindingTitle({ finding, address }: { readonly finding: ListedFinding; readonly address: string | null }) {
  const { id, title, summary, count = 1 } = finding;
  return (
    <span>
      {address === null ? title : <a href={`${address}#${toAnchor(id)}`}>{title}</a>}
      {count > 1 && <span class="muted"> ({toCount(count)} times)</span>}
      <span class="under small muted">
        <Words text={summary} />
      </span>
    </span>
  );
}

type ChangedProps = { readonly changed: Comparison["findings"]["changed"]; readonly address: string };

function ChangedFindings({ changed, address }: ChangedProps) {
  return (
    <section class="card">
      <h3>In both, but different: {toCount(changed.length)}</h3>
      <ul class="found">
        {changed.map(({ before, after }) => (
          <li key={after.id}>
            <Severity tone={after.severity} />
            <span>
              <FindingTitle finding={after} address={address} />
              {(before.summary !== after.summary || before.count !== after.count) && (
                <span class="small muted was-told">
                  Before: <Words text={before.summary} />
                  {before.count > 1 && ` (${toCount(before.count)} times)`}
                </span>
              )}
              {before.severity !== after.severity && (
                <span class="small muted was-told">
                  Before: <Severity tone={before.severity} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// The scores of both sides on a scale from 0 to 100.

type Scores = Comparison["scores"];

export function ScoresCompared({ scores, names }: { readonly scores: Scores; readonly names: SideNames }) {
  return (
    <div class="card">
      <p class="key mb-3">
        <span>
          <svg aria-hidden="true">
            <rect class="was" width="14" height="12" />
          </svg>
          {names.before}
        </span>
        <span>
          <svg aria-hidden="true">
            <rect class="is" width="14" height="12" />
          </svg>
          {names.after}
        </span>
        <span>Full bar = 100</span>
      </p>
      <Table
        look="bare duel"
        label="Scores by area"
        columns={["Area", "Bars", names.before, names.after, "Difference"]}
        isHeadHidden
      >
        {scores.map((score) => (
          <ScoreRow key={score.of} score={score} />
        ))}
      </Table>
    </div>
  );
}

function ScoreRow({ score: { of, label, before, after } }: { readonly score: Scores[number] }) {
  const difference = before === null || after === null ? null : after - before;
  return (
    <tr class={`${toneOfScore(after)}${of === "composite" ? " all" : ""}`}>
      <th scope="row">{of === "composite" ? "Overall" : label}</th>
      <td class="bars">
        <svg aria-hidden="true">
          <rect class="track" width="100%" height="100%" rx="2" />
          {before !== null && <rect class="was" y="0" width={`${before}%`} height="8" />}
          {after !== null && <rect class="is" y="10" width={`${after}%`} height="8" />}
        </svg>
      </td>
      <td class="num muted">{toText(before)}</td>
      <td class="num">
        <strong>{toText(after)}</strong>
      </td>
      <td class="num">
        <Difference points={difference} />
      </td>
    </tr>
  );
}

function toText(score: number | null): string {
  return score === null ? "–" : toScore(score);
}

export function Difference({ points }: { readonly points: number | null }) {
  if (points === null) return <span class="faint">–</span>;
  const rounded = Math.round(points * 10) / 10;
  if (rounded === 0) return <span class="faint">same</span>;
  return (
    <span class={`tone ${rounded > 0 ? "good" : "critical"}`}>
      {rounded > 0 ? "+" : "−"}
      {toScore(Math.abs(rounded))}
    </span>
  );
}
