// For who wants to see all of it: the headers as they came, every answer of DNS that the report rests on, and what could
// not be checked.

import type { TestReport } from "../../api/tests.ts";
import { addressOf } from "../client/ask.ts";
import { toDuration, toMoment, toPercent, toSentence, toSize } from "../client/words.ts";
import { DnsAnswers } from "../parts/dns-answers.tsx";
import { FoldedSection } from "../parts/fold.tsx";
import { Icon } from "../parts/icon.tsx";
import { Headers } from "./headers.tsx";
import { Source } from "./source.tsx";

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
    <FoldedSection
      id="evidence"
      title="Evidence: headers, DNS answers, source"
      lead={
        <>
          {analysis && `All evidence collected on ${toMoment(analysis.started_at)}. `}
          Analyzed in {toDuration(analysis?.duration_ms ?? 0)} by Assay {analysis?.version}.
        </>
      }
    >
      {() => (
        <>
          <p class="row mb-3 noprint">
            <a class="btn" href={addressOf(`/api/tests/${test.id}/report.html`)} download>
              Save the report as a file
            </a>
            <a class="btn" href={addressOf(`/api/tests/${test.id}/raw`)} download>
              Download the message, {toSize(test.size_bytes)}
            </a>
          </p>
          <div class="stack">
            <Headers test={test} />
            <DnsAnswers answers={test.analysis?.dns ?? []} />
            <Source test={test} />
          </div>
        </>
      )}
    </FoldedSection>
  );
}
