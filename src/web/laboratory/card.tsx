import type { PreparedMessage } from "../../api/laboratory.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/doing.ts";
import { Score } from "../parts/score.tsx";
import { ErrorNote } from "../parts/states.tsx";
import { Severity } from "../parts/tone.tsx";

type CardProps = { readonly prepared: PreparedMessage; readonly onSent: () => void };

export function PreparedCard({ prepared, onSent }: CardProps) {
  const { id, title, says, severity, test } = prepared;
  const { isBusy, trouble, run } = useDoing();
  const send = () =>
    run(async () => {
      await call("POST /api/laboratory", { body: { ids: [id] } });
      onSent();
    });
  return (
    <li class="card lab">
      <div>
        <Severity tone={severity ?? "good"} />
        <h3>{title}</h3>
      </div>
      <p class="muted">{says}</p>
      {trouble !== null && <ErrorNote title="Nothing was sent." message={trouble.message} />}
      <div class="lab-end">
        {test === null ? <span class="faint small">Not sent yet</span> : <Outcome test={test} />}
        <span class="row">
          <button
            class={`btn small${test === null ? "" : " quiet"}`}
            type="button"
            disabled={isBusy}
            onClick={() => void send()}
          >
            {isBusy ? "Sending …" : test === null ? "Send" : "Send again"}
            <span class="vh"> {title}</span>
          </button>
          {test !== null && !isUnfinished(test) && (
            <a class="btn small" href={`/tests/${test.id}`}>
              Open the report<span class="vh"> of {title}</span>
            </a>
          )}
        </span>
      </div>
    </li>
  );
}

type Test = NonNullable<PreparedMessage["test"]>;

function isUnfinished({ status }: Test): boolean {
  return status === "received" || status === "analyzing";
}

function Outcome({ test }: { readonly test: Test }) {
  const { status, composite, coverage } = test;
  if (isUnfinished(test))
    return <span class="live">{status === "received" ? "Has arrived" : "Being analysed"}</span>;
  if (status === "failed") return <Severity tone="critical">The analysis failed</Severity>;
  return <Score score={composite} coverage={coverage} />;
}
