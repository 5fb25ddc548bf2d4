// Changes that wait are added to the sums, some at a time. A change and its part of the sums go over in one transaction,
// so that both together are right at every moment.

import { parseContribution, toSums } from "../reports/contribution.ts";
import { addDetails, addNumbers, noNumbers, type Sign, type Sums } from "../reports/sums.ts";
import {
  addToNumbers,
  changeDetails,
  type DetailsKey,
  lockRollups,
  oldestKept,
  quarterMs,
  spans,
  startOf,
} from "./rollup-sums.ts";
import type { Db, RollupNumbersTable } from "./schema.ts";
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
  await addToNumbers(db, toNumberRows(changes));
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

function toNumberRows(changes: readonly Change[]): RollupNumbersTable[] {
  const rows = new Map<string, RollupNumbersTable>();
  for (const { workspace_id, received_at, sign, sums } of changes) {
    const begins_at = startOf(received_at, quarterMs);
    const key = `${workspace_id} ${begins_at}`;
    const row = rows.get(key) ?? { workspace_id, begins_at, ...noNumbers() };
    addNumbers(row, sums.numbers, sign);
    rows.set(key, row);
  }
  return [...rows.values()];
}

async function foldDetails(db: Db, changes: readonly Change[]): Promise<void> {
  const places = changes.flatMap((change) =>
    spans.map((span_ms) => ({ change, span_ms, begins_at: startOf(change.received_at, span_ms) })),
  );
  const byPlace = Map.groupBy(
    places,
    ({ change, span_ms, begins_at }) => `${change.workspace_id} ${span_ms} ${begins_at}`,
  );
  for (const [first, ...others] of byPlace.values()) {
    if (!first) continue;
    const { span_ms, begins_at } = first;
    const key: DetailsKey = { workspace_id: first.change.workspace_id, span_ms, begins_at };
    await changeDetails(db, key, (details) => {
      for (const { change } of [first, ...others]) addDetails(details, change.sums.details, change.sign);
    });
  }
}

/** Of one workspace, what nobody asks for any more. */
export async function removeOldSums(scope: Scope, now: number): Promise<void> {
  const { numbers, details } = oldestKept(now);
  await scope.deleteFrom("rollup_numbers").where("begins_at", "<", numbers).execute();
  await scope
    .deleteFrom("rollup_details")
    .where("span_ms", "in", [...spans])
    .where("begins_at", "<", details)
    .execute();
}
