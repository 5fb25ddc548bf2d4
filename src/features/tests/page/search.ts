// The search box. Its language is read in the reader's time zone (features/tests/words/test-search-words.ts) and sent to the server with
// exact times.

import type { QueryOf } from "../../../web/client/endpoints.ts";
import { parseSearch, type SearchClock } from "../words/test-search-words.ts";

export type ListQuery = Pick<QueryOf<"GET /api/tests">, "search" | "sort">;

export type TypedSearch = {
  /** For the API. Undefined: all tests. */
  readonly search: string | undefined;
  /** Error messages. Nothing is found then. */
  readonly problems: readonly string[];
  /** As typed. Each can be removed separately. */
  readonly terms: readonly string[];
};

/** `now`: milliseconds since the epoch. */
export function readSearch(text: string, now: number): TypedSearch {
  const { terms, texts, problems } = parseSearch(text, { now, ...ownDays });
  const search = terms.map(({ exact }) => exact).join(" ");
  return { search: search === "" ? undefined : search, problems, terms: texts };
}

const ownDays: Omit<SearchClock, "now"> = {
  startOfDay: (time, daysLater = 0) => {
    const day = new Date(time);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater).getTime();
  },
  startOf: (year, month, day) => {
    const date = new Date(year, month - 1, day);
    return date.getMonth() === month - 1 ? date.getTime() : undefined;
  },
};

// The address of a list.

export type Sort = NonNullable<ListQuery["sort"]>;

export function readSort(text: string | null): Sort {
  return text === "score" || text === "-score" ? text : "newest";
}

export type ListPlace = { readonly text: string; readonly sort: Sort; readonly cursor?: string | null };

export function addressOfList({ text, sort, cursor = null }: ListPlace): string {
  const trimmed = text.trim();
  const query = new URLSearchParams({
    ...(trimmed === "" ? {} : { q: trimmed }),
    ...(sort === "newest" ? {} : { sort }),
    ...(cursor === null ? {} : { cursor }),
  });
  return query.size > 0 ? `/tests?${query}` : "/tests";
}
