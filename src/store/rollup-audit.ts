// What the sums of six hours should be, counted from the tests themselves. A sum, the changes that it does not hold yet and
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
} from "../reports/sums.ts";
import {
  addToNumbers,
  blockMs,
  changeDetails,
  type DetailsKey,
  lockRollups,
  oldestKept,
  parseDetails,
  quarterMs,
  spans,
  startOf,
} from "./rollup-sums.ts";
import type { Db } from "./schema.ts";

/** What is to be added to make the sums right. */
export type Deviations = {
  readonly numbers: readonly { readonly begins_at: number; readonly numbers: Numbers }[];
  readonly details: readonly {
    readonly span_ms: number;
    readonly begins_at: number;
    readonly details: Details;
  }[];
};

export async function findDeviations(
  db: Db,
  block: { readonly workspaceId: string; readonly begins: number; readonly now: number },
): Promise<Deviations> {
  const { rows } = await selectBlock(block.workspaceId, block.begins).execute(db);
  const numbers = new Map<number, Numbers>();
  const details = new Map(spans.map((span_ms) => [span_ms, new Map<number, Details>()] as const));
  const addNumbersAt = (begins: number, added: Numbers, sign: Sign) =>
    addNumbers(numbers.getOrInsertComputed(begins, noNumbers), added, sign);
  const addDetailsAt = (span: number, begins: number, added: Details, sign: Sign) => {
    const sums = details.get(span)?.getOrInsertComputed(begins, noDetails);
    if (sums) addDetails(sums, added, sign);
  };
  for (const row of rows) {
    if (row.part === "numbers") addNumbersAt(row.at, row, -1);
    else if (row.part === "details") addDetailsAt(row.span_ms, row.at, parseDetails(row.words), -1);
    else {
      const sums = toSums(parseContribution(row.words), row.test_id);
      addNumbersAt(startOf(row.at, quarterMs), sums.numbers, row.sign);
      for (const span of spans) addDetailsAt(span, startOf(row.at, span), sums.details, row.sign);
    }
  }
  const isDetailed = block.begins >= oldestKept(block.now).details;
  return {
    numbers: [...numbers]
      .map(([begins_at, numbers]) => ({ begins_at, numbers }))
      .filter(({ numbers }) => !isZero(numbers)),
    details: [...(isDetailed ? details : [])]
      .flatMap(([span_ms, sums]) =>
        [...sums].map(([begins_at, details]) => ({ span_ms, begins_at, details })),
      )
      .filter(({ details }) => !isEmpty(details)),
  };
}

/** In a transaction of its own. */
export async function mendSums(
  db: Db,
  workspace_id: string,
  { numbers, details }: Deviations,
): Promise<void> {
  await lockRollups(db);
  const rows = numbers.map(({ begins_at, numbers }) => ({ workspace_id, begins_at, ...numbers }));
  await addToNumbers(db, rows);
  for (const { span_ms, begins_at, details: missing } of details) {
    const key: DetailsKey = { workspace_id, span_ms, begins_at };
    await changeDetails(db, key, (sums) => addDetails(sums, missing));
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

/** Messages come first, so that examples are known before what the sums have of them is taken away. */
function selectBlock(workspaceId: string, begins: number) {
  const ends = begins + blockMs;
  const within = (column: string) =>
    sql`workspace_id = ${workspaceId} and ${sql.ref(column)} >= ${begins} and ${sql.ref(column)} < ${ends}`;
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
    select 'numbers', begins_at, 0, 0, null, '', ${sql.join(columns)}
      from rollup_numbers where ${within("begins_at")}
    union all
    select 'details', begins_at, span_ms, 0, null, details, ${sql.join(noSums)}
      from rollup_details where ${within("begins_at")} and span_ms in (${sql.join(spans.map((span) => sql.lit(span)))})`;
}
