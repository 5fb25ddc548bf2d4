// For who wants to see all of it: the headers as they came, every answer of DNS that the report rests on, and what could
// not be checked.

import { useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
import { addressOf, readText } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { toDuration, toMoment, toPercent, toPlural, toSentence, toSize } from "../client/words.ts";
import { DnsAnswers } from "../parts/dns-answers.tsx";
import { countIn, FindField, Marked } from "../parts/find.tsx";
import { FoldedSection } from "../parts/fold.tsx";
import { Icon } from "../parts/icon.tsx";
import { ErrorNote, Skeleton } from "../parts/states.tsx";
import { isStatic } from "../parts/static.ts";
import { Headers } from "./headers.tsx";
import type { ShownTest } from "./shown-test.ts";

export function UncheckedSection({ test }: { readonly test: ShownTest }) {
  const skipped = test.skipped ?? [];
  const byReason = [...Map.groupBy(skipped, ({ says }) => says)];
  return (
    <section class="sec" id="unchecked" aria-labelledby="unchecked-h">
      <div class="sec-h">
        <h2 id="unchecked-h">
          {skipped.length === 0
            ? "Everything that applies was checked"
            : `Not checked: ${toPercent(1 - (test.coverage ?? 1))} of what applies`}
        </h2>
        {skipped.length > 0 && <p>What is not known counts neither for nor against the message.</p>}
      </div>
      {byReason.map(([says, entries]) => (
        <div class="note unknown mb-2" key={says}>
          <Icon name="unknown" />
          <span>
            <strong>{toSentence(says)}:</strong>{" "}
            {[...new Set(entries.map(({ check }) => check.replaceAll("-", " ")))].join(", ")}.
          </span>
        </div>
      ))}
      {(test.shortened ?? []).length > 0 && (
        <p class="small muted mt-3">
          Not read, because there is too much of it: {test.shortened?.join(", ")}.
        </p>
      )}
    </section>
  );
}

export function EvidenceSection({ test }: { readonly test: TestReport }) {
  const { analysis } = test;
  return (
    <FoldedSection
      id="evidence"
      title={isStatic ? "Evidence: headers, DNS answers" : "Evidence: headers, DNS answers, source"}
      lead={
        <>
          {analysis && `All evidence collected on ${toMoment(analysis.started_at)}. `}
          Analyzed in {toDuration(analysis?.duration_ms ?? 0)} by Assay {analysis?.version}.
        </>
      }
    >
      {() => (
        <>
          {isStatic ? null : (
            <p class="row mb-3 noprint">
              <a
                class="btn"
                href={addressOf("/api/tests/:id/report.html", { params: { id: test.id } })}
                download
              >
                Save the report as a file
              </a>
              <a class="btn" href={addressOf("/api/tests/:id/raw", { params: { id: test.id } })} download>
                Download the message, {toSize(test.size_bytes)}
              </a>
            </p>
          )}
          <div class="stack">
            <Headers test={test} />
            <DnsAnswers answers={test.analysis?.dns ?? []} />
            {isStatic ? null : <Source test={test} />}
          </div>
        </>
      )}
    </FoldedSection>
  );
}

// The message as its bytes say it, read when it is opened: its beginning with numbers of lines, the rest by download.

/** More is hardly read in a browser, and slows it down. */
const mostBytes = 262_144;
const mostLines = 8_000;
const mostShown = 400;

function Source({ test }: { readonly test: TestReport }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card flush source" onToggle={(event) => event.currentTarget.open && setOpen(true)}>
      <summary class="p-34">
        <h3>Source of the message</h3>{" "}
        <span class="muted small">{toSize(test.size_bytes)}, read when you open this</span>
      </summary>
      {isOpen && <Text test={test} />}
    </details>
  );
}

function Text({ test }: { readonly test: TestReport }) {
  const { loaded, reload } = useLoaded(test.id, (signal) =>
    readText("/api/tests/:id/raw", { params: { id: test.id }, signal }, mostBytes),
  );
  if (loaded.state === "failed")
    return (
      <div class="p-34">
        <ErrorNote title="The source could not be read." message={loaded.trouble.message} onRetry={reload} />
      </div>
    );
  if (loaded.value === null)
    return (
      <div class="p-34">
        <Skeleton lines={8} what="the source" />
      </div>
    );
  return <Lines text={loaded.value} isCut={test.size_bytes > mostBytes} />;
}

function Lines({ text, isCut }: { readonly text: string; readonly isCut: boolean }) {
  const [word, setWord] = useState("");
  const [most, setMost] = useState(mostShown);
  const wanted = word.trim();
  const lines = text.split(/\r?\n/);
  const all = lines.slice(0, mostLines);
  const numbered = all.map((line, index) => ({ line, number: index + 1 }));
  const found = wanted === "" ? numbered : numbered.filter(({ line }) => countIn(line, wanted) > 0);
  return (
    <>
      <div class="p-34 rule row between">
        <span class="small muted">
          {toPlural(all.length, "line", "lines")}
          {lines.length > mostLines
            ? ": the first of more. Download the message for all of them."
            : isCut && `: the first ${toSize(mostBytes)}. Download the message for all of it.`}
        </span>
        <FindField
          where="in the source"
          placeholder="Find in the source"
          word={word}
          onFind={setWord}
          found={found.length === 0 ? "not found" : toPlural(found.length, "line", "lines")}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="src" aria-label="Source" tabIndex={0}>
        <ol>
          {found.slice(0, most).map(({ line, number }) => (
            <li key={number} value={number}>
              <Marked text={line} word={wanted} />
            </li>
          ))}
        </ol>
        {found.length > most && (
          <p class="p-34">
            <button class="btn small" type="button" onClick={() => setMost(most + 2_000)}>
              Show more of {toPlural(found.length, "line", "lines")}
            </button>
          </p>
        )}
      </section>
    </>
  );
}
