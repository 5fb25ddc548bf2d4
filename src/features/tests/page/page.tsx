// All tests, newest first: search, live updates, selection and keyboard shortcuts.

import { useMemo, useRef } from "preact/hooks";
import { addressOf } from "../../../web/client/call.ts";
import { useIsLive } from "../../../web/client/events.ts";
import { goBackOr, goTo, useArrival, usePlace, useTitle } from "../../../web/client/router.tsx";
import { toPlural, toSentence } from "../../../web/client/words.ts";
import { RoomHeading } from "../../../web/parts/heading.tsx";
import { Icon } from "../../../web/parts/icon.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../../web/parts/states.tsx";
import { Row, type TestList, useArrivals, useTests } from "./list.tsx";
import {
  addressOfList,
  type ListPlace,
  type ListQuery,
  readSearch,
  readSort,
  type Sort,
  type TypedSearch,
} from "./search.ts";
import { SearchBox } from "./search-box.tsx";
import { SelectionBar, useRowKeys, useSelection } from "./selection.tsx";
import { ReachNote, SeedAddress, useReceiving } from "./start/send-here.tsx";

export function TestsPage() {
  useTitle("Tests");
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  const sort = readSort(query.get("sort"));
  const cursor = query.get("cursor");
  const search = useMemo(() => readSearch(text, Date.now()), [text]);
  const asked: Asked = { text, sort, cursor, search };
  const isUnderstood = search.problems.length === 0;
  return isUnderstood ? <FoundTests {...asked} /> : <NotUnderstood {...asked} />;
}

type Asked = Required<ListPlace> & { readonly search: TypedSearch };

/** No rows, because a list that ignores a part of the search would mislead. */
function NotUnderstood({ text, sort, search }: Asked) {
  useArrival(true);
  return (
    <>
      <RoomHeading />
      <SearchBox text={text} search={search} sort={sort} />
      <EmptyState icon="search" title="Nothing was searched">
        <p>Correct the search above, or clear it to see all tests.</p>
        <a class="btn" href="/tests">
          Clear search
        </a>
      </EmptyState>
    </>
  );
}

function FoundTests({ text, sort, cursor, search: typed }: Asked) {
  const { search } = typed;
  const query = useMemo(() => ({ ...(search === undefined ? {} : { search }), sort }), [search, sort]);
  const arrived = useArrivals();
  const { loaded, reload } = useTests(query, cursor);
  useArrival(loaded.value !== null);
  const list = loaded.value;
  const isEmptyPlace = list?.items.length === 0 && text === "" && cursor === null && sort === "newest";
  const place = { text, sort, cursor };
  return (
    <>
      <Heading list={list} query={query} />
      {!isEmptyPlace && <SearchBox text={text} search={typed} sort={sort} />}
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
      {list && !isEmptyPlace && list.items.length === 0 && <NoMatches search={typed} />}
      {list && list.items.length > 0 && (
        <List list={list} place={place} query={query} arrived={arrived} onChanged={reload} />
      )}
    </>
  );
}

function Heading({ list, query }: { readonly list: TestList | null; readonly query: ListQuery }) {
  const isLive = useIsLive();
  return (
    <RoomHeading
      lead={
        <>
          {list && `${toCount(list, query)} · `}
          {isLive ? <span class="live">Live</span> : <span class="live off">Not connected. Reconnecting…</span>}
        </>
      }
    >
      <a class="btn" href={addressOf("/api/tests/export.csv", { query })} download="tests.csv">
        {query.search === undefined ? "Export all as CSV" : "Export these as CSV"}
      </a>
    </RoomHeading>
  );
}

function toCount({ total, totalIsExact }: TestList, { search, sort }: ListQuery): string {
  const least = totalIsExact ? "" : "at least ";
  if (search !== undefined) return toSentence(`${least}${toPlural(total, "match", "matches")}`);
  const scored = sort === "newest" ? "" : " with a score";
  return toSentence(`${least}${toPlural(total, "test", "tests")}${scored}`);
}

