// What the sums of a day should be, counted from the tests themselves. A sum, the changes that it does not hold yet and
// the tests tell one another: whatever comes, goes or is added up meanwhile, what they differ by stays the same. So it is
// found in one look that holds nobody up, and put right later by adding it.

import { sql } from "kysely";
import { beginningAt } from "../../ids.ts";
import { addContribution } from "../../reports/contribution.ts";
import {
  addDetails,
  addNumbers,
  isEmpty,
  isZero,
  type Numbers,
  noDetails,
  noSums,
  numberNames,
  type Sign,
  type Sums,
} from "../../reports/sums.ts";
import type { Db } from "../schema/schema.ts";
import {
  addToNumbers,
  changeDetails,
  dayMs,
  lockRollups,
  oldestKept,
  parseDetails,
  spans,
  startOf,
} from "./sums.ts";

/** What is to be added to a sum to make it right. */
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
    if (row.part === "details")
      addDetails(at(row.span_ms, row.begins_at).details, parseDetails(row.words), -1);
  }
  const hasDetails = day.begins >= oldestKept(day.now).details;
  return [...found.values()]
    .map((one) => (hasDetails ? one : { ...one, details: noDetails() }))
    .filter(({ numbers, details }) => !isZero(numbers) || !isEmpty(details));
}

/** In a transaction of its own. */
export async function mendSums(
  db: Db,
  workspace_id: string,
  deviations: readonly Deviation[],
): Promise<void> {
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
  /** Of a message: as it counts here, where a change that waits counts against the sum that it will change. */
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
