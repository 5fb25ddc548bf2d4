// Changes that wait are added to the sums, some at a time. A change and its part of the sums go over in one transaction,
// so that both together are right at every moment.

import { parseContribution, toSums } from "../reports/contribution.ts";
import { addDetails, addNumbers, noNumbers, type Sign, type Sums } from "../reports/sums.ts";
import {
  addToNumbers,
  changeDetails,
  lockRollups,
  oldestKept,
  type SpanKey,
  spans,
  startOf,
} from "./rollup-sums.ts";
import type { Db } from "./schema.ts";
import type { Scope } from "./scope.ts";

type Change = {
  readonly workspace_id: string;
  readonly received_at: number;
  readonly sign: Sign;
  readonly sums: Sums;
};

export async function hasChanges(db: Db, moreThan: number): Promise<boolean> {
  const row = await db
    .selectFrom("rollup_changes")
    .select("number")
    .orderBy("number")
    .offset(moreThan)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The oldest, at most `limit`; answers how many. */
export async function foldChanges(
  db: Db,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<number> {
  await lockRollups(db);
  const taken = await db
    .deleteFrom("rollup_changes")
    .where("number", "in", (some) =>
      some.selectFrom("rollup_changes").select("number").orderBy("number").limit(limit),
    )
    .returningAll()
    .execute();
  const there = await listThere(db, new Set(taken.map(({ workspace_id }) => workspace_id)));
  const oldest = oldestKept(now);
  const changes = taken
    .filter(({ workspace_id, received_at }) => there.has(workspace_id) && received_at >= oldest.numbers)
    .sort((left, right) => left.number - right.number)
    .map(
      ({ contribution, test_id, ...change }): Change => ({
        ...change,
        sums: toSums(parseContribution(contribution), test_id),
      }),
    );
  await foldNumbers(db, changes);
  await foldDetails(
    db,
    changes.filter(({ received_at }) => received_at >= oldest.details),
  );
  return taken.length;
}

/** A workspace that is gone took its sums with it. */
async function listThere(db: Db, ids: ReadonlySet<string>): Promise<Set<string>> {
  if (ids.size === 0) return new Set();
  const rows = await db
    .selectFrom("workspaces")
    .select("id")
    .where("id", "in", [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The sums that it is part of. */
function toKeys({ workspace_id, received_at }: Change): SpanKey[] {
  return spans.map((span_ms) => ({ workspace_id, span_ms, begins_at: startOf(received_at, span_ms) }));
}

function groupBySum(changes: readonly Change[]): { readonly key: SpanKey; readonly changes: Change[] }[] {
  const groups = new Map<string, { readonly key: SpanKey; readonly changes: Change[] }>();
  for (const change of changes)
    for (const key of toKeys(change)) {
      const name = `${key.workspace_id} ${key.span_ms} ${key.begins_at}`;
      groups.getOrInsertComputed(name, () => ({ key, changes: [] })).changes.push(change);
    }
  return [...groups.values()];
}

async function foldNumbers(db: Db, changes: readonly Change[]): Promise<void> {
  const rows = groupBySum(changes).map(({ key, changes }) => {
    const numbers = noNumbers();
    for (const { sums, sign } of changes) addNumbers(numbers, sums.numbers, sign);
    return { ...key, ...numbers };
  });
  await addToNumbers(db, rows);
}

async function foldDetails(db: Db, changes: readonly Change[]): Promise<void> {
  for (const { key, changes: alike } of groupBySum(changes))
    await changeDetails(db, key, (details) => {
      for (const { sums, sign } of alike) addDetails(details, sums.details, sign);
    });
}

/** Of one workspace, what nobody asks for any more. */
export async function removeOldSums(scope: Scope, now: number): Promise<void> {
  const { numbers, details } = oldestKept(now);
  for (const span of spans) {
    await scope
      .deleteFrom("rollup_numbers")
      .where("span_ms", "=", span)
      .where("begins_at", "<", numbers)
      .execute();
    await scope
      .deleteFrom("rollup_details")
      .where("span_ms", "=", span)
      .where("begins_at", "<", details)
      .execute();
  }
}
