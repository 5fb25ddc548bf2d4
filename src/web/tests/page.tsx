// All tests, newest first: search, live updates, selection and keyboard shortcuts.

import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { WorkspaceEvent } from "../../api/events.ts";
import { addressOf } from "../client/call.ts";
import { useKeys } from "../client/keys.ts";
import { goBackOr, goTo, useArrival, usePlace, useTitle } from "../client/router.tsx";
import { toPlural, toSentence } from "../client/words.ts";
import { addressOfComparison } from "../compare/comparison.ts";
import { Icon } from "../parts/icon.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../parts/states.tsx";
import { SeedAddress } from "../start/send-here.tsx";
import { DeleteTests } from "./delete.tsx";
import { Row, type TestList, type TestRow, useTests } from "./list.tsx";
import { parseSearch, type Search } from "./search.ts";
import { SearchBox } from "./search-box.tsx";

export function TestsPage() {
  useTitle("Tests");
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  const cursor = query.get("cursor");
  const search = useMemo(() => parseSearch(text), [text]);
  const { arrived, note } = useArrivals();
  const { loaded, reload } = useTests(search.filters, cursor, note);
  useArrival(loaded.value !== null);
  const list = loaded.value;
  const isEmptyPlace = list?.items.length === 0 && text === "" && cursor === null;
  return (
    <>
      <Heading list={list} search={search} />
      {!isEmptyPlace && <SearchBox text={text} search={search} />}
      {loaded.state === "failed" && (
        <ErrorNote
          title="Couldn’t load the tests."
          message={loaded.trouble.message}
          // Retrying an invalid cursor would fail again.
          onRetry={loaded.trouble.status === 400 && cursor !== null ? () => goTo("/tests") : reload}
        />
      )}
      {list === null && loaded.state === "loading" && <Skeleton lines={12} what="the tests" />}
      {list && isEmptyPlace && <NoTests />}
      {list && !isEmptyPlace && list.items.length === 0 && <NoMatches search={search} />}
      {list && list.items.length > 0 && (
        <List list={list} cursor={cursor} arrived={arrived} onChanged={reload} />
      )}
    </>
  );
}

/** Tests that arrived while the page is open. They stay highlighted until it is closed. */
function useArrivals() {
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  const note = useCallback((event: WorkspaceEvent) => {
    if (event.type === "test.received") setArrived((known) => new Set([...known, event.id].slice(-100)));
  }, []);
  return { arrived, note };
}

function Heading({ list, search }: { readonly list: TestList | null; readonly search: Search }) {
  const isSearched = Object.keys(search.filters).length > 0;
  const count = list
    ? `${list.totalIsExact ? "" : "at least "}${toPlural(list.total, "match", "matches")}`
    : "";
  return (
    <div class="page-h">
      <div>
        <h1>Tests</h1>
        <p>
          {list && (isSearched ? `${toSentence(count)} · ` : `${toPlural(list.total, "test", "tests")} · `)}
          <span class="live">Live</span>
        </p>
      </div>
      <div class="row">
        <a class="btn" href={addressOf("/api/tests/export.csv")} download="tests.csv">
          Export all as CSV
        </a>
      </div>
    </div>
  );
}

function NoTests() {
  return (
    <EmptyState icon="inbox" title="No tests yet">
      <p>Send an email to this address. The test and its report appear here within seconds.</p>
      <SeedAddress />
      <a class="btn" href="/start">
        Upload or paste a message
      </a>
    </EmptyState>
  );
}

function NoMatches({ search }: { readonly search: Search }) {
  const lastTerm = search.terms.at(-1);
  const without = search.terms.slice(0, -1).join(" ");
  return (
    <EmptyState icon="search" title="No matching tests">
      <p>
        {search.terms.length > 1
          ? "Remove a filter or clear the search."
          : "Clear the search to see all tests."}
      </p>
      <div class="row">
        {search.terms.length > 1 && (
          <a class="btn" href={`/tests?q=${encodeURIComponent(without)}`}>
            Remove “{lastTerm}”
          </a>
        )}
        <a class="btn" href="/tests">
          Clear search
        </a>
      </div>
    </EmptyState>
  );
}

type ListProps = {
  readonly list: TestList;
  readonly cursor: string | null;
  readonly arrived: ReadonlySet<string>;
  readonly onChanged: () => void;
};

