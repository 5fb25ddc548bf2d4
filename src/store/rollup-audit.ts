// What the sums of a day should be, counted from the tests themselves. A sum, the changes that it does not hold yet and
// the tests tell one another: whatever comes, goes or is added up meanwhile, what they differ by stays the same. So it is
// found in one look that holds nobody up, and put right later by adding it.

import { sql } from "kysely";
import { beginningAt } from "../ids.ts";
import { parseContribution, toSums } from "../reports/contribution.ts";
import {
  addDetails,
  addNumbers,
  type Details,
  isEmpty,
  isZero,
  type Numbers,
  noDetails,
  noNumbers,
  numberNames,
  type Sign,
  type Sums,
} from "../reports/sums.ts";
import {
  addToNumbers,
  changeDetails,
  dayMs,
  lockRollups,
  oldestKept,
  parseDetails,
  spans,
  startOf,
} from "./rollup-sums.ts";
import type { Db } from "./schema.ts";

/** What is to be added to a sum to make it right. */
export type Deviation = {
  readonly span_ms: number;
  readonly begins_at: number;
  readonly numbers: Numbers;
  readonly details: Details;
};

export async function findDeviations(
  db: Db,
  day: { readonly workspaceId: string; readonly begins: number; readonly now: number },
): Promise<Deviation[]> {
  const { rows } = await selectDay(day.workspaceId, day.begins).execute(db);
  const hasDetails = day.begins >= oldestKept(day.now).details;
  const found = new Map<string, Deviation>();
  const add = (span_ms: number, begins_at: number, sums: Partial<Sums>, sign: Sign) => {
    const sum = found.getOrInsertComputed(`${span_ms} ${begins_at}`, () => {
      return { span_ms, begins_at, numbers: noNumbers(), details: noDetails() };
    });
    if (sums.numbers) addNumbers(sum.numbers, sums.numbers, sign);
    if (sums.details && hasDetails) addDetails(sum.details, sums.details, sign);
  };
  for (const row of rows) {
    if (row.part === "numbers") add(row.span_ms, row.at, { numbers: row }, -1);
    else if (row.part === "details") add(row.span_ms, row.at, { details: parseDetails(row.words) }, -1);
    else {
      const sums = toSums(parseContribution(row.words), row.test_id);
      for (const span of spans) add(span, startOf(row.at, span), sums, row.sign);
    }
  }
  return [...found.values()].filter(({ numbers, details }) => !isZero(numbers) || !isEmpty(details));
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
  /** When it was received, or when its span begins. */
  readonly at: number;
  readonly span_ms: number;
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
  const noSums = columns.map((column) => sql`${sql.lit(0)} as ${column}`);
  return sql<Row>`
    select 'message' as part, received_at as at, 0 as span_ms, 1 as sign, test_id, contribution as words, ${sql.join(noSums)}
      from contributions where ${within("received_at")}
    union all
    select 'message', received_at, 0, 1, null, '{"kind":"' || kind || '"}', ${sql.join(noSums)}
      from bounces where ${within("received_at")}
      and id >= ${beginningAt("bounce", begins)} and id < ${beginningAt("bounce", ends)}
    union all
    select 'message', received_at, 0, -sign, test_id, contribution, ${sql.join(noSums)}
      from rollup_changes where ${within("received_at")}
    union all
    select 'numbers', begins_at, span_ms, 0, null, '', ${sql.join(columns)}
      from rollup_numbers where ${within("begins_at")} and ${anySpan}
    union all
    select 'details', begins_at, span_ms, 0, null, details, ${sql.join(noSums)}
      from rollup_details where ${within("begins_at")} and ${anySpan}`;
}
