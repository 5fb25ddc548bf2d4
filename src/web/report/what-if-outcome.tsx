// The effect of changed records on this message: score, results and findings, now and after the change.

import { toInnerTitle } from "../../analyzer/words/plain-words.ts";
import { Difference, FindingList } from "../../features/compare/page/findings.tsx";
import type { Finding } from "../../features/tests/contract/judgment.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { toCount, toPercent, toScore } from "../client/words.ts";
import { Diff } from "../parts/diff.tsx";
import { Icon } from "../parts/icon.tsx";
import type { GivenRecords } from "../parts/record-form.tsx";
import { Score } from "../parts/score.tsx";
import { Table } from "../parts/table.tsx";
import { ResultWord } from "../parts/tone.tsx";
import { toPlacementRows } from "./placement-row.ts";
import { recordedValues } from "./proposed-records.ts";
import { toVerdict } from "./verdict.ts";

type OutcomeProps = {
  readonly test: TestReport;
  readonly would: TestReport;
  readonly records: readonly GivenRecords[];
  /** A newer result is loading. */
  readonly isStale: boolean;
};

export function Outcome({ test, would, records, isStale }: OutcomeProps) {
  const gone = onlyIn(test, would);
  const added = onlyIn(would, test);
  return (
    <div class={`card stack${isStale ? " stale" : ""}`} aria-busy={isStale}>
      <h3>{toHeadline(test, would)}</h3>
      <p class="measure">
        After the change:{" "}
        {toVerdict(would).map(({ tone, text }) => (
          <span key={text}>
            <span class={`tone ${tone}`}>
              <Icon name={tone} />
            </span>{" "}
            {text}.{" "}
          </span>
        ))}
      </p>
      <Holding now={test} would={would} />
      <Standings test={test} would={would} />
      {gone.length > 0 && (
        <div>
          <h4>No longer found: {toCount(gone.length)}</h4>
          <FindingList findings={gone} address="" />
        </div>
      )}
      {added.length > 0 && (
        <div>
          <h4>New: {toCount(added.length)}</h4>
          <FindingList findings={added} address={null} />
        </div>
      )}
      {gone.length + added.length === 0 && <p class="muted">No change in findings.</p>}
      <details class="more">
        <summary>DNS changes</summary>
        {records.map((record) => (
          <RecordChange key={`${record.type} ${record.name}`} test={test} record={record} />
        ))}
      </details>
    </div>
  );
}

function RecordChange({ test, record }: { readonly test: TestReport; readonly record: GivenRecords }) {
  const { name, type, values } = record;
  const now = recordedValues(test, name, type);
  return (
    <div class="mt-3">
      <strong>
        {type} <code>{name}</code>
      </strong>
      <Diff
        before={toLines(now ?? [])}
        after={toLines(values)}
        names={{ before: "Now", after: "After" }}
        nothing={now === null && values.length > 0 ? "not looked up" : "none"}
      />
    </div>
  );
}

/** Sorted, because DNS answers have no fixed order. */
function toLines(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.toSorted().join("\n");
}

function toHeadline({ composite: now }: TestReport, { composite: then }: TestReport): string {
  if (now === null || then === null) return "Effect of this change";
  if (now === then) return `The score would stay at ${toScore(now)}`;
  return `The score would ${then > now ? "rise" : "fall"} from ${toScore(now)} to ${toScore(then)}`;
}

function onlyIn(one: TestReport, other: TestReport): readonly Finding[] {
  const known = new Set((other.findings ?? []).map(({ id }) => id));
  return (one.findings ?? []).filter(({ id, severity }) => severity !== "good" && !known.has(id));
}

/** Says why a fix doesn't raise the score. */
function Holding({ now, would }: { readonly now: TestReport; readonly would: TestReport }) {
  const { limit, findings } = would;
  const first = findings?.find(({ id }) => id === limit?.findings[0]);
  if (limit === null || !first || now.composite !== would.composite) return null;
  return (
    <p class="small muted">
      Another issue keeps it at {toScore(limit.value)}: {toInnerTitle(first.title)}.
    </p>
  );
}

const mechanisms = ["spf", "dkim", "dmarc"] as const;

function Standings({ test, would }: { readonly test: TestReport; readonly would: TestReport }) {
  const wasSeen = toPlacementRows(test).some(({ method }) => method === "observed");
  const points = test.composite === null || would.composite === null ? null : would.composite - test.composite;
  return (
    <>
      <Table look="bare then" label="This message, now and after the change" columns={["This message", "Now", "After"]}>
        <tr class={points === 0 ? undefined : "arriving"}>
          <th scope="row">Score</th>
          <td>
            <Score score={test.composite} grade={test.grade} />
          </td>
          <td>
            <Score score={would.composite} grade={would.grade} /> {points !== 0 && <Difference points={points} />}
          </td>
        </tr>
        {mechanisms.map((mechanism) => (
          <tr key={mechanism} class={test[mechanism] === would[mechanism] ? undefined : "arriving"}>
            <th scope="row">{mechanism.toUpperCase()}</th>
            <td>
              <ResultWord word={test[mechanism]} />
            </td>
            <td>
              <ResultWord word={would[mechanism]} />
            </td>
          </tr>
        ))}
        {would.inbox_rate !== null && (
          <tr class={test.inbox_rate === would.inbox_rate ? undefined : "arriving"}>
            <th scope="row">Inbox rate</th>
            <td>{test.inbox_rate === null ? "–" : toPercent(test.inbox_rate)}</td>
            <td>{toPercent(would.inbox_rate)}</td>
          </tr>
        )}
      </Table>
      {wasSeen && (
        <p class="small muted">
          “After” is always a prediction. What your seed mailboxes showed is based on the current records.
        </p>
      )}
    </>
  );
}
