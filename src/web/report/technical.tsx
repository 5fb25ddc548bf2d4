// The details for experts: skipped checks, headers, DNS answers and the message source.

import { useState } from "preact/hooks";
import { groupUnchecked } from "../../analyzer/words/unchecked-words.ts";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { addressOf, readText } from "../client/call.ts";
import { useLoaded } from "../client/loading.ts";
import { toDuration, toList, toMoment, toPercent, toPlural, toSize } from "../client/words.ts";
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
  const groups = groupUnchecked({ skipped, findings: test.findings ?? [] });
  return (
    <section class="sec" id="unchecked" aria-labelledby="unchecked-h">
      <div class="sec-h">
        <h2 id="unchecked-h">
          {skipped.length === 0
            ? "All checks completed"
            : `Not checked: ${toPercent(1 - (test.coverage ?? 1))} of checks`}
        </h2>
        {skipped.length > 0 && <p>Skipped checks don’t affect the score.</p>}
      </div>
      {groups.map(({ why, says, names, checks }) => (
        <div class="note unknown mb-2" key={why}>
          <Icon name="unknown" />
          <span>
            <strong>{says}:</strong> {names.join(", ")}.
            {!isStatic && checks.some((check) => check.endsWith("-blocklist")) && <BlocklistsLink why={why} />}
          </span>
        </div>
      ))}
      {(test.shortened ?? []).length > 0 && (
        <p class="small muted mt-3">Only partly read because of their size: {toList(test.shortened ?? [])}.</p>
      )}
    </section>
  );
}

/** The same in a line that opens. */
export function Unchecked({ test }: { readonly test: ShownTest }) {
  const { length } = test.skipped ?? [];
  return length === 0 ? null : (
    <a class="more" href="#unchecked">
      {toPlural(length, "check", "checks")} not completed
    </a>
  );
}

function BlocklistsLink({ why }: { readonly why: string }) {
  if (why !== "off" && why !== "unused") return null;
  return (
    <>
      {" "}
      <a href="/settings/blocklists">{why === "off" ? "Turn on blocklists" : "See why"}</a>
    </>
  );
}

export function EvidenceSection({ test }: { readonly test: TestReport }) {
  const { analysis } = test;
  return (
    <FoldedSection
      id="evidence"
      title={isStatic ? "Evidence: headers, DNS responses" : "Evidence: headers, DNS responses, source"}
      lead={
        <>
          {analysis && `Evidence collected on ${toMoment(analysis.started_at)}. `}
          Analyzed in {toDuration(analysis?.duration_ms ?? 0)} by Assay {analysis?.version}.
        </>
      }
    >
      {() => (
        <>
          {isStatic ? null : (
            <p class="row mb-3 noprint">
              <a class="btn" href={addressOf("/api/tests/:id/raw", { params: { id: test.id } })} download>
                Download message ({toSize(test.size_bytes)})
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

// The message source, loaded when opened: the first part with line numbers. The rest is a download.

/** More would slow the browser down. */
const mostBytes = 262_144;
const mostLines = 8_000;
const mostShown = 400;

function Source({ test }: { readonly test: TestReport }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card flush source" onToggle={(event) => event.currentTarget.open && setOpen(true)}>
      <summary class="p-34">
        <h3>Message source</h3> <span class="muted small">{toSize(test.size_bytes)}</span>
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
        <ErrorNote title="Couldn’t load the source." message={loaded.trouble.message} onRetry={reload} />
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
            ? " shown. Download the message to see the rest."
            : isCut && ` shown (first ${toSize(mostBytes)}). Download the message to see the rest.`}
        </span>
        <FindField
          where="in the source"
          placeholder="Find in the source"
          word={word}
          onFind={setWord}
          found={found.length === 0 ? "No matches" : toPlural(found.length, "line", "lines")}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
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
              Show more ({toPlural(found.length, "line", "lines")} in total)
            </button>
          </p>
        )}
      </section>
    </>
  );
}
