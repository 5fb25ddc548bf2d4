// For who wants to see all of it: the headers as they came, every answer of DNS that the report rests on, and what could
// not be checked.

import { useMemo, useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
import { addressOf } from "../client/ask.ts";
import { toDuration, toMoment, toPercent, toSentence, toSize } from "../client/words.ts";
import { DnsAnswers } from "../parts/dns-answers.tsx";
import { Icon } from "../parts/icon.tsx";

export function UncheckedSection({ test }: { readonly test: TestReport }) {
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
    <section class="sec" id="evidence" aria-labelledby="evidence-h">
      <div class="sec-h">
        <h2 id="evidence-h">Evidence</h2>
        <p>
          {analysis &&
            `Every answer that this report rests on, as it was on ${toMoment(analysis.started_at)}. `}
          It was written in {toDuration(analysis?.duration_ms ?? 0)} by Assay {analysis?.version}.
        </p>
      </div>
      <p class="row mb-3">
        <a class="btn" href={addressOf(`/api/tests/${test.id}/raw`)} download>
          Download the message, {toSize(test.size_bytes)}
        </a>
      </p>
      <div class="stack">
        <Headers test={test} />
        <DnsAnswers answers={(analysis?.dns ?? []).map(toShownAnswer)} />
      </div>
    </section>
  );
}

function Headers({ test }: { readonly test: TestReport }) {
  const [wanted, setWanted] = useState("");
  const headers = test.headers ?? [];
  const found = useMemo(() => {
    const word = wanted.trim().toLowerCase();
    return word === ""
      ? headers
      : headers.filter(({ name, value }) => `${name}: ${value}`.toLowerCase().includes(word));
  }, [headers, wanted]);
  return (
    <div class="card flush">
      <div class="p-34 rule row between">
        <h3>Headers</h3>
        <label class="slim search">
          <span class="vh">Find in the headers</span>
          <Icon name="search" />
          <input
            type="search"
            placeholder={`Find in ${headers.length} headers`}
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="headers" aria-live="polite" aria-label="Headers found" tabIndex={0}>
        {found.map(({ name, value }, index) => (
          <div key={index} class={/^received$/i.test(name) ? "h hop" : "h"}>
            <b>{name}:</b> {value}
          </div>
        ))}
        {found.length === 0 && <p class="p-34 muted">None of them holds that.</p>}
      </section>
      <details class="p-34">
        <summary>As they came</summary>
        <pre class="quote mt-2">{test.raw_headers}</pre>
      </details>
    </div>
  );
}

function toShownAnswer(answer: NonNullable<TestReport["analysis"]>["dns"][number]) {
  return { ...answer, durationMs: answer.duration_ms, ttlSeconds: answer.ttl_seconds };
}
