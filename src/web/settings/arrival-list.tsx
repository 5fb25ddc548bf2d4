// A long list of what arrived, a page at a time. The page stands in the address, so that the back button turns it.

import type { ComponentChildren } from "preact";
import { useCallback } from "preact/hooks";
import { useEvents } from "../client/events.ts";
import { useLoaded } from "../client/loading.ts";
import { goTo, usePlace } from "../client/router.tsx";
import { toCount } from "../client/words.ts";
import { Reading } from "./section.tsx";

type PageOf<T> = { readonly items: readonly T[]; readonly total: number; readonly next: string | null };
/** What every endpoint with pages takes. */
type PageWanted = {
  readonly query: { readonly limit: number; readonly cursor?: string };
  readonly signal: AbortSignal;
};

type ArrivalListProps<T> = {
  readonly title: string;
  /** What such a thing is, in a sentence. */
  readonly lead: string;
  /** In the address and in messages: "bounces". */
  readonly name: string;
  readonly read: (wanted: PageWanted) => Promise<PageOf<T>>;
  readonly empty: string;
  readonly columns: readonly string[];
  readonly row: (entry: T) => ComponentChildren;
};

const pageSize = 5;

export function ArrivalList<T>({ title, lead, name, read, empty, columns, row }: ArrivalListProps<T>) {
  const { query } = usePlace();
  const cursor = query.get(name);
  const { loaded, reload } = useLoaded(cursor ?? "", (signal) =>
    read({ query: { limit: pageSize, ...(cursor === null ? {} : { cursor }) }, signal }),
  );
  const addressAt = useAddresses(name);
  const isLost = loaded.state === "failed" && loaded.trouble.status === 400 && cursor !== null;
  // An address that somebody cut short is no better the second time.
  const retry = isLost ? () => goTo(addressAt(null)) : reload;
  useEvents(
    useCallback(
      ({ type }) => {
        if (type === "test.recognised" || type === "reset") reload();
      },
      [reload],
    ),
  );
  return (
    <section class="card flush" aria-labelledby={`title-${name}`}>
      <div class="settings-top stacked rule">
        <h3 id={`title-${name}`}>{title}</h3>
        <p class="small muted measure">{lead}</p>
      </div>
      <Reading reading={{ loaded, reload: retry }} what={`the ${title.toLowerCase()}`}>
        {({ items, total, next }) =>
          items.length === 0 && cursor === null ? (
            <p class="p-34 muted">{empty}</p>
          ) : (
            <>
              <table class="table fold">
                <caption>{toCount(total)} in all, newest first</caption>
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th scope="col" key={column}>
                        {column}
                      </th>
                    ))}
                    <th scope="col">
                      <span class="vh">Download</span>
                    </th>
                  </tr>
                </thead>
                <tbody>{items.map(row)}</tbody>
              </table>
              <Pager title={title} cursor={cursor} next={next} addressAt={addressAt} />
            </>
          )
        }
      </Reading>
    </section>
  );
}

/** Of the page behind a cursor; null: of the first. The other lists stay where they are. */
function useAddresses(name: string): (cursor: string | null) => string {
  const { path, query } = usePlace();
  return (cursor) => {
    const turned = new URLSearchParams(query);
    if (cursor === null) turned.delete(name);
    else turned.set(name, cursor);
    const text = turned.toString();
    return text === "" ? path : `${path}?${text}`;
  };
}

type PagerProps = {
  readonly title: string;
  readonly cursor: string | null;
  readonly next: string | null;
  readonly addressAt: (cursor: string | null) => string;
};

function Pager({ title, cursor, next, addressAt }: PagerProps) {
  if (cursor === null && next === null) return null;
  return (
    <nav class="row between p-34" aria-label={`Pages of ${title.toLowerCase()}`}>
      {cursor === null ? (
        <span />
      ) : (
        <a class="btn small" href={addressAt(null)}>
          Newest
        </a>
      )}
      {next !== null && (
        <a class="btn small" href={addressAt(next)}>
          Older
        </a>
      )}
    </nav>
  );
}
