// A page of tests with the total of its list. Without filters the total is a kept counter. Under filters it is counted,
// which costs more than the page, and so is remembered: an exact one for as long as somebody turns pages, "more than we
// count" longer, because it stays true.

import type { Page } from "../store/page.ts";
import type { Store } from "../store/store.ts";
import { countTests, findTests, type TestPage } from "../store/test-lists.ts";
import type { TestFilter } from "../store/test-walks.ts";
import type { System } from "../system/system.ts";

export type FoundTests = TestPage & {
  readonly total: number;
  /** False: there are at least `total`. */
  readonly totalIsExact: boolean;
};

export type TestFinder = {
  readonly find: (workspaceId: string, page: Page, filter: TestFilter) => Promise<FoundTests>;
  /** The workspace's tests have become fewer. */
  readonly forget: (workspaceId: string) => void;
};

type Total = Awaited<ReturnType<typeof countTests>>;
type Remembered = { readonly total: Promise<Total>; until: number };

const exactMs = 5_000;
const atLeastMs = 60_000;
const mostRemembered = 1_000;

export function createTestFinder({
  store: { readAside },
  system: { now },
}: {
  readonly store: Pick<Store, "readAside">;
  readonly system: Pick<System, "now">;
}): TestFinder {
  const remembered = new Map<string, Remembered>();

  function count(workspaceId: string, filter: TestFilter): Promise<Total> {
    const key = `${workspaceId} ${JSON.stringify(filter)}`;
    const known = remembered.get(key);
    if (known && now() < known.until) return known.total;
    remembered.delete(key);
    const total = countTests(readAside, workspaceId, filter);
    // Whoever asks meanwhile waits for the same count.
    const counting: Remembered = { total, until: Number.POSITIVE_INFINITY };
    total.then(
      ({ isExact }) => {
        counting.until = now() + (isExact ? exactMs : atLeastMs);
      },
      () => remembered.delete(key),
    );
    remembered.set(key, counting);
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? "");
    return total;
  }

  return {
    find: async (workspaceId, page, filter) => {
      const found = await findTests(readAside, workspaceId, page, filter);
      const seen = page.after === undefined ? seenTotal(page, found) : null;
      const { total, isExact } =
        seen === null ? await count(workspaceId, filter) : { total: seen, isExact: true };
      return { ...found, total, totalIsExact: isExact };
    },
    forget: (workspaceId) => {
      for (const key of remembered.keys()) if (key.startsWith(`${workspaceId} `)) remembered.delete(key);
    },
  };
}

/** Of a list's first page, whose walk may have seen the whole. */
function seenTotal({ offset = 0 }: Page, { tests, next, left }: TestPage): number | null {
  return left ?? (offset === 0 && next === null ? tests.length : null);
}
