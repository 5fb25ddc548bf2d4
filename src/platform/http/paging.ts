import type { Page } from "../database/engine/page.ts";
import type { Scope, WorkspaceStore } from "../database/scope.ts";

type PageRequest = {
  readonly store: WorkspaceStore;
  readonly query: { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined };
};

type Paged<T> = {
  items: T[];
  total: number;
  totalIsExact: boolean;
  limit: number;
  offset: number;
  next: string | null;
};

/** A list that is short enough to count each time. */
type CountedList<Row> = {
  readonly rows: (scope: Scope, page: Page) => Promise<Row[]>;
  readonly count: (scope: Scope) => Promise<number>;
};

/** More rows than the main thread should wait for. */
const manyRows = 100;

/** Reads one row more than the page needs, to see whether there is a next page. */
export async function answerCounted<Row extends { readonly id: string }, T>(
  { store, query: { limit, offset, cursor } }: PageRequest,
  { rows: readRows, count }: CountedList<Row>,
  toItem: (row: Row) => T,
): Promise<Paged<T>> {
  // An offset is counted row by row, which can be slow.
  const scope = offset === 0 && limit <= manyRows ? store.read : store.readInWorker;
  const rows = await readRows(scope, { limit: limit + 1, offset, after: cursor });
  const total = await count(scope);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  // Opaque to callers: the position of a row in the list.
  return { items: page.map(toItem), total, totalIsExact: true, limit, offset, next: last?.id ?? null };
}
