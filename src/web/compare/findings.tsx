// The findings of two reports: those that only one has, those that both have and that differ, those that are the same.

import { useId } from "preact/hooks";
import type { Finding } from "../../api/judgment.ts";
import { toPlural } from "../client/words.ts";
import { Severity } from "../parts/tone.tsx";
import { Words } from "../parts/words.tsx";
import { toAnchor } from "../report/findings.ts";
import { type Comparison, type ToldFinding, withoutGood } from "./comparison.ts";

type FindingsProps = {
  readonly findings: Comparison["findings"];
  /** The faults and notes that `after` has. */
  readonly all: readonly Pick<Finding, "id" | "severity" | "title" | "summary" | "owned_by">[];
  readonly titles: { readonly gone: string; readonly added: string };
  /** Where the reports stand; null: nowhere any more. */
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
          <summary>{toPlural(same.length, "finding is", "findings are")} the same in both</summary>
          <FindingList findings={same} address={addresses.after} />
        </details>
      )}
    </div>
  );
}

type Told = Pick<ToldFinding, "id" | "severity" | "title" | "summary"> & { readonly count?: number };
type ListProps = { readonly findings: readonly Told[]; readonly address: string | null };

function FindingCard({ title, ...list }: ListProps & { readonly title: string }) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h3 id={id}>
        {title}: {list.findings.length === 0 ? "nothing" : list.findings.length}
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

function FindingTitle({ finding, address }: { readonly finding: Told; readonly address: string | null }) {
  const { id, title, summary, count = 1 } = finding;
  return (
    <span>
      {address === null ? title : <a href={`${address}#${toAnchor(id)}`}>{title}</a>}
      {count > 1 && <span class="muted"> ({count} times)</span>}
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
      <h3>In both, but not alike: {changed.length}</h3>
      <ul class="found">
        {changed.map(({ before, after }) => (
          <li key={after.id}>
            <Severity tone={after.severity} />
            <span>
              <FindingTitle finding={after} address={address} />
              {(before.summary !== after.summary || before.count !== after.count) && (
                <span class="small muted was-told">
                  Before: <Words text={before.summary} />
                  {before.count > 1 && ` (${before.count} times)`}
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