function NoTests() {
  return (
    <EmptyState icon="inbox" title="No tests yet">
      <p>Send an email to this address. The test and its report appear here within seconds.</p>
      <SeedAddress />
      <ReachNote receiving={useReceiving()} isAlone />
      <a class="btn" href="/start">
        Upload or paste a message
      </a>
    </EmptyState>
  );
}

function NoMatches({ search }: { readonly search: TypedSearch }) {
  const lastTerm = search.terms.at(-1);
  const without = search.terms.slice(0, -1).join(" ");
  return (
    <EmptyState icon="search" title="No matching tests">
      <p>
        {search.terms.length > 1
          ? "Remove a filter or clear the search."
          : search.terms.length === 1
            ? "Clear the search to see all tests."
            : "No test has a score. Sort by time to see all tests."}
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
  readonly place: Required<ListPlace>;
  readonly query: ListQuery;
  readonly arrived: ReadonlySet<string>;
  readonly onChanged: () => void;
};

function List({ list, place, query, arrived, onChanged }: ListProps) {
  const selection = useSelection(list, query);
  const { selected, toggle, toggleAll } = selection;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, toggle);
  return (
    <>
      <SelectionBar list={list} selection={selection} onChanged={onChanged} />
      <div class="card flush">
        <table class="table hover fold tests">
          <caption class="vh">{captions[place.sort]}</caption>
          <TableHead place={place} isAll={selected.size === list.items.length} onToggleAll={toggleAll} />
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
      <Pages next={list.next} place={place} />
    </>
  );
}

const captions: Readonly<Record<Sort, string>> = {
  newest: "Tests, newest first",
  score: "Tests, lowest score first",
  "-score": "Tests, highest score first",
};

type TableHeadProps = { readonly place: ListPlace; readonly isAll: boolean; readonly onToggleAll: () => void };

function TableHead({ place, isAll, onToggleAll }: TableHeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <input type="checkbox" aria-label="Select all on this page" checked={isAll} onChange={onToggleAll} />
        </th>
        <th scope="col">Message</th>
        <th scope="col">Label</th>
        <th scope="col">Authentication</th>
        <th scope="col">Placement</th>
        <SortedBy place={place} name="Score" orders={["score", "-score"]} />
        <SortedBy place={place} name="Received" orders={["newest"]} />
      </tr>
    </thead>
  );
}

type SortedByProps = {
  readonly place: ListPlace;
  readonly name: string;
  /** In the order in which clicks go through them. */
  readonly orders: readonly [Sort, ...Sort[]];
};

function SortedBy({ place: { text, sort }, name, orders }: SortedByProps) {
  const at = orders.indexOf(sort);
  const next = orders[(at + 1) % orders.length] ?? orders[0];
  const icon = sort === "score" ? "up" : "down";
  return (
    <th scope="col" class="num" {...(at >= 0 && { "aria-sort": icon === "up" ? "ascending" : "descending" })}>
      <a href={addressOfList({ text, sort: next })}>{name}</a> {at >= 0 && <Icon name={icon} />}
    </th>
  );
}

function Pages({ next, place }: { readonly next: string | null; readonly place: Required<ListPlace> }) {
  const isByTime = place.sort === "newest";
  const addressAt = (cursor: string | null) => addressOfList({ ...place, cursor });
  return (
    <div class="mt-4 row between">
      <p class="row small muted keys-hint">
        <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open <kbd>x</kbd> select <kbd>/</kbd> search <kbd>?</kbd> all
        shortcuts
      </p>
      <nav class="row" aria-label="Pages">
        {place.cursor !== null && (
          <>
            <a class="btn small" href={addressAt(null)}>
              {isByTime ? "Newest" : "First page"}
            </a>
            <button class="btn small" type="button" onClick={() => goBackOr(addressAt(null))}>
              Back
            </button>
          </>
        )}
        {next !== null && (
          <a class="btn small" href={addressAt(next)}>
            {isByTime ? "Older" : "Next"}
          </a>
        )}
      </nav>
    </div>
  );
}
