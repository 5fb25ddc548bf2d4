// How sums are stored: by quarter of an hour, from which days of every time zone can be added up, since all zones
// differ by multiples of it; and also by three hours and by days of UTC, so that a week takes some twenty rows and a
// month some hundreds.

import { sql } from "kysely";
import { addContribution } from "../../../analyzer/reports/contribution.ts";
import {
  addDetails,
  addNumbers,
  type Details,
  forgetExamples,
  type Numbers,
  noDetails,
  noNumbers,
  numberNames,
  type Sign,
} from "../../../analyzer/reports/sums.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { RollupDetailsTable, RollupNumbersTable } from "../tables.ts";

export const quarterMs = 900_000;
export const dayMs = 86_400_000;
/** Each is a multiple of the next. */
export const spans = [dayMs, 3 * 3_600_000, quarterMs] as const;

/** The app shows thirty days, and a little more in time zones ahead of the server's. */
const numbersKeptMs = 40 * dayMs;
/** The app shows a week. */
const detailsKeptMs = 8 * dayMs;

/** Messages received earlier are in no sum anymore. */
export function oldestKept(now: number): { readonly numbers: number; readonly details: number } {
  return { numbers: startOf(now - numbersKeptMs, dayMs), details: startOf(now - detailsKeptMs, dayMs) };
}

/** The beginning of the span that contains this time. */
export function startOf(timeMs: number, spanMs: number): number {
  return Math.floor(timeMs / spanMs) * spanMs;
}

/** Consecutive spans of one length. */
type Run = { readonly spanMs: number; readonly begins: number; readonly ends: number };

/** As few spans as possible that cover the time between two quarters of an hour, or without end. */
function toRuns(begins: number, ends = Number.POSITIVE_INFINITY): Run[] {
  const runs: Run[] = [];
  for (let at = begins; at < ends; ) {
    const fitting = spans.findIndex((span) => at % span === 0 && at + span <= ends);
    const spanMs = spans[fitting] ?? quarterMs;
    // Until longer spans fit, or this one no longer does.
    const longer = spans[fitting - 1];
    const until = Math.min(ends, longer ? startOf(at, longer) + longer : ends);
    const stop = until === Number.POSITIVE_INFINITY ? until : startOf(until, spanMs);
    runs.push({ spanMs, begins: at, ends: stop });
    at = stop;
  }
  return runs;
}

/** On PostgreSQL transactions that change sums wait here for one another. */
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
  const added = numberNames.map((name) => [name, sql`rollup_numbers.${sql.ref(name)} + excluded.${sql.ref(name)}`]);
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

/** A span of a workspace. */
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
    .onConflict((conflict) => conflict.columns(["workspace_id", "span_ms", "begins_at"]).doUpdateSet({ details }))
    .execute();
}

export function parseDetails(text: string): Details {
  return JSON.parse(text) as Details;
}

// The sums of a workspace over ranges of time, as of one moment. One statement reads them with their pending changes,
// because between two statements a change could move into a sum and be counted twice.

type SumsAsked = {
  /**
   * Where ranges begin, in order, each at a quarter of an hour. The last has no end, because everything was received
   * before now.
   */
  readonly begins: readonly number[];
  /** Details are summed from this time on. */
  readonly detailsFrom: number;
};

export type SumsRead = {
  /** One for each range. */
  readonly stretches: readonly Numbers[];
  readonly details: Details;
};

export async function readSums(db: Db, workspaceId: string, asked: SumsAsked): Promise<SumsRead> {
  const { begins, detailsFrom } = asked;
  const { rows } = await selectSums(workspaceId, asked).execute(db);
  const stretches = begins.map(noNumbers);
  const details = noDetails();
  const changes = rows.filter(({ part }) => part === 2).sort((left, right) => left.place - right.place);
  const gone = new Set(changes.filter(({ sign }) => sign === -1).map(({ test_id }) => test_id));
  for (const row of rows) {
    const stretch = stretches[row.place];
    if (row.part === 0 && stretch) addNumbers(stretch, row);
    else if (row.part === 1) {
      const sum = parseDetails(row.words);
      forgetExamples(sum, gone);
      addDetails(details, sum);
    }
  }
  for (const { words, test_id, received_at, sign } of changes) {
    const numbers = stretches[begins.findLastIndex((begin) => begin <= received_at)] ?? noNumbers();
    const isAsked = received_at >= detailsFrom;
    addContribution({ numbers, details: isAsked ? details : noDetails() }, words, test_id, sign);
  }
  return { stretches, details };
}

type Row = Numbers & {
  /** 0: numbers of the range `place`. 1: details. 2: the change with the number `place`. */
  readonly part: 0 | 1 | 2;
  readonly place: number;
  readonly received_at: number;
  readonly sign: Sign;
  readonly test_id: string | null;
  readonly words: string;
};

function selectSums(workspaceId: string, { begins, detailsFrom }: SumsAsked) {
  const columns = numberNames.map((name) => sql.ref(name));
  const sums = columns.map((column) => sql`sum(${column}) as ${column}`);
  const zeros = columns.map(() => sql.lit(0));
  return sql<Row>`
    with of_stretches (place, span, begins, ends) as (
        values ${sql.join(begins.flatMap((begin, place) => toRuns(begin, begins[place + 1]).map((run) => toRow(place, run))))}
      ),
      of_details (place, span, begins, ends) as (values ${sql.join(toRuns(detailsFrom).map((run) => toRow(0, run)))})
    select 0 as part, place, 0 as received_at, 0 as sign, null as test_id, '' as words, ${sql.join(sums)}
      from of_stretches cross join rollup_numbers
      where workspace_id = ${workspaceId} and span_ms = span and begins_at >= begins and begins_at < ends
      group by place
    union all
    select 1, 0, 0, 0, null, details, ${sql.join(zeros)}
      from of_details cross join rollup_details
      where workspace_id = ${workspaceId} and span_ms = span and begins_at >= begins and begins_at < ends
    union all
    select 2, number, received_at, sign, test_id, contribution, ${sql.join(zeros)} from rollup_changes
      where workspace_id = ${workspaceId}`;
}

/** PostgreSQL takes untyped values for text. */
function toRow(place: number, { spanMs, begins, ends }: Run) {
  const row = [place, spanMs, begins, Math.min(ends, Number.MAX_SAFE_INTEGER)];
  return sql`(${sql.join(row.map((number) => sql`cast(${number} as bigint)`))})`;
}
