import { useState } from "preact/hooks";
import type { TestReport } from "../../api/tests.ts";
import { useOpened } from "../client/opened.ts";
import { goTo } from "../client/router.tsx";
import { PickDialog } from "../compare/pick.tsx";
import { DeleteTests } from "../tests/delete.tsx";
import { AgainDialog } from "./again.tsx";
import { KindDialog } from "./kind.tsx";
import { ShareDialog } from "./share.tsx";

type ActionsProps = { readonly test: TestReport; readonly onNewReport: (test: TestReport) => void };

export function Actions({ test, onNewReport }: ActionsProps) {
  const { opened, open, close } = useOpened();
  // Deleting leads away from here, and must not be what going back leads to.
  const [isDeleting, setDeleting] = useState(false);
  const hasReport = test.analysis !== null;
  const again = { test, onNewReport, onClose: close };
  return (
    <div class="stack-2 noprint">
      <div class="row between">
        <a href="/tests">All tests</a>
        <span class="row acts-r">
          <button class="btn small" type="button" onClick={() => open("again")}>
            Analyse again
          </button>
          {hasReport && (
            <>
              <button class="btn small" type="button" onClick={() => open("compare")}>
                Compare
              </button>
              <button class="btn small" type="button" onClick={() => open("share")}>
                Share
              </button>
            </>
          )}
          <button class="btn small" type="button" onClick={() => setDeleting(true)}>
            Delete
          </button>
        </span>
      </div>
      {opened === "again" && <AgainDialog {...again} />}
      {opened === "kind" && hasReport && <KindDialog {...again} />}
      {opened === "compare" && hasReport && <PickDialog test={test} onClose={close} />}
      {opened === "share" && hasReport && <ShareDialog testId={test.id} onClose={close} />}
      {isDeleting && (
        <DeleteTests
          tests={[test]}
          onClose={() => setDeleting(false)}
          onDeleted={() => goTo("/tests", { replace: true })}
        />
      )}
    </div>
  );
}
