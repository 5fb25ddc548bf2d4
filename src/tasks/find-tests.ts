// A page of tests with the total of its list. Without filters the total is a kept counter. Under filters it is counted,
// which costs more than the page, and so is remembered: an exact one for as long as somebody turns pages, "more than we
// count" longer, because it stays true.

import type { Page } from "../store/page.ts";
import type { Store } from "../store/store.ts";
import type { TestPage, Total } from "../store/test-lists.ts";
import { isFiltered, type TestFilter } from "../store/test-walks.ts";
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

type Remembered = { readonly total: Promise<Total | null>; until: number };

const exactMs = 5_000;
const atLeastMs = 60_000;
const mostRemembered = 1_000;

export function createTestFinder({
  store: { readWhole },
  system: { now },
}: {
  readonly store: Pick<Store, "readWhole">;
  readonly system: Pick<System, "now">;
}): TestFinder {
  const remembered = new Map<string, Remembered>();

  function recall(key: string): Remembered["total"] | undefined {
    const known = remembered.get(key);
    return known && now() < known.until ? known.total : undefined;
  }

  function remember(key: string, total: Remembered["total"]): void {
    // Whoever asks meanwhile waits for the same count.
    const counting: Remembered = { total, until: Number.POSITIVE_INFINITY };
    total.then(
      (counted) => {
        counting.until = now() + (counted?.isExact ? exactMs : atLeastMs);
      },
      () => remembered.delete(key),
    );
    remembered.delete(key);
    remembered.set(key, counting);
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? "");
  }

  return {
    find: async (workspaceId, page, filter) => {
      const key = `${workspaceId} ${JSON.stringify(filter)}`;
      const isRemembered = isFiltered(filter);
      const known = isRemembered ? recall(key) : undefined;
      const asked = { workspaceId, page, filter, isCounted: known === undefined };
      const finding = readWhole("findCountedTests", asked);
      if (isRemembered && known === undefined)
        remember(
          key,
          finding.then(({ counted }) => counted),
        );
      const { counted, ...found } = await finding;
      const { total, isExact } = counted ?? (await known) ?? { total: found.tests.length, isExact: false };
      return { ...found, total, totalIsExact: isExact };
    },
    forget: (workspaceId) => {
      for (const key of remembered.keys()) if (key.startsWith(`${workspaceId} `)) remembered.delete(key);
    },
  };
}