function List({ list, cursor, arrived, onChanged }: ListProps) {
  const { selected, toggle, toggleAll, clear } = useSelection(list.items);
  const [isDeleting, setDeleting] = useState(false);
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, toggle);
  return (
    <>
      {selected.size > 0 && (
        <div class="selection row between" role="status">
          <span>{toPlural(selected.size, "test selected", "tests selected")}</span>
          <span class="row">
            <button class="btn small quiet" type="button" onClick={clear}>
              Clear selection
            </button>
            <CompareSelected tests={list.items.filter(({ id }) => selected.has(id))} />
            <button class="btn small danger" type="button" onClick={() => setDeleting(true)}>
              Delete
            </button>
          </span>
        </div>
      )}
      <div class="card flush">
        <table class="table hover fold tests">
          <caption class="vh">Tests, newest first</caption>
          <TableHead isAll={selected.size === list.items.length} onToggleAll={toggleAll} />
          <tbody ref={body}>
            {list.items.map((test) => (
              <Row
                key={test.id}
                test={test}
                isSelected={selected.has(test.id)}
                isNew={arrived.has(test.id)}
                onSelect={toggle}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Pages next={list.next} cursor={cursor} />
      {isDeleting && (
        <DeleteTests
          tests={list.items.filter(({ id }) => selected.has(id))}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            clear();
            onChanged();
          }}
        />
      )}
    </>
  );
}

/** Shown for exactly two tests that both have a report. Compares the newer with the older one. */
function CompareSelected({ tests }: { readonly tests: readonly TestRow[] }) {
  const [newer, older] = tests;
  if (tests.length !== 2 || !newer || !older) return null;
  if (newer.analyzed_at === null || older.analyzed_at === null) return null;
  return (
    <a class="btn small" href={addressOfComparison({ id: newer.id, other: older.id, report: null })}>
      Compare
    </a>
  );
}

function TableHead({ isAll, onToggleAll }: { readonly isAll: boolean; readonly onToggleAll: () => void }) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <input
            type="checkbox"
            aria-label="Select all on this page"
            checked={isAll}
            onChange={onToggleAll}
          />
        </th>
        <th scope="col">Message</th>
        <th scope="col">Label</th>
        <th scope="col">Authentication</th>
        <th scope="col">Placement</th>
        <th scope="col" class="num">
          Score
        </th>
        <th scope="col" class="num" aria-sort="descending">
          Received <Icon name="down" />
        </th>
      </tr>
    </thead>
  );
}

function Pages({ next, cursor }: { readonly next: string | null; readonly cursor: string | null }) {
  const { query } = usePlace();
  const text = query.get("q");
  const addressAt = (place: string | null) => {
    const asked = new URLSearchParams({ ...(text ? { q: text } : {}), ...(place ? { cursor: place } : {}) });
    return asked.size > 0 ? `/tests?${asked}` : "/tests";
  };
  return (
    <div class="mt-4 row between">
      <p class="row small muted keys-hint">
        <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open <kbd>x</kbd> select <kbd>/</kbd> search{" "}
        <kbd>?</kbd> all shortcuts
      </p>
      <nav class="row" aria-label="Pages">
        {cursor !== null && (
          <>
            <a class="btn small" href={addressAt(null)}>
              Newest
            </a>
            <button class="btn small" type="button" onClick={() => goBackOr(addressAt(null))}>
              Back
            </button>
          </>
        )}
        {next !== null && (
          <a class="btn small" href={addressAt(next)}>
            Older
          </a>
        )}
      </nav>
    </div>
  );
}

/** Tests that leave the page lose their selection. */
function useSelection(rows: readonly TestRow[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(
    () => new Set(rows.map(({ id }) => id).filter((id) => chosen.has(id))),
    [rows, chosen],
  );
  const toggle = useCallback((id: string) => {
    setChosen((known) => new Set(known.has(id) ? [...known].filter((one) => one !== id) : [...known, id]));
  }, []);
  const clear = useCallback(() => setChosen(new Set()), []);
  const toggleAll = () =>
    setChosen(selected.size === rows.length ? new Set() : new Set(rows.map(({ id }) => id)));
  return { selected, toggle, toggleAll, clear };
}

/** The keys move the focus, so screen readers announce the row that Enter would open. */
function useRowKeys(body: { readonly current: HTMLElement | null }, toggle: (id: string) => void): void {
  const keys = useMemo(() => {
    const links = () => [...(body.current?.querySelectorAll<HTMLElement>("a.subject") ?? [])];
    const current = () => document.activeElement?.closest<HTMLElement>("tr[data-test]") ?? null;
    const move = (step: number) => {
      const all = links();
      const at = all.findIndex((link) => link.closest("tr") === current());
      const next = at === -1 ? (step > 0 ? 0 : all.length - 1) : at + step;
      all[Math.min(Math.max(next, 0), all.length - 1)]?.focus();
    };
    return {
      j: () => move(1),
      k: () => move(-1),
      x: () => {
        const id = current()?.dataset.test;
        if (id !== undefined) toggle(id);
      },
      Escape: () => goTo("/tests"),
    };
  }, [body, toggle]);
  useKeys(keys);
}
