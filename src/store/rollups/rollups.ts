// The sums of a workspace over stretches of time, as of one moment: one statement reads them together with the changes
// that they do not hold yet, because between two statements some could go over and be counted twice.

import { sql } from "kysely";
import { addContribution } from "../../reports/contribution.ts";
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
} from "../../reports/sums.ts";
import type { Db } from "../schema/schema.ts";
import { parseDetails, type Run, toRuns } from "./sums.ts";

type SumsAsked = {
  /** Where stretches begin, in order, each at a quarter of an hour; the last has no end: what was received was received before now. */
  readonly begins: readonly number[];
  /** Whence details are summed. */
  readonly detailsFrom: number;
};

export type SumsRead = {
  /** One a stretch. */
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
  /** 0 numbers of the stretch `place`, 1 details, 2 the change that bears the number `place`. */
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

/** PostgreSQL takes what has no type for text. */
function toRow(place: number, { spanMs, begins, ends }: Run) {
  const row = [place, spanMs, begins, Math.min(ends, Number.MAX_SAFE_INTEGER)];
  return sql`(${sql.join(row.map((number) => sql`cast(${number} as bigint)`))})`;
}
