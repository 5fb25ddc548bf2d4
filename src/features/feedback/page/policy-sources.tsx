// The sources of a domain's mail: what a stricter policy would take of each, what to fix, and which aren't one's own.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { useDoing } from "../../../web/client/use-action.ts";
import { toCount, toPercent } from "../../../web/client/words.ts";
import { ErrorNote, sayDone } from "../../../web/parts/states.tsx";
import { Table } from "../../../web/parts/table.tsx";
import { Away } from "../../../web/parts/text.tsx";
import { Severity, type Tone } from "../../../web/parts/tone.tsx";
import type { PolicyCoach as Coach } from "../contract/policy-coach.ts";
import { toSenderWords } from "../words/sender-words.ts";

type CoachSource = Coach["sources"][number];

const stateLooks: Readonly<Record<CoachSource["state"], { readonly tone: Tone; readonly word: string }>> = {
  authenticated: { tone: "good", word: "Authenticated" },
  partly: { tone: "minor", word: "Partly" },
  "not-authenticated": { tone: "major", word: "Not authenticated" },
  unknown: { tone: "unknown", word: "Yours?" },
  forwarding: { tone: "info", word: "Forwarding" },
};

/** Those that would lose the most come first. */
const mostRows = 8;

type Marking = { readonly id: string; readonly onMarked: () => void };

export function Sources({ coach: { sources, messages }, ...marking }: Marking & { readonly coach: Coach }) {
  const [isWhole, setWhole] = useState(false);
  if (sources.length === 0) return null;
  const byLoss = sources.toSorted((one, other) => other.failed - one.failed);
  const shown = isWhole ? byLoss : byLoss.slice(0, mostRows);
  return (
    <section class="sec" aria-labelledby="sources-h">
      <h2 id="sources-h">Sender by sender</h2>
      <div class="card flush mt-2">
        <Table
          look="fold"
          caption="Those that would lose the most come first. What looks forwarded isn’t counted as lost."
          columns={["Sender", { num: "Messages" }, { num: "DKIM / SPF aligned" }, { num: "Would be lost" }, "Fix"]}
        >
          {shown.map((source) => (
            <SourceRow key={source.key} source={source} messages={messages} {...marking} />
          ))}
        </Table>
        {sources.length > shown.length && (
          <p class="p-34">
            <button class="btn small" type="button" onClick={() => setWhole(true)}>
              Show all {toCount(sources.length)}
            </button>
          </p>
        )}
      </div>
    </section>
  );
}

type SourceRowProps = Marking & { readonly source: CoachSource; readonly messages: number };

function SourceRow({ source, messages: all, ...marking }: SourceRowProps) {
  const { name, state, messages, dkimAligned, spfAligned, failed, forwardedFailed, fixes, addresses } = source;
  const { tone, word } = source.isNotMine ? { tone: "info" as const, word: "Not yours" } : stateLooks[state];
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi> <Severity tone={tone}>{word}</Severity>
        <span class="under small muted">{toSenderWords(source).join(", ")}</span>
        <span class="under small muted">{addresses.slice(0, 3).join(", ")}</span>
      </th>
      <td data-l="Messages" class="num">
        <span>
          {toCount(messages)} <span class="label">{toPercent(messages / all)}</span>
        </span>
      </td>
      <td data-l="DKIM / SPF aligned" class="num">
        <span>
          {toCount(dkimAligned)} / {toCount(spfAligned)}
        </span>
      </td>
      <td data-l="Would be lost" class="num">
        <span>
          {toCount(failed)}
          {forwardedFailed > 0 && <span class="label"> and {toCount(forwardedFailed)} forwarded</span>}
        </span>
      </td>
      <td data-l="Fix">
        <span>
          {fixes.length === 0 ? "Nothing to fix" : fixes.map(({ says }) => says).join(" ")}{" "}
          {source.page !== null && fixes.some(({ what }) => what === "dkim") && (
            <Away url={source.page}>{`How to, at ${name}`}</Away>
          )}
          {!source.isKnown && state === "unknown" && <Mark source={source} {...marking} />}
        </span>
      </td>
    </tr>
  );
}

function Mark({ source, id, onMarked }: Marking & { readonly source: CoachSource }) {
  const { isBusy, trouble, run } = useDoing();
  const { key, name, isNotMine } = source;
  const mark = () =>
    run(async () => {
      const body = { key, mark: isNotMine ? null : ("ignored" as const) };
      await call("POST /api/domains/:id/sources/marks", { params: { id }, body });
      sayDone(isNotMine ? "Counts as unknown again." : "Marked as not yours.");
      onMarked();
    });
  return (
    <div class="row mt-2">
      <button class="btn small" type="button" disabled={isBusy} onClick={mark}>
        {isNotMine ? "Undo" : "Not ours"}
        <span class="vh">: {name}</span>
      </button>
      {trouble !== null && <ErrorNote title="That didn’t work." message={trouble.message} />}
    </div>
  );
}
