// This message under other records: its score, its verdicts and its findings, as they are and as they would be.

import type { Finding } from "../../api/judgment.ts";
import { toInnerTitle } from "../../api/plain-words.ts";
import type { TestReport } from "../../api/tests.ts";
import { toPercent, toScore } from "../client/words.ts";
import { Difference, FindingList } from "../compare/findings.tsx";
import { Diff } from "../parts/diff.tsx";
import { Icon } from "../parts/icon.tsx";
import type { GivenRecords } from "../parts/record-form.tsx";
import { Score } from "../parts/score.tsx";
import { ResultWord } from "../parts/tone.tsx";
import { toPlacementRows } from "./placement-row.ts";
import { recordedValues } from "./proposed-records.ts";
import { toVerdict } from "./verdict.ts";

type OutcomeProps = {
  readonly test: TestReport;
  readonly would: TestReport;
  readonly records: readonly GivenRecords[];
  /** Another is on its way. */
  readonly isStale: boolean;
};

export function Outcome({ test, would, records, isStale }: OutcomeProps) {
  const gone = onlyIn(test, would);
  const added = onlyIn(would, test);
  return (
    <div class={`card stack${isStale ? " stale" : ""}`} aria-busy={isStale}>
      <h3>{toHeadline(test, would)}</h3>
      <p class="measure">
        Then{" "}
        {toVerdict(would).map(({ tone, text }, index) => (
          <span key={text}>
            {index > 0 && ", "}
            <span class={`tone ${tone}`}>
              <Icon name={tone} />
            </span>{" "}
            {text}
          </span>
        ))}
        .
      </p>
      <Holding now={test} would={would} />
      <Standings test={test} would={would} />
      {gone.length > 0 && (
        <div>
          <h4>No longer found: {gone.length}</h4>
          <FindingList findings={gone} address="" />
        </div>
      )}
      {added.length > 0 && (
        <div>
          <h4>Newly found: {added.length}</h4>
          <FindingList findings={added} address={null} />
        </div>
      )}
      {gone.length + added.length === 0 && <p class="muted">The findings stay the same.</p>}
      <details class="more">
        <summary>What would be in DNS</summary>
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
        names={{ before: "Now", after: "Then" }}
        nothing={now === null && values.length > 0 ? "not asked" : "none"}
      />
    </div>
  );
}

/** DNS gives them in no order. */
function toLines(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.toSorted().join("\n");
}

function toHeadline({ composite: now }: TestReport, { composite: then }: TestReport): string {
  if (now === null || then === null) return "Under this record";
  if (now === then) return `The score would stay at ${toScore(now)}`;
  return `The score would ${then > now ? "rise" : "fall"} from ${toScore(now)} to ${toScore(then)}`;
}

function onlyIn(one: TestReport, other: TestReport): readonly Finding[] {
  const known = new Set((other.findings ?? []).map(({ id }) => id));
  return (one.findings ?? []).filter(({ id, severity }) => severity !== "good" && !known.has(id));
}

/** Why mending something gave nothing. */
function Holding({ now, would }: { readonly now: TestReport; readonly would: TestReport }) {
  const { limit, findings } = would;
  const first = findings?.find(({ id }) => id === limit?.findings[0]);
  if (limit === null || !first || now.composite !== would.composite) return null;
  return (
    <p class="small muted">
      Capped at {toScore(limit.value)}: {toInnerTitle(first.title)}.
    </p>
  );
}

const mechanisms = ["spf", "dkim", "dmarc"] as const;

function Standings({ test, would }: { readonly test: TestReport; readonly would: TestReport }) {
  const wasSeen = toPlacementRows(test).some(({ method }) => method === "observed");
  const points =
    test.composite === null || would.composite === null ? null : would.composite - test.composite;
  return (
    <>
      <table class="table bare then">
        <caption class="vh">This message, now and then</caption>
        <thead>
          <tr>
            <th scope="col">This message</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          <tr class={points === 0 ? undefined : "arriving"}>
            <th scope="row">Score</th>
            <td>
              <Score score={test.composite} coverage={test.coverage} />
            </td>
            <td>
              <Score score={would.composite} coverage={would.coverage} />{" "}
              {points !== 0 && <Difference points={points} />}
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
              <th scope="row">Inbox, of the mailbox providers</th>
              <td>{test.inbox_rate === null ? "–" : toPercent(test.inbox_rate)}</td>
              <td>{toPercent(would.inbox_rate)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {wasSeen && (
        <p class="small muted">
          Then is predicted throughout. What your seed mailboxes showed is of the records as they are.
        </p>
      )}
    </>
  );
}
