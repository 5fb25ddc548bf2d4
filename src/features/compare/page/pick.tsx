// The dialog to choose a test to compare with: newest tests from the same sender first, or search results.

import { useEffect, useState } from "preact/hooks";
import type { AnswerOf } from "../../../platform/contract/endpoint.ts";
import { call } from "../../../web/client/call.ts";
import { useLoaded } from "../../../web/client/loading.ts";
import { Dialog } from "../../../web/parts/dialog.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { Score } from "../../../web/parts/score.tsx";
import { LoadNote } from "../../../web/parts/states.tsx";
import { Moment } from "../../../web/parts/text.tsx";
import type { listTests, TestReport } from "../../tests/contract/tests.ts";
import { readSearch } from "../../tests/page/search.ts";
import { addressOfComparison } from "./comparison.ts";

type TestRows = AnswerOf<typeof listTests>["items"];
type Group = { readonly title: string; readonly tests: TestRows };

type Filters = { readonly search?: string | undefined; readonly from_domain?: string };

const most = 8;
const restMs = 250;

/** Reads one test more than it shows, because the test itself may be in the list. */
async function readTests(filters: Filters, id: string, signal: AbortSignal): Promise<TestRows> {
  const query = { status: "analyzed", ...filters, limit: most + 1 } as const;
  const { items } = await call("GET /api/tests", { query, signal });
  return items.filter((test) => test.id !== id && test.composite !== null).slice(0, most);
}

async function readGroups(test: TestReport, text: string, signal: AbortSignal): Promise<readonly Group[]> {
  if (text !== "") {
    const { search, problems } = readSearch(text, Date.now());
    if (problems.length > 0) return [];
    return [{ title: "Search results", tests: await readTests({ search }, test.id, signal) }];
  }
  const domain = test.authentication?.dmarc?.domain ?? null;
  const alike = domain === null ? [] : await readTests({ from_domain: domain }, test.id, signal);
  const known = new Set(alike.map(({ id }) => id));
  const newest = await readTests({}, test.id, signal);
  const others = newest.filter(({ id }) => !known.has(id));
  return [
    { title: `Newest from ${domain ?? "this sender"}`, tests: alike },
    { title: alike.length > 0 ? "Newest from other senders" : "Newest", tests: others },
  ].filter(({ tests }) => tests.length > 0);
}

type PickProps = { readonly test: TestReport; readonly onClose: () => void };

export function PickDialog({ test, onClose }: PickProps) {
  const [typed, setTyped] = useState("");
  const text = useRested(typed).trim();
  const { loaded, reload } = useLoaded(text, (signal) => readGroups(test, text, signal));
  const { problems } = readSearch(text, Date.now());
  return (
    <Dialog title="Compare with another test" onClose={onClose}>
      <label class="search">
        <span class="tone info">
          <Icon name="search" />
        </span>
        <input
          type="search"
          autofocus
          aria-label="Search tests"
          placeholder="Search, or use from: label: score:<70"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      {problems.map((problem) => (
        <p key={problem} class="small tone minor" role="alert">
          {problem}
        </p>
      ))}
      <LoadNote loaded={loaded} onRetry={reload} lines={5} what="the tests" />
      {loaded.value && <Groups groups={loaded.value} id={test.id} isSearched={text !== ""} />}
      <div class="acts">
        <button class="btn" type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

/** The typed text, once typing pauses. */
function useRested(typed: string): string {
  const [rested, setRested] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return rested;
}

type GroupsProps = { readonly groups: readonly Group[]; readonly id: string; readonly isSearched: boolean };

function Groups({ groups, id, isSearched }: GroupsProps) {
  if (groups.every(({ tests }) => tests.length === 0))
    return (
      <p class="muted" role="status">
        {isSearched
          ? "No matching tests with a report."
          : "No other tests with a report yet. Send another message to compare."}
      </p>
    );
  return (
    <>
      {groups.map(({ title, tests }) => (
        <section key={title} class="stack-2" aria-label={title}>
          <h3 class="label">{title}</h3>
          <ul class="pick">
            {tests.map(({ id: other, subject, from, received_at, composite, grade }) => (
              <li key={other}>
                <a href={addressOfComparison({ id, other, report: null })}>
                  <strong class="clip">
                    <bdi>{subject?.trim() || "No subject"}</bdi>
                  </strong>
                  <span class="small muted clip">
                    {from?.trim() || "No sender"} · <Moment time={received_at} />
                  </span>
                </a>
                <Score score={composite} grade={grade} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
