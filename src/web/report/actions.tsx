import { useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
import { ask, messageOf } from "../client/ask.ts";
import { goTo } from "../client/router.tsx";
import { toScore } from "../client/words.ts";
import { ErrorNote } from "../parts/states.tsx";
import { sayDone } from "../parts/toast.tsx";
import { DeleteTests } from "../tests/delete.tsx";
import { ShareDialog } from "./share.tsx";

type ActionsProps = { readonly test: TestReport; readonly onNewReport: (test: TestReport) => void };

export function Actions({ test, onNewReport }: ActionsProps) {
  const [open, setOpen] = useState<"share" | "delete" | null>(null);
  const { analyzeAgain, isBusy, trouble } = useReanalysis(test, onNewReport);
  const hasReport = test.analysis !== null;
  return (
    <div class="stack-2 noprint">
      <div class="row between">
        <a href="/tests">All tests</a>
        <span class="row acts-r">
          <button class="btn small" type="button" disabled={isBusy} onClick={() => analyzeAgain("live")}>
            {isBusy ? "Analysing …" : "Analyse again"}
          </button>
          {hasReport && (
            <button
              class="btn small wide-only"
              type="button"
              disabled={isBusy}
              title="By today’s rules, with the answers of DNS as they were"
              onClick={() => analyzeAgain("recorded")}
            >
              As recorded
            </button>
          )}
          {hasReport && (
            <button class="btn small" type="button" onClick={() => setOpen("share")}>
              Share
            </button>
          )}
          <button class="btn small" type="button" onClick={() => setOpen("delete")}>
            Delete
          </button>
        </span>
      </div>
      {trouble !== null && <ErrorNote title="It was not analysed again." message={trouble} />}
      {open === "share" && <ShareDialog testId={test.id} onClose={() => setOpen(null)} />}
      {open === "delete" && (
        <DeleteTests
          tests={[test]}
          onClose={() => setOpen(null)}
          onDeleted={() => goTo("/tests", { replace: true })}
        />
      )}
    </div>
  );
}

function useReanalysis(test: TestReport, onNewReport: (test: TestReport) => void) {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const analyzeAgain = async (dns: "live" | "recorded") => {
    setBusy(true);
    setTrouble(null);
    try {
      const renewed = await ask<TestReport>("POST", `/api/tests/${test.id}/reanalyze`, { query: { dns } });
      onNewReport(renewed);
      sayDone(toChange(test.composite, renewed.composite));
    } catch (error) {
      setTrouble(messageOf(error));
    }
    setBusy(false);
  };
  return { analyzeAgain, isBusy, trouble };
}

function toChange(before: number | null, after: number | null): string {
  if (before === null || after === null) return "Analysed again.";
  if (before === after) return `Analysed again: the score is ${toScore(after)}, as before.`;
  return `Analysed again: the score was ${toScore(before)} and is ${toScore(after)}.`;
}
