// What a page shows of a test until its report is there: the steps of the analysis, as they really happen.

import { useEffect, useRef, useState } from "preact/hooks";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { ErrorNote } from "../parts/states.tsx";

type TestProps = { readonly test: TestReport };

const steps = ["reading", "verifying", "judging", "writing"] as const;

/** As high as the head of a report, so that the report moves nothing when it takes its place. */
export function Waiting({ test: { status, failure, from, progress } }: TestProps) {
  if (status === "failed")
    return (
      <div class="head">
        <h1 class="vh">No report</h1>
        <ErrorNote
          title="Analysis failed."
          message={`${failure ?? "The reason is unknown."} The message is still stored. Re-analyze it to try again.`}
        />
      </div>
    );
  const [, domain] = /^[^@]*@([^\s<>@,;()]+)>?\s*$/.exec(from ?? "") ?? [];
  const words = [
    "Read the message",
    `Check signatures and DNS${domain ? ` of ${domain}` : ""}`,
    "Run the checks",
    "Write the report",
  ];
  const now = progress ? steps.indexOf(progress.step) : 0;
  return (
    <section id="summary" class="head" aria-label="Summary">
      <div class="head-top">
        <p class="grade">…</p>
        <h1 class="verdict">Analyzing. The report will appear here automatically.</h1>
      </div>
      <ol class="steps">
        <li>Received</li>
        {progress ? (
          words.map((says, at) => (
            <li
              key={at}
              class={at < now ? "" : at > now ? "muted" : "live"}
              aria-current={at === now ? "step" : undefined}
            >
              <span>
                {says}
                {at === now && progress.step === "verifying" && toPatience(progress)}
              </span>
            </li>
          ))
        ) : (
          <li class="live">{status === "received" ? "Waiting for its turn" : "Being analyzed"}</li>
        )}
      </ol>
    </section>
  );
}

function toPatience({ seconds, lookup_seconds }: NonNullable<TestReport["progress"]>): string {
  if (seconds < 2) return "";
  return seconds < lookup_seconds
    ? `: waiting for answers, at most ${lookup_seconds} seconds`
    : `: the ${lookup_seconds} seconds for lookups are over, so what hasn’t answered will be missing from the report`;
}

/** A report that comes while a page waits for it draws itself, but not a second time in another tab. */
const drawsForMs = 2_000;

export function useDrawing(isReady: boolean): { readonly wasAwaited: boolean; readonly isDrawing: boolean } {
  const wasAwaited = useRef(!isReady).current;
  const [isDrawn, setDrawn] = useState(isReady);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => setDrawn(true), drawsForMs);
    return () => clearTimeout(timer);
  }, [isReady]);
  return { wasAwaited, isDrawing: isReady && !isDrawn };
}
