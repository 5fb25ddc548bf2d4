// Changes that wait are added to the sums, some at a time. A change and its part of the sums go over in one transaction,
// so that both together are right at every moment.

import type { Selectable } from "kysely";
import { addContribution } from "../../reports/contribution.ts";
import { addDetails, addSums, forgetExamples, noSums, type Sums } from "../../reports/sums.ts";
import type { Db, RollupChangesTable } from "../schema/schema.ts";
import type { Scope } from "../scope.ts";
import {
  addToNumbers,
  changeDetails,
  lockRollups,
  oldestKept,
  quarterMs,
  type SpanKey,
  spans,
  startOf,
} from "./sums.ts";

/** What is to be added to the sum of one span. */
type Added = { readonly key: SpanKey; readonly sums: Sums };

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
    .sort((left, right) => left.number - right.number);
  const added = toAllSpans(addUp(changes));
  await addToNumbers(
    db,
    added.map(({ key, sums }) => ({ ...key, ...sums.numbers })),
  );
  const gone = new Set(changes.filter(({ sign }) => sign === -1).map(({ test_id }) => test_id));
  for (const { key, sums } of added)
    if (key.begins_at >= oldest.details)
      await changeDetails(db, key, (details) => {
        forgetExamples(details, gone);
        addDetails(details, sums.details);
      });
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

/** By quarters of an hour. */
function addUp(changes: readonly Selectable<RollupChangesTable>[]): Added[] {
  const quarters = new Map<string, Added>();
  for (const { workspace_id, received_at, sign, test_id, contribution } of changes) {
    const key = { workspace_id, span_ms: quarterMs, begins_at: startOf(received_at, quarterMs) };
    addContribution(sumsAt(quarters, key), contribution, test_id, sign);
  }
  return [...quarters.values()];
}

function toAllSpans(quarters: readonly Added[]): Added[] {
  const all = new Map<string, Added>();
  for (const { key, sums } of quarters)
    for (const span_ms of spans) {
      const begins_at = startOf(key.begins_at, span_ms);
      addSums(sumsAt(all, { ...key, span_ms, begins_at }), sums);
    }
  return [...all.values()];
}

function sumsAt(added: Map<string, Added>, key: SpanKey): Sums {
  const name = `${key.workspace_id} ${key.span_ms} ${key.begins_at}`;
  return added.getOrInsertComputed(name, () => ({ key, sums: noSums() })).sums;
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
