// Where sums lie: by quarter of an hour, of which the days of every time zone are made up, since all zones differ by
// multiples of one; and by three hours and by days of UTC too, so that a week is some twenty rows and a month some hundreds.

import { sql } from "kysely";
import { type Details, type Numbers, noDetails, numberNames } from "../../reports/sums.ts";
import type { Db, RollupDetailsTable, RollupNumbersTable } from "../schema/schema.ts";

export const quarterMs = 900_000;
export const dayMs = 86_400_000;
/** Each is a multiple of the next. */
export const spans = [dayMs, 3 * 3_600_000, quarterMs] as const;

/** Thirty days are shown, and a little more by whoever is ahead of us. */
const numbersKeptMs = 40 * dayMs;
/** A week is shown. */
const detailsKeptMs = 8 * dayMs;

/** What was received earlier is in no sum any more. */
export function oldestKept(now: number): { readonly numbers: number; readonly details: number } {
  return { numbers: startOf(now - numbersKeptMs, dayMs), details: startOf(now - detailsKeptMs, dayMs) };
}

/** Of the span that holds this time. */
export function startOf(timeMs: number, spanMs: number): number {
  return Math.floor(timeMs / spanMs) * spanMs;
}

/** Spans of one length, one after the other. */
export type Run = { readonly spanMs: number; readonly begins: number; readonly ends: number };

/** As few spans as make up the time from one quarter of an hour to another, or without end. */
export function toRuns(begins: number, ends = Number.POSITIVE_INFINITY): Run[] {
  const runs: Run[] = [];
  for (let at = begins; at < ends; ) {
    const fitting = spans.findIndex((span) => at % span === 0 && at + span <= ends);
    const spanMs = spans[fitting] ?? quarterMs;
    // Until longer ones fit, or this one does no more.
    const longer = spans[fitting - 1];
    const until = Math.min(ends, longer ? startOf(at, longer) + longer : ends);
    const stop = until === Number.POSITIVE_INFINITY ? until : startOf(until, spanMs);
    runs.push({ spanMs, begins: at, ends: stop });
    at = stop;
  }
  return runs;
}

/** On PostgreSQL whoever changes sums waits here for the others, until they have committed. */
export async function lockRollups(db: Db): Promise<void> {
  const row = { key: "rollups", value: "kept" };
  await db
    .insertInto("meta")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
    .execute();
}

export async function addToNumbers(db: Db, rows: readonly RollupNumbersTable[]): Promise<void> {
  if (rows.length === 0) return;
  const added = numberNames.map((name) => [
    name,
    sql`rollup_numbers.${sql.ref(name)} + excluded.${sql.ref(name)}`,
  ]);
  await db
    .insertInto("rollup_numbers")
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "span_ms", "begins_at"])
        .doUpdateSet(Object.fromEntries(added) as Record<keyof Numbers, never>),
    )
    .execute();
}

/** Of a span of a workspace. */
export type SpanKey = Omit<RollupDetailsTable, "details">;

export async function changeDetails(db: Db, key: SpanKey, change: (details: Details) => void): Promise<void> {
  const known = await db
    .selectFrom("rollup_details")
    .select("details")
    .where("workspace_id", "=", key.workspace_id)
    .where("span_ms", "=", key.span_ms)
    .where("begins_at", "=", key.begins_at)
    .executeTakeFirst();
  const sum = known ? parseDetails(known.details) : noDetails();
  change(sum);
  const details = JSON.stringify(sum);
  await db
    .insertInto("rollup_details")
    .values({ ...key, details })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "span_ms", "begins_at"]).doUpdateSet({ details }),
    )
    .execute();
}

export function parseDetails(text: string): Details {
  return JSON.parse(text) as Details;
}
