// How many tests a list has: under filters they are counted so far, because to count all might cost as much as to read
// all of them.

import { sql } from "kysely";
import type { Db } from "./schema.ts";
import { inWorkspace } from "./scope.ts";
import type { Look } from "./search/search.ts";
import { countKept } from "./test-counts.ts";
import { lookAt } from "./test-looks.ts";
import {
  allOf,
  isFiltered,
  isOfIndexedWords,
  shortWalk,
  type TestFilter,
  type Walk,
  walkFor,
} from "./test-walks.ts";

export const highestCount = 10_000;

/** `isExact` false: there are at least so many. */
export type Total = { readonly total: number; readonly isExact: boolean };

export async function countTests(
  db: Db,
  workspaceId: string,
  filter: TestFilter = {},
  first?: Look,
): Promise<Total> {
  const scope = inWorkspace(db, workspaceId);
  if (!isFiltered(filter)) return { total: await countKept(scope), isExact: true };
  const walk = await walkFor(db, scope, filter);
  if (walk.countCandidates === undefined || isOfIndexedWords(filter)) return await countAll(db, walk);
  const seen = first ?? (await lookAt(db, walk, shortWalk));
  const { walked, matched } = seen;
  if (walked <= shortWalk) return { total: matched, isExact: true };
  // Of too many candidates the total is not exact, however many are looked at: where few of them match, few looks will do.
  const isSparse = matched < walked / 2 && (await hasTooMany(walk));
  return isSparse ? { total: matched, isExact: false } : await countAll(db, walk, seen);
}

/** `seen`: of the same walk. */
async function countAll(db: Db, walk: Walk, seen?: Look): Promise<Total> {
  const { residue, countCandidates } = walk;
  if (countCandidates && residue.length === 0) {
    const walked = await countCandidates(highestCount);
    return { total: Math.min(walked, highestCount), isExact: walked <= highestCount };
  }
  const counting = seen?.goOn?.(highestCount + 1 - seen.walked) ?? walk.look?.(highestCount);
  const { walked, matched } = await (counting ?? countMatches(db, walk, highestCount));
  return { total: Math.min(matched, highestCount), isExact: walked <= highestCount };
}

async function countMatches(
  db: Db,
  { rows, unordered = rows, residue }: Walk,
  most: number,
): Promise<Pick<Look, "walked" | "matched">> {
  const counted = await sql<{ walked: number; matched: number }>`
    select count(*) as walked, count(case when ${allOf(residue)} then 1 end) as matched
    from (${unordered(most + 1)}) as walked`.execute(db);
  return counted.rows[0] ?? { walked: 0, matched: 0 };
}

/** The rarest trigram spares the question where it can. */
async function hasTooMany({ hasMore, fewest }: Walk): Promise<boolean> {
  if (hasMore === undefined || (fewest !== undefined && fewest <= shortWalk)) return false;
  return await hasMore(highestCount);
}
