// A report made anew: with DNS as it is now, or as it was recorded. What changed is shown above the new report.

import { useEffect, useRef, useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
import { call } from "../client/call.ts";
import type { QueryOf } from "../client/endpoints.ts";
import { goTo } from "../client/router.tsx";
import { useDoing } from "../client/use-action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNote, sayDone } from "../parts/states.tsx";

type Analysis = QueryOf<"POST /api/tests/:id/reanalyze">;
type Dns = NonNullable<Analysis["dns"]>;

export type AgainProps = {
  readonly test: TestReport;
  readonly onNewReport: (test: TestReport) => void;
  readonly onClose: () => void;
};

/** Whoever went elsewhere meanwhile is not led back. */
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
      else sayDone("The message is analysed again: its report is renewed.");
    });
  return { ...doing, analyze };
}

/** The report, with what changed since it was as it is now. */
function addressSince({ id, analyzed_at, analysis }: TestReport): string {
  const path = `/tests/${id}`;
  return analysis === null || analyzed_at === null
    ? path
    : `${path}?since=${encodeURIComponent(analyzed_at)}`;
}

const choices = [
  {
    dns: "live",
    title: "With DNS as it is now",
    says: "Asks DNS, blocklists and scanners anew. Choose this to see whether a repair has arrived.",
  },
  {
    dns: "recorded",
    title: "With DNS as it was recorded",
    says: "Asks nobody. Whatever changes then comes from Assay’s own rules.",
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
    <Dialog title="Analyse this message again" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <fieldset class="stack-2">
          <legend class="vh">With which answers of DNS</legend>
          {choices.map((choice) => (
            <label key={choice.dns} class="option">
              <input
                type="radio"
                name="dns"
                checked={choice.dns === dns}
                disabled={isBusy || (choice.dns === "recorded" && !hasReport)}
                onChange={() => setDns(choice.dns)}
              />
              <span>
                <strong>{choice.title}</strong>
                <span class="small muted">{choice.says}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p class="small muted">The report of now is kept, under “History”. A test keeps its last twenty.</p>
        {isBusy && <Progress dns={dns} />}
        {trouble !== null && <ErrorNote title="It was not analysed again." message={trouble.message} />}
        <div class="acts">
          <button class="btn" type="button" onClick={onClose}>
            {isBusy ? "Close" : "Cancel"}
          </button>
          <button class="btn primary" type="submit" disabled={isBusy}>
            {isBusy ? "Analysing …" : "Analyse again"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** After a second what it waits for. */
export function Progress({ dns }: { readonly dns: Dns }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 1_000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="stack-2" role="status">
      <progress aria-label="The analysis is under way" />
      {isLong && (
        <p class="small muted">
          {dns === "live" ? "Waiting for DNS, blocklists and scanners. " : "Waiting for its turn. "}
          You may close this: the report renews itself.
        </p>
      )}
    </div>
  );
}
