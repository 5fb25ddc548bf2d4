// What a page shows of a test until its report is there: the steps of the analysis, as they really happen.

import { useEffect, useState } from "preact/hooks";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { ErrorNote } from "../parts/states.tsx";
import { Severity } from "../parts/tone.tsx";

type TestProps = { readonly test: TestReport };

/** About as high as the head of a report, which takes its place. */
export function Waiting({ test }: TestProps) {
  return (
    <div class="head">
      {test.status === "failed" ? (
        <>
          <h1 class="vh">Analysis failed</h1>
          <ErrorNote
            title="Analysis failed."
            message={`${test.failure ?? "The reason is unknown."} The message is still stored. Re-analyze it to try again.`}
          />
        </>
      ) : (
        <>
          <div class="head-top">
            <p class="grade unknown">…</p>
            <h1 class="verdict">Analyzing. The report will appear here automatically.</h1>
          </div>
          <Steps test={test} />
        </>
      )}
    </div>
  );
}

const order: readonly (string | undefined)[] = [undefined, "reading", "verifying", "judging", "writing"];

function Steps({ test: { from, progress } }: TestProps) {
  const [, domain] = /^[^@]*@([\w.-]+)>?\s*$/.exec(from ?? "") ?? [];
  const dns = `Signatures and DNS${domain ? ` of ${domain}` : ""}${progress ? toPatience(progress) : ""}`;
  const now = order.indexOf(progress?.step);
  return (
    <ol class="steps">
      {["Received", "Message", dns, "Checks", "Report"].map((says, at) => (
        <li key={at} aria-current={at === now ? "step" : undefined}>
          {at < now ? (
            <Severity tone="good">{says}</Severity>
          ) : (
            <span class={at === now ? "live" : "live off"}>{says}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

function toPatience({ step, seconds, lookup_seconds: most }: NonNullable<TestReport["progress"]>): string {
  if (step !== "verifying" || seconds < 2) return "";
  return seconds < most ? `: waiting up to ${most} seconds` : `: stopped waiting after ${most} seconds`;
}

/** Whether a report that came while the page waited still draws itself. Parts that appear later don't. */
export function useDrawing(isReady: boolean): boolean {
  const [isWatched, setWatched] = useState(!isReady);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => setWatched(false), 2_000);
    return () => clearTimeout(timer);
  }, [isReady]);
  return isReady && isWatched;
}
