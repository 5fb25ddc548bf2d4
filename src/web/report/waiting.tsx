// What a page shows of a test until its report is there: the steps of the analysis, as they really happen.

import { useEffect, useState } from "preact/hooks";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { ErrorNote } from "../parts/states.tsx";
import { Severity } from "../parts/tone.tsx";
import { toSenderDomain } from "./inbox-words.ts";

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
  const domain = toSenderDomain(from);
  const { step, seconds = 0, lookup_seconds: most = 0 } = progress ?? {};
  const patience = `: ${seconds < most ? "waiting up to" : "stopped waiting after"} ${most} seconds`;
  const dns = `Signatures and DNS${domain ? ` of ${domain}` : ""}${step === "verifying" && seconds > 1 ? patience : ""}`;
  const now = order.indexOf(step);
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

/** Whether a report still draws itself after it came. Parts that appear later don't. */
export function useDrawing(hasCome: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!hasCome) return;
    const timer = setTimeout(() => setDrawn(true), 2_000);
    return () => clearTimeout(timer);
  }, [hasCome]);
  return hasCome && !isDrawn;
}
