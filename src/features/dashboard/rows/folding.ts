// Adds pending changes to the sums, some at a time. A change moves into the sums in one transaction, so that both
// together are always correct.

import { type Selectable, sql } from "kysely";
import { addContribution } from "../../../analyzer/reports/contribution.ts";
import {
  addDetails,
  addNumbers,
  addSums,
  forgetExamples,
  isEmpty,
  isZero,
  type Numbers,
  noDetails,
  noSums,
  numberNames,
  type Sign,
  type Sums,
} from "../../../analyzer/reports/sums.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { beginningAt } from "../../../platform/ids.ts";
import type { RollupChangesTable } from "../tables.ts";
import {
  addToNumbers,
  changeDetails,
  dayMs,
  lockRollups,
  oldestKept,
  parseDetails,
  quarterMs,
  type SpanKey,
  spans,
  startOf,
} from "./rollups.ts";

/** What is added to the sum of one span. */
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

/** The workspaces with changes. */
export async function listChanged(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("rollup_changes").select("workspace_id").distinct().execute();
  return rows.map(({ workspace_id }) => workspace_id);
}

type Folding = { readonly now: number; readonly limit: number; readonly workspaceId?: string | undefined };

/** The oldest ones of all workspaces or of one, at most `limit`. Returns how many. */
export async function foldChanges(db: Db, { now, limit, workspaceId }: Folding): Promise<number> {
  await lockRollups(db);
  const taken = await db
    .deleteFrom("rollup_changes")
    .where("number", "in", (some) =>
      some
        .selectFrom("rollup_changes")
        .select("number")
        .$if(workspaceId !== undefined, (query) => query.where("workspace_id", "=", workspaceId ?? ""))
        .orderBy("number")
        .limit(limit),
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

/** Sums of removed workspaces are gone. */
async function listThere(db: Db, ids: ReadonlySet<string>): Promise<Set<string>> {
  if (ids.size === 0) return new Set();
  const rows = await db
    .selectFrom("workspaces")
    .select("id")
    .where("id", "in", [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** By quarter of an hour. */
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

/** Removes a workspace's sums that are too old to be read. */
export async function removeOldSums(scope: Scope, now: number): Promise<void> {
  const { numbers, details } = oldestKept(now);
  for (const span of spans) {
    await scope.deleteFrom("rollup_numbers").where("span_ms", "=", span).where("begins_at", "<", numbers).execute();
    await scope.deleteFrom("rollup_details").where("span_ms", "=", span).where("begins_at", "<", details).execute();
  }
}

// Compares a day's sums with the tests themselves. A sum, its pending changes and the tests determine one another:
// whatever is added, removed or summed meanwhile, their difference stays the same. So it can be found in one query
// without locks and corrected later by adding it.

/** What must be added to a sum to correct it. */
type Deviation = Sums & { readonly span_ms: number; readonly begins_at: number };

export async function findDeviations(
  db: Db,
  day: { readonly workspaceId: string; readonly begins: number; readonly now: number },
): Promise<Deviation[]> {
  const { rows } = await selectDay(day.workspaceId, day.begins).execute(db);
  const found = new Map<string, Deviation>();
  const at = (span_ms: number, begins_at: number) =>
    found.getOrInsertComputed(`${span_ms} ${begins_at}`, () => ({ span_ms, begins_at, ...noSums() }));
  for (const { part, received_at, words, test_id, sign } of rows)
    if (part === "message")
      for (const span of spans) addContribution(at(span, startOf(received_at, span)), words, test_id, sign);
  for (const row of rows) {
    if (row.part === "numbers") addNumbers(at(row.span_ms, row.begins_at).numbers, row, -1);
    if (row.part === "details") addDetails(at(row.span_ms, row.begins_at).details, parseDetails(row.words), -1);
  }
  const hasDetails = day.begins >= oldestKept(day.now).details;
  return [...found.values()]
    .map((one) => (hasDetails ? one : { ...one, details: noDetails() }))
    .filter(({ numbers, details }) => !isZero(numbers) || !isEmpty(details));
}

/** In its own transaction. */
export async function correctSums(db: Db, workspace_id: string, deviations: readonly Deviation[]): Promise<void> {
  await lockRollups(db);
  for (const { numbers, details: missing, ...span } of deviations) {
    const key = { workspace_id, ...span };
    await addToNumbers(db, [{ ...key, ...numbers }]);
    if (!isEmpty(missing)) await changeDetails(db, key, (sums) => addDetails(sums, missing));
  }
}

type Row = Numbers & {
  readonly part: "message" | "numbers" | "details";
  readonly received_at: number;
  readonly span_ms: number;
  readonly begins_at: number;
  /** How a message counts here: a pending change counts against the sum that it will change. */
  readonly sign: Sign;
  readonly test_id: string | null;
  readonly words: string;
};

function selectDay(workspaceId: string, begins: number) {
  const ends = begins + dayMs;
  const within = (column: string) =>
    sql`workspace_id = ${workspaceId} and ${sql.ref(column)} >= ${begins} and ${sql.ref(column)} < ${ends}`;
  const anySpan = sql`span_ms in (${sql.join(spans.map((span) => sql.lit(span)))})`;
  const columns = numberNames.map((name) => sql.ref(name));
  const zeros = columns.map((column) => sql`${sql.lit(0)} as ${column}`);
  return sql<Row>`
    select 'message' as part, received_at, 0 as span_ms, 0 as begins_at, 1 as sign, test_id, contribution as words, ${sql.join(zeros)}
      from contributions where ${within("received_at")}
    union all
    select 'message', received_at, 0, 0, 1, null, '{"kind":"' || kind || '"}', ${sql.join(zeros)}
      from bounces where ${within("received_at")}
      and id >= ${beginningAt("bounce", begins)} and id < ${beginningAt("bounce", ends)}
    union all
    select 'message', received_at, 0, 0, -sign, test_id, contribution, ${sql.join(zeros)}
      from rollup_changes where ${within("received_at")}
    union all
    select 'numbers', 0, span_ms, begins_at, 0, null, '', ${sql.join(columns)}
      from rollup_numbers where ${within("begins_at")} and ${anySpan}
    union all
    select 'details', 0, span_ms, begins_at, 0, null, details, ${sql.join(zeros)}
      from rollup_details where ${within("begins_at")} and ${anySpan}`;
}
