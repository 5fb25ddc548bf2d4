// Re-analyzes a message, with fresh or recorded DNS. The changes are shown above the new report.

import { useEffect, useRef, useState } from "preact/hooks";
import type { TestReport } from "../../features/tests/contract/tests.ts";
import { call } from "../client/call.ts";
import type { QueryOf } from "../client/endpoints.ts";
import { goTo } from "../client/router.tsx";
import { useDoing } from "../client/use-action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { RadioOption } from "../parts/form.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";

type Analysis = QueryOf<"POST /api/tests/:id/reanalyze">;
type Dns = NonNullable<Analysis["dns"]>;

export type AgainProps = {
  readonly test: TestReport;
  readonly onNewReport: (test: TestReport) => void;
  readonly onClose: () => void;
};

/** Doesn't navigate if the reader has left the page meanwhile. */
export function useAnalysis({ test, onNewReport }: Omit<AgainProps, "onClose">) {
  const doing = useDoing();
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const analyze = (query: Analysis) =>
    doing.run(async () => {
      const renewed = await call("POST /api/tests/:id/reanalyze", { params: { id: test.id }, query });
      onNewReport(renewed);
      if (isThere.current) goTo(addressSince(test), { replace: true });
      else sayDone("Re-analyzed. The report is updated.");
    });
  return { ...doing, analyze };
}

/** Path of the report with the changes since the current one. */
function addressSince({ id, analyzed_at, analysis }: TestReport): string {
  const path = `/tests/${id}`;
  return analysis === null || analyzed_at === null ? path : `${path}?since=${encodeURIComponent(analyzed_at)}`;
}

const choices = [
  {
    dns: "live",
    title: "Fresh DNS",
    says: "Queries DNS, blocklists, and spam filters again. Use this to check a fix.",
  },
  {
    dns: "recorded",
    title: "Recorded DNS",
    says: "Uses the stored DNS responses instead of new lookups, so changes can only come from Assay’s rules or your settings.",
  },
] as const;

export function AgainDialog({ test, onNewReport, onClose }: AgainProps) {
  const [dns, setDns] = useState<Dns>("live");
  const { analyze, isBusy, trouble } = useAnalysis({ test, onNewReport });
  const hasReport = test.analysis !== null;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void analyze({ dns });
  };
  return (
    <Dialog title="Re-analyze this message" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <fieldset class="stack-2">
          <legend class="vh">DNS data to use</legend>
          {choices.map((choice) => (
            <RadioOption
              key={choice.dns}
              name="dns"
              title={choice.title}
              says={choice.says}
              isChosen={choice.dns === dns}
              isDisabled={isBusy || (choice.dns === "recorded" && !hasReport)}
              onChoose={() => setDns(choice.dns)}
            />
          ))}
        </fieldset>
        <p class="small muted">
          The current report stays available under “History”. Assay keeps the last 20 reports for each test.
        </p>
        {isBusy && <Progress dns={dns} />}
        {trouble !== null && <ErrorNote title="Couldn’t re-analyze the message." message={trouble.message} />}
        <div class="acts">
          <button class="btn" type="button" onClick={onClose}>
            {isBusy ? "Close" : "Cancel"}
          </button>
          <button class="btn primary" type="submit" disabled={isBusy}>
            {isBusy ? "Analyzing …" : "Re-analyze"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Says what it is waiting for after a second. */
export function Progress({ dns }: { readonly dns: Dns }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 1_000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="stack-2" role="status">
      <progress aria-label="Analyzing" />
      {isLong && (
        <p class="small muted">
          {dns === "live" ? "Waiting for DNS, blocklists, and spam filters. " : "Waiting in the queue. "}
          You can close this. The report updates automatically.
        </p>
      )}
    </div>
  );
}
