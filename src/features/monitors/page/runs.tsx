// The newest runs of a monitor.

import { providerNames } from "../../../analyzer/words/provider-words.ts";
import { toDuration, toMoment, toPlural } from "../../../web/client/words.ts";
import { EmptyState } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import { Severity } from "../../../web/parts/tone.tsx";
import type { MonitorDetail, MonitorRun } from "../contract/canaries.ts";
import { outcomeWords } from "../words/monitor-words.ts";

const runTones = { good: "good", critical: "critical", minor: "minor", neutral: "info" } as const;

type Kind = MonitorDetail["kind"];
type SectionProps = { readonly kind: Kind; readonly runs: readonly MonitorRun[] };

export function RunsSection({ kind, runs }: SectionProps) {
  if (runs.length === 0)
    return (
      <EmptyState icon="inbox" title="No runs yet">
        <p>The first one appears here as soon as it begins.</p>
      </EmptyState>
    );
  return (
    <div class="card flush">
      <Table
        look="fold mid"
        caption={`Newest runs (${toPlural(runs.length, "run", "runs")})`}
        columns={[
          kind === "canary" ? "Sent" : "When",
          "Result",
          "What happened",
          { num: kind === "canary" ? "Delay" : "Arrived" },
        ]}
      >
        {runs.map((run) => (
          <RunRow key={run.id} kind={kind} run={run} />
        ))}
      </Table>
    </div>
  );
}

function RunRow({ kind, run }: { readonly kind: Kind; readonly run: MonitorRun }) {
  const { beganAt, expectedBy, acceptedAt, outcome, says, testId, observed } = run;
  const time = kind === "canary" ? beganAt : (expectedBy ?? beganAt);
  const words = outcome === null ? null : outcomeWords[outcome];
  const acceptedMs = acceptedAt === null ? null : Date.parse(acceptedAt) - Date.parse(beganAt);
  return (
    <tr>
      <th scope="row">
        <Moment time={time} words={toMoment(time)} />
      </th>
      <td data-l="Result">
        {words === null ? (
          <Severity tone="unknown">Waiting</Severity>
        ) : (
          <Severity tone={runTones[words.tone]}>{words.word}</Severity>
        )}
      </td>
      <td data-l="What happened">
        {/* One element, because narrow screens lay out each child on its own. */}
        <span>
          {says ?? words?.says ?? toOpenWords(kind, testId)}
          {acceptedMs !== null && acceptedMs >= 0 && (
            <span class="muted"> Accepted by the relay after {toDuration(acceptedMs)}.</span>
          )}
          {observed !== null && (
            <span class="muted">
              {" "}
              Observed at {providerNames[observed.provider] ?? observed.provider}: {observed.folder}.
            </span>
          )}{" "}
          {testId !== null && <a href={`/tests/${testId}`}>Report</a>}
        </span>
      </td>
      <Delay kind={kind} run={run} />
    </tr>
  );
}

/** With an interval, a matching message moves the deadline, and the run goes on. */
function toOpenWords(kind: Kind, testId: string | null): string {
  if (kind === "canary") return "Not back yet.";
  return testId === null ? "Waiting for a matching message." : "Waiting for the next matching message. The newest one:";
}

const arrivedWords: Readonly<Partial<Record<string, string>>> = {
  open: "waiting",
  missing: "no",
  "wrong-words": "without the words",
};

function Delay({ kind, run: { delayMs, outcome } }: { readonly kind: Kind; readonly run: MonitorRun }) {
  if (kind === "canary")
    return (
      <td class="num" data-l="Delay">
        {delayMs === null ? <span class="faint">unknown</span> : toDuration(delayMs)}
      </td>
    );
  return (
    <td class="num" data-l="Arrived">
      {delayMs === null ? (
        <span class="faint">{arrivedWords[outcome ?? "open"] ?? "unknown"}</span>
      ) : (
        `${toDuration(Math.abs(delayMs))} ${delayMs > 0 ? "late" : "early"}`
      )}
    </td>
  );
}
