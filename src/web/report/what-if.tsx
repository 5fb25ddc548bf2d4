// The DNS preview: enter a record to see its effect on this message and on the domain's other stored messages.

import { useEffect, useRef, useState } from "preact/hooks";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { call } from "../client/call.ts";
import { useDoing } from "../client/use-action.ts";
import { RecordForm, type RecordRow, toGivenRecords } from "../parts/record-form.tsx";
import { recordedValues } from "./proposed-records.ts";
import { StoredMessages } from "./what-if-domain.tsx";
import { Outcome } from "./what-if-outcome.tsx";

/** `at` is different for each draft, even if the records are the same. */
export type Draft = { readonly records: readonly RecordRow[]; readonly at: number };

type Imagined = {
  readonly records: readonly RecordRow[];
  readonly report: TestReport;
  /** Time of the report that it was made from. Next to another report, it would show unrelated changes. */
  readonly beside: TestReport["analyzed_at"];
};

/** Kept for people who leave the page and come back. */
let last: { readonly testId: string; readonly imagined: Imagined } | null = null;

type WhatIfProps = {
  readonly test: TestReport;
  /** Records proposed by a finding. Null if none were chosen. */
  readonly draft: Draft | null;
};

export function WhatIfSection({ test, draft }: WhatIfProps) {
  const kept = last?.testId === test.id ? last.imagined : null;
  const [newest, setImagined] = useState<Imagined | null>(kept);
  const imagined = newest?.beside === test.analyzed_at ? newest : null;
  const { isBusy, trouble, run, forget } = useDoing();
  const heading = useRef<HTMLHeadingElement>(null);
  const result = useRef<HTMLDivElement>(null);
  const imagine = (records: readonly RecordRow[]) =>
    run(async () => {
      const body = { records: toGivenRecords(records) };
      const report = await call("POST /api/tests/:id/what-if", { params: { id: test.id }, body });
      last = { testId: test.id, imagined: { records, report, beside: test.analyzed_at } };
      setImagined(last.imagined);
    });
  useEffect(() => {
    if (draft === null) return;
    forget();
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, [draft]);
  // One at a time. A draft waits until the previous preview is done.
  const tried = useRef<Draft | null>(null);
  useEffect(() => {
    if (draft === null || isBusy || tried.current === draft) return;
    tried.current = draft;
    setImagined(null);
    void imagine(draft.records);
  }, [draft, isBusy]);
  useEffect(() => {
    if (imagined !== null && imagined !== kept) result.current?.scrollIntoView({ block: "nearest" });
  }, [imagined]);
  return (
    <section class="sec noprint" id="what-if" aria-labelledby="what-if-h">
      <div class="sec-h">
        <h2 id="what-if-h" ref={heading} tabIndex={-1}>
          Preview a DNS change
        </h2>
        <p>
          Enter a record to see its effect on this message and on stored messages from its domain. Nothing is published
          or saved.
        </p>
      </div>
      <div class="stack">
        <div class="card">
          <RecordForm
            key={draft?.at ?? 0}
            initial={draft?.records ?? kept?.records ?? usualRecords(test)}
            onSubmit={(records) => void imagine(records)}
            isBusy={isBusy}
            trouble={trouble}
          />
        </div>
        <div ref={result} aria-live="polite">
          {imagined !== null && (
            <Outcome test={test} would={imagined.report} records={toGivenRecords(imagined.records)} isStale={isBusy} />
          )}
        </div>
        {imagined !== null && <StoredMessages test={test} records={toGivenRecords(imagined.records)} />}
      </div>
    </section>
  );
}

/** The current DMARC policy for the domain in From, which is the record that people change most. */
function usualRecords(test: TestReport): readonly RecordRow[] {
  const { dmarc = null } = test.authentication ?? {};
  const domain = dmarc?.found_at ?? dmarc?.org_domain ?? dmarc?.domain;
  const name = domain ? `_dmarc.${domain}` : "";
  const [value = ""] = recordedValues(test, name, "TXT") ?? [];
  return [{ name, type: "TXT", value }];
}
