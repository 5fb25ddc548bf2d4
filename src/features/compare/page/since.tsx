// Changes since an earlier report of the same test. Shown above the report while the URL has `?since=`.

import { useLoaded } from "../../../web/client/loading.ts";
import { addressWith } from "../../../web/client/opened.ts";
import { goTo, usePlace } from "../../../web/client/router.tsx";
import { toCount, toMoment } from "../../../web/client/words.ts";
import { ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import type { TestReport } from "../../tests/contract/tests.ts";
import { ChangeGroups, VerdictChanges } from "./changes.tsx";
import { addressOfComparison, askComparison, namesOfReports, toHeadline, withoutGood } from "./comparison.ts";
import { FindingList } from "./findings.tsx";

export function Since({ test }: { readonly test: TestReport }) {
  const since = usePlace().query.get("since");
  // The URL may contain anything.
  return since === null || Number.isNaN(Date.parse(since)) ? null : <SinceCard key={since} test={test} since={since} />;
}

function SinceCard({ test, since }: { readonly test: TestReport; readonly since: string }) {
  const asked = { id: test.id, other: test.id, report: since };
  const { loaded, reload } = useLoaded(`${since} ${test.analyzed_at}`, (signal) => askComparison(asked, signal));
  const comparison = loaded.value;
  const close = () => goTo(addressWith("since", null), { replace: true });
  return (
    <section class="card since mt-4" aria-labelledby="since-h">
      <div class="row between top">
        <div role="status">
          <p class="label">Changes since {toMoment(since)}</p>
          <h2 id="since-h">{comparison ? toHeadline(comparison, true) : "Changes"}</h2>
        </div>
        <span class="row">
          <a class="btn small" href={addressOfComparison(asked)}>
            Compare reports
          </a>
          <button class="btn small" type="button" onClick={close}>
            Close
          </button>
        </span>
      </div>
      {loaded.state === "failed" && (
        <ErrorNote title="Couldn’t compare the reports." message={loaded.trouble.message} onRetry={reload} />
      )}
      {comparison === null && loaded.state === "loading" && <Skeleton lines={3} what="the earlier report" />}
      {comparison && <Changes comparison={comparison} />}
    </section>
  );
}

function Changes({ comparison }: { readonly comparison: Awaited<ReturnType<typeof askComparison>> }) {
  const { verdicts, findings, causes } = comparison;
  const { gone, added, changed } = findings;
  const lists = [
    { title: "No longer found", list: withoutGood(gone) },
    { title: "New", list: withoutGood(added) },
    { title: "Changed", list: withoutGood(changed.map(({ after }) => after)) },
  ].filter(({ list }) => list.length > 0);
  return (
    <>
      {verdicts.length > 0 && <VerdictChanges comparison={comparison} names={namesOfReports} />}
      {lists.length > 0 && (
        <div class="grid g2">
          {lists.map(({ title, list }) => (
            <div key={title}>
              <h3 class="t4">
                {title}: {toCount(list.length)}
              </h3>
              <FindingList findings={list} address={title === "No longer found" ? null : ""} />
            </div>
          ))}
        </div>
      )}
      {causes.some((cause) => cause !== "rules") && <ChangeGroups comparison={comparison} names={namesOfReports} />}
    </>
  );
}
