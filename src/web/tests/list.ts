// The list as it was last seen, so that going back to it takes no time, and what may change it.

import type { AnswerOf } from "../../api/endpoint.ts";
import type { WorkspaceEvent } from "../../api/events.ts";
import type { listTests } from "../../api/tests.ts";
import { call } from "../client/call.ts";
import type { QueryOf } from "../client/endpoints.ts";
import { useEvents } from "../client/events.ts";
import { useLiveReload } from "../client/live.ts";
import { type Loaded, useLoaded } from "../client/loading.ts";
import { useSession } from "../client/session.ts";
import type { Filters } from "./search.ts";

export type TestList = AnswerOf<typeof listTests>;
export type TestRow = TestList["items"][number];

const pageSize = 50;

let last: { readonly key: string; readonly list: TestList } | null = null;

type ListState = {
  readonly loaded: Loaded<TestList>;
  readonly reload: () => void;
};

/** `onEvent` must be the same function each time. */
export function useTests(
  filters: Filters,
  cursor: string | null,
  onEvent: (event: WorkspaceEvent) => void,
): ListState {
  // Another reader may log in on the same page.
  const { id } = useSession().workspace;
  const key = JSON.stringify([id, filters, cursor]);
  const { loaded, reload } = useLoaded(
    key,
    async (signal) => {
      const query = { ...filters, limit: pageSize, ...(cursor === null ? {} : { cursor }) };
      const list = await readFullPage(query, signal);
      last = { key, list };
      return list;
    },
    last?.key === key ? last.list : null,
  );
  useEvents(onEvent);
  useLiveReload(reload, isOfTests);
  return { loaded, reload };
}

/** Under filters a page may come short of rows, even empty, before the last: what is asked for goes on behind it. */
async function readFullPage(query: QueryOf<"GET /api/tests">, signal: AbortSignal): Promise<TestList> {
  let list = await call("GET /api/tests", { query, signal });
  while (list.items.length < pageSize && list.next !== null) {
    const more = { ...query, cursor: list.next, limit: pageSize - list.items.length };
    const next = await call("GET /api/tests", { query: more, signal });
    list = {
      ...next,
      total: list.total,
      totalIsExact: list.totalIsExact,
      items: [...list.items, ...next.items],
    };
  }
  return list;
}

const isOfTests = ({ type }: WorkspaceEvent) => type.startsWith("test.");
