// Whether the message's authentication would survive forwarding. It is worked out when this page asks.

import { useCallback } from "preact/hooks";
import { call } from "../../web/client/call.ts";
import { useEvents } from "../../web/client/events.ts";
import { useLoaded } from "../../web/client/loading.ts";
import { toList } from "../../web/client/words.ts";
import { FoldedSection } from "../../web/parts/fold.tsx";
import { ErrorNote, Note } from "../../web/parts/states.tsx";
import { Table } from "../../web/parts/table.tsx";
import { Severity, type Tone } from "../../web/parts/tone.tsx";
import type { ForwardingPrediction } from "../tests/contract/forwarding.ts";
import type { TestReport } from "../tests/contract/tests.ts";

export function ForwardingSection({ test }: { readonly test: TestReport }) {
  const { id, analyzed_at } = test;
  const { loaded, reload } = useLoaded(`${id} ${analyzed_at}`, (signal) =>
    call("GET /api/tests/:id/forwarding", { params: { id }, signal }),
  );
  useEvents(
    useCallback(
      (event) => {
        const isOurs = event.type === "test.examined" && event.id === id && event.kind === "forwarding";
        if (event.type === "reset" || isOurs) reload();
      },
      [id, reload],
    ),
  );
  const { value } = loaded;
  if (value?.result) return <ForwardingTable prediction={value.result} />;
  return (
    <section class="sec" id="forwarding" aria-labelledby="forwarding-h">
      <div class="sec-h">
        <h2 id="forwarding-h">Forwarding</h2>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t load the forwarding prediction." message={loaded.trouble.message} onRetry={reload} />
      )}
      {value?.state === "failed" && <Note tone="unknown">Not completed. {value.failure}</Note>}
      {(value === null || value.state === "waiting") && loaded.state !== "failed" && (
        <p>
          <span class="live">Passing copies of the message on</span>
        </p>
      )}
    </section>
  );
}

type Transit = ForwardingPrediction["transits"][number];

const words: Readonly<Record<Transit["result"], { readonly tone: Tone; readonly label: string }>> = {
  survives: { tone: "good", label: "Survives" },
  breaks: { tone: "minor", label: "Breaks" },
  "already-fails": { tone: "unknown", label: "Not authenticated before" },
  unknown: { tone: "unknown", label: "Unknown" },
};

/** Also in saved files. */
export function ForwardingTable({
  prediction: { summary, transits, advice },
}: {
  readonly prediction: ForwardingPrediction;
}) {
  // Forwarding changes nothing if the message isn't authenticated anyway, and rows of unknowns say nothing.
  if (transits.every(({ result }) => result === "already-fails" || result === "unknown"))
    return (
      <section class="sec" id="forwarding" aria-labelledby="forwarding-h">
        <div class="sec-h">
          <h2 id="forwarding-h">Forwarding</h2>
          <p>{summary}</p>
        </div>
      </section>
    );
  return (
    <FoldedSection
      id="forwarding"
      title={`Forwarding: ${toConclusion(summary)}`}
      lead="Predicted by changing copies of the message as other servers would. Not observed."
    >
      {() => (
        <div class="stack">
          {summary.includes(":") && <p>{summary}</p>}
          {advice.length > 0 && (
            <ul class="stack-2">
              {advice.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          )}
          {transits.length > 0 && <Transits transits={transits} />}
        </div>
      )}
    </FoldedSection>
  );
}

/** The sentences in one line, without their reasons: "survives forwarding, breaks on mailing lists". */
function toConclusion(summary: string): string {
  return summary
    .split(/(?<=\.) /)
    .map((sentence) => (sentence.split(": ")[0] ?? "").replace(/\.$/, ""))
    .map((words) => `${words.slice(0, 1).toLowerCase()}${words.slice(1)}`)
    .join(", ");
}

/** Ways with the same result for the same reasons share a row. */
function Transits({ transits }: Pick<ForwardingPrediction, "transits">) {
  const alike = Map.groupBy(transits, ({ result, says }) => [result, ...says].join("\n"));
  const rows = [...alike.values()].flatMap(([way, ...others]) =>
    way ? [{ ...way, title: toList([way, ...others].map(({ title }) => title)) }] : [],
  );
  return (
    <Table look="fold" label="Ways to pass the message on" columns={["Passed on by", "Authentication", "Why"]}>
      {rows.map(({ id, title, result, says }) => (
        <tr key={id}>
          <th scope="row">{title}</th>
          <td data-l="Authentication">
            <Severity tone={words[result].tone}>{words[result].label}</Severity>
          </td>
          <td data-l="Why">
            <span>{says.join(" ")}</span>
          </td>
        </tr>
      ))}
    </Table>
  );
}
