// A page of tests with the total. Without filters the total is a stored counter. With filters it is counted, which
// costs more than the page, so it is cached: an exact total briefly, "at least" longer because it stays true.

import type { Page } from "../../../platform/database/engine/page.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { System } from "../../../platform/system/system.ts";
import { type ScoreOrder, scoredOnly } from "../rows/by-score.ts";
import { isFiltered, type TestFilter } from "../rows/conditions.ts";
import type { TestPage } from "../rows/lists.ts";
import type { Total } from "../rows/totals.ts";

export type FoundTests = TestPage & {
  readonly total: number;
  /** False: the total is at least `total`. */
  readonly totalIsExact: boolean;
};

export type TestFinder = {
  /** Newest first without an order. */
  readonly find: (workspaceId: string, page: Page, filter: TestFilter, order?: ScoreOrder) => Promise<FoundTests>;
  /** Refuses if more match than the caller expects, or if finding them takes too long. */
  readonly findIds: (workspaceId: string, filter: TestFilter, expected: number) => Promise<string[]>;
  /** Call after tests were deleted. */
  readonly forget: (workspaceId: string) => void;
};

type Remembered = { readonly total: Promise<Total | null>; until: number };

const exactMs = 5_000;
const atLeastMs = 60_000;
const mostRemembered = 1_000;
const idsAtOnce = 500;
/** For all IDs of a sparse list. Each walks some thousand tests. */
const mostReads = 100;

export function createTestFinder({
  store: { readBatch },
  system: { now },
}: {
  readonly store: Pick<Store, "readBatch">;
  readonly system: Pick<System, "now">;
}): TestFinder {
  const remembered = new Map<string, Remembered>();

  function recall(key: string): Remembered["total"] | undefined {
    const known = remembered.get(key);
    return known && now() < known.until ? known.total : undefined;
  }

  /** Unless a newer count has replaced it. */
  function forgetTotal(key: string, total: Remembered["total"]): void {
    if (remembered.get(key)?.total === total) remembered.delete(key);
  }

  function remember(key: string, total: Remembered["total"]): void {
    // Concurrent requests share one count.
    const counting: Remembered = { total, until: Number.POSITIVE_INFINITY };
    total.then(
      (counted) => {
        counting.until = now() + (counted?.isExact ? exactMs : atLeastMs);
      },
      () => forgetTotal(key, total),
    );
    remembered.delete(key);
    remembered.set(key, counting);
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? "");
  }

  async function find(workspaceId: string, page: Page, asked: TestFilter, order?: ScoreOrder): Promise<FoundTests> {
    const filter = order === undefined ? asked : scoredOnly(asked);
    const key = `${workspaceId} ${JSON.stringify(filter)}`;
    const known = isFiltered(filter) ? recall(key) : undefined;
    const isCounted = known === undefined;
    const finding = readBatch("findCountedTests", { workspaceId, page, filter, order, isCounted });
    if (isCounted && isFiltered(filter))
      remember(
        key,
        finding.then(({ counted }) => counted),
      );
    const { counted, ...found } = await finding;
    // If the shared count failed, this page can still be shown.
    const sum = counted ?? (await known?.catch(() => null)) ?? { total: 0, isExact: false };
    const shown = countShown(page, found);
    if (!isCounted && sum.isExact && sum.total < shown) {
      forgetTotal(key, known);
      return await find(workspaceId, page, asked, order);
    }
    return { ...found, total: Math.max(sum.total, shown), totalIsExact: sum.isExact };
  }

  function forget(workspaceId: string): void {
    for (const key of remembered.keys()) if (key.startsWith(`${workspaceId} `)) remembered.delete(key);
  }

  return {
    find,
    findIds: (...asked) => {
      // A caller who expects too few must not see that total again.
      forget(asked[0]);
      return findIds(readBatch, ...asked);
    },
    forget,
  };
}

/** Number of tests up to the end of this page, if its offset is known. */
function countShown({ after, offset = 0 }: Page, { tests }: TestPage): number {
  return tests.length === 0 || after !== undefined ? tests.length : offset + tests.length;
}

async function findIds(
  readBatch: Store["readBatch"],
  workspaceId: string,
  filter: TestFilter,
  expected: number,
): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  for (let read = 0; read < mostReads; read++) {
    const page = { limit: idsAtOnce, after };
    const { tests, next } = await readBatch("findCountedTests", { workspaceId, page, filter, isCounted: false });
    ids.push(...tests.map(({ id }) => id));
    if (ids.length > expected)
      throw new Refusal("conflict", `More than ${expected} tests match by now. Reload the list, and try again.`);
    if (next === null) return ids;
    after = next;
  }
  throw new Refusal("conflict", "This search takes too long. Add a filter such as after:7d.");
}
