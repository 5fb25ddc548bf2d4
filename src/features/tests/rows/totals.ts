// The total of a list. Under filters the count is limited, because counting all might cost as much as reading all.

import { sql } from "kysely";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import type { PageOfMatches } from "../../../platform/database/search/search.ts";
import type { Became } from "../tables.ts";
import { allOf, isFiltered, type TestFilter } from "./conditions.ts";
import { countPending } from "./removal.ts";
import { isOfIndexedWords, lookAt, shortWalk, type Walk, walkFor } from "./walks.ts";

export const highestCount = 10_000;

/** `isExact` false: at least this many. */
export type Total = { readonly total: number; readonly isExact: boolean };

export async function countTests(
  db: Db,
  workspaceId: string,
  filter: TestFilter = {},
  first?: PageOfMatches,
): Promise<Total> {
  const scope = inWorkspace(db, workspaceId);
  const pending = await countPending(scope);
  if (!isFiltered(filter)) return { total: (await countKept(scope)) - pending, isExact: true };
  if (pending === 0) return await countMatching(db, scope, filter, first);
  const isKept = { isNot: true, field: "removal" } as const;
  return await countMatching(db, scope, { ...filter, terms: [...(filter.terms ?? []), isKept] });
}

async function countMatching(db: Db, scope: Scope, filter: TestFilter, first?: PageOfMatches): Promise<Total> {
  const walk = await walkFor(db, scope, filter);
  if (walk.countCandidates === undefined || isOfIndexedWords(db, filter)) return await countAll(db, walk);
  const seen = first ?? (await lookAt(db, walk, shortWalk));
  const { walked, matched } = seen;
  if (walked <= shortWalk) return { total: matched, isExact: true };
  // With too many candidates the total isn't exact, however many are read. If few of them match, fewer reads are
  // enough.
  const isSparse = matched < walked / 2 && (await hasTooMany(walk));
  return isSparse ? { total: matched, isExact: false } : await countAll(db, walk, seen);
}

/** `seen` is from the same walk. */
async function countAll(db: Db, walk: Walk, seen?: PageOfMatches): Promise<Total> {
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
): Promise<Pick<PageOfMatches, "walked" | "matched">> {
  const counted = await sql<{ walked: number; matched: number }>`
    select count(*) as walked, count(case when ${allOf(residue)} then 1 end) as matched
    from (${unordered(most + 1)}) as walked`.execute(db);
  return counted.rows[0] ?? { walked: 0, matched: 0 };
}

/** The rarest trigram may answer without a query. */
async function hasTooMany({ hasMore, fewest }: Walk): Promise<boolean> {
  if (hasMore === undefined || (fewest !== undefined && fewest <= shortWalk)) return false;
  return await hasMore(highestCount);
}

/** The month of `received_at` in UTC, by which the counts are stored. */
export function toMonth(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}

/** Tests received in that month, including those removed since, without other mail and without the sample gallery. */
export async function countReceived(scope: Scope, month: string): Promise<number> {
  const row = await scope
    .selectFrom("test_counts")
    .select(sum("received"))
    .where("month", "=", month)
    .where("became", "=", "test")
    .executeTakeFirstOrThrow();
  return row.total;
}

/** Stored messages of these classes. As fast for a million as for one. */
export async function countKept(scope: Scope, became: readonly Became[] = ["test"]): Promise<number> {
  const row = await scope
    .selectFrom("test_counts")
    .select(sum("kept"))
    .where("became", "in", became)
    .executeTakeFirstOrThrow();
  return row.total;
}

function sum(column: "received" | "kept") {
  return sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as("total");
}
