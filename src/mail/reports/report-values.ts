// Values as reports write them, made the same for all receivers: so that what is the same can be counted together.

import { toPlainAddress } from "../../addresses.ts";
import { toAsciiDomain } from "../headers/registrable-domain.ts";

const longestDomain = 253;
/** More messages of one kind in a day than anybody sends: no count. */
const mostCounted = 1_000_000_000;

/** In A-labels and lower case; what is no domain as it is told. */
export function toReportedDomain(text: string): string {
  const name = text.trim().replace(/\.$/, "");
  return toAsciiDomain(name) ?? toReportedWord(name, longestDomain);
}

export function toReportedWord(text: string, maxLength: number): string {
  return text.trim().slice(0, maxLength).toLowerCase();
}

/** Null for what is none. */
export function toReportedAddress(text: string): string | null {
  return toPlainAddress(text.trim()) ?? null;
}

/** What is no count counts nothing. */
export function toCount(value: unknown): number {
  const number = typeof value === "string" && /^\d{1,12}$/.test(value.trim()) ? Number(value) : value;
  const isCount = typeof number === "number" && Number.isSafeInteger(number) && number >= 0;
  return isCount && number <= mostCounted ? number : 0;
}

// Rows with a count each, of which the largest are kept one by one and the others summed up by what little is left of them:
// a report may have a million rows, and whoever reads it wants to see the few that matter and a sum that is right.

type CountedRow<Row> = { readonly row: Row; readonly count: number };

type LargestRows<Row> = {
  readonly add: (row: Row, count: number) => void;
  /** Largest first, then what the others add up to. */
  readonly list: () => CountedRow<Row>[];
};

/** `toRest` leaves of a row what only few rows differ in. Like rows are one. */
export function createLargestRows<Row>(most: number, toRest: (row: Row) => Row): LargestRows<Row> {
  let rows = new Map<string, CountedRow<Row>>();
  const rest = new Map<string, CountedRow<Row>>();

  function keepLargest(): void {
    const sorted = [...rows].sort(([, left], [, right]) => right.count - left.count);
    for (const [, { row, count }] of sorted.slice(most)) addTo(rest, toRest(row), count);
    rows = new Map(sorted.slice(0, most));
  }

  return {
    add: (row, count) => {
      addTo(rows, row, count);
      if (rows.size > 2 * most) keepLargest();
    },
    list: () => {
      keepLargest();
      return [...rows.values(), ...rest.values()];
    },
  };
}

function addTo<Row>(rows: Map<string, CountedRow<Row>>, row: Row, count: number): void {
  const key = JSON.stringify(row);
  rows.set(key, { row, count: addCounts(rows.get(key)?.count ?? 0, count) });
}

/** Strangers' counts add up to more than a number can tell. */
export function addCounts(one: number, other: number): number {
  return Math.min(one + other, largestSum);
}

/** More than any receiver gets in a day, and so little that sums over all rows fit into 64 bits. */
const largestSum = 100_000_000_000;
