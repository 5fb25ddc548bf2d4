// The newest runs of a monitor.

import type { MonitorRun } from "../../api/canaries.ts";
import { outcomeWords } from "../../api/monitor-words.ts";
import { providerNames } from "../../api/provider-words.ts";
import { toDuration, toMoment, toPlural } from "../client/words.ts";
import { EmptyState } from "../parts/states.tsx";
import { Moment } from "../parts/text.tsx";
import { Severity } from "../parts/tone.tsx";

const runTones = { good: "good", critical: "critical", minor: "minor", neutral: "info" } as const;

export function RunsSection({ runs }: { readonly runs: readonly MonitorRun[] }) {
  if (runs.length === 0)
    return (
      <EmptyState icon="inbox" title="No runs yet">
        <p>The first one appears here as soon as it begins.</p>
      </EmptyState>
    );
  return (
    <div class="card flush">
      <table class="table fold mid">
        <caption>Newest runs ({toPlural(runs.length, "run", "runs")})</caption>
        <thead>
          <tr>
            <th scope="col">Began</th>
            <th scope="col">Result</th>
            <th scope="col">What happened</th>
            <th scope="col" class="num">
              Delay
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({ run }: { readonly run: MonitorRun }) {
  const { beganAt, acceptedAt, outcome, says, delayMs, testId, observed } = run;
  const words = outcome === null ? null : outcomeWords[outcome];
  const acceptedMs = acceptedAt === null ? null : Date.parse(acceptedAt) - Date.parse(beganAt);
  return (
    <tr>
      <th scope="row">
        <Moment time={beganAt} words={toMoment(beganAt)} />
      </th>
      <td data-l="Result">
        {words === null ? (
          <Severity tone="unknown">Waiting</Severity>
        ) : (
          <Severity tone={runTones[words.tone]}>{words.word}</Severity>
        )}
      </td>
      <td data-l="What happened">
        {says ?? "Not back yet."}
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
      </td>
      <td class="num" data-l="Delay">
        {delayMs === null ? <span class="faint">unknown</span> : toDuration(delayMs)}
      </td>
    </tr>
  );
}
