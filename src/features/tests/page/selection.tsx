// Which tests are selected, and what can be done with them: those on the page, or all that the search finds.

import { useCallback, useMemo, useState } from "preact/hooks";
import { useKeys } from "../../../web/client/keys.ts";
import { goTo } from "../../../web/client/router.tsx";
import { toPlural } from "../../../web/client/words.ts";
import { addressOfComparison } from "../../compare/page/comparison.ts";
import { DeleteTests, type Doomed } from "./delete.tsx";
import type { TestList, TestRow } from "./list.tsx";
import type { ListQuery } from "./search.ts";

/** The API deletes no more at once. */
const mostAtOnce = 10_000;

type Selection = {
  /** On this page. */
  readonly selected: ReadonlySet<string>;
  /** How many match, if all of them are selected. */
  readonly all: number | null;
  /** How many could be selected besides those on the page. */
  readonly selectable: number | null;
  readonly search: string;
  readonly toggle: (id: string) => void;
  readonly toggleAll: () => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
};

/** Tests that leave the page lose their selection. */
export function useSelection({ items, total, totalIsExact }: TestList, query: ListQuery): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // The count that the reader saw, for this search.
  const [whole, setWhole] = useState<{ readonly query: ListQuery; readonly count: number } | null>(null);
  const selected = useMemo(() => new Set(items.map(({ id }) => id).filter((id) => chosen.has(id))), [items, chosen]);
  const toggle = useCallback((id: string) => {
    setWhole(null);
    setChosen((known) => new Set(known.has(id) ? [...known].filter((one) => one !== id) : [...known, id]));
  }, []);
  const clear = useCallback(() => {
    setWhole(null);
    setChosen(new Set());
  }, []);
  const isPage = selected.size === items.length;
  const canBeAll = isPage && totalIsExact && total > items.length && total <= mostAtOnce;
  const { search = "", sort } = query;
  return {
    selected,
    all: whole?.query === query && isPage ? whole.count : null,
    selectable: canBeAll ? total : null,
    // A list by score has only tests with one.
    search: sort === "newest" ? search : `${search} has:score`.trim(),
    toggle,
    toggleAll: () => {
      setWhole(null);
      setChosen(isPage ? new Set() : new Set(items.map(({ id }) => id)));
    },
    selectAll: () => setWhole({ query, count: total }),
    clear,
  };
}

type SelectionBarProps = { readonly list: TestList; readonly selection: Selection; readonly onChanged: () => void };

export function SelectionBar({ list, selection, onChanged }: SelectionBarProps) {
  const { selected, all, selectable, search, selectAll, clear } = selection;
  const [doomed, setDoomed] = useState<Doomed | null>(null);
  const tests = list.items.filter(({ id }) => selected.has(id));
  const what = search === "" ? "" : " that match";
  return (
    <>
      {selected.size > 0 && (
        <div class="selection row between" role="status">
          <span>
            {all === null
              ? toPlural(selected.size, "test selected", "tests selected")
              : `All ${toPlural(all, "test", "tests")}${what} selected`}
          </span>
          <span class="row">
            {all === null && selectable !== null && (
              <button class="btn small" type="button" onClick={selectAll}>
                Select all {toPlural(selectable, "test", "tests")}
                {what}
              </button>
            )}
            <button class="btn small quiet" type="button" onClick={clear}>
              Clear selection
            </button>
            <CompareSelected tests={tests} />
            <button
              class="btn small danger"
              type="button"
              onClick={() => setDoomed(all === null ? { tests } : { search, expected: all })}
            >
              Delete
            </button>
          </span>
        </div>
      )}
      {doomed && (
        <DeleteTests
          doomed={doomed}
          onClose={() => setDoomed(null)}
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

/** The keys move the focus, so screen readers announce the row that Enter would open. */
export function useRowKeys(body: { readonly current: HTMLElement | null }, toggle: (id: string) => void): void {
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
