// Normalizes the values in reports, so that equal values of different receivers are counted together.

import { toPlainAddress } from "../../addresses.ts";
import { toAsciiDomain } from "../headers/registrable-domain.ts";

const longestDomain = 253;
/** A larger number of messages of one kind in a day isn't a count. */
const mostCounted = 1_000_000_000;

/** In A-labels and lower case. Anything but a domain stays as written. */
export function toReportedDomain(text: string): string {
  const name = text.trim().replace(/\.$/, "");
  return toAsciiDomain(name) ?? toReportedWord(name, longestDomain);
}

export function toReportedWord(text: string, maxLength: number): string {
  return text.trim().slice(0, maxLength).toLowerCase();
}

/** Null if it isn't one. */
export function toReportedAddress(text: string): string | null {
  return toPlainAddress(text.trim()) ?? null;
}

/** Invalid counts become 0. */
export function toCount(value: unknown): number {
  return readCount(value) ?? 0;
}

/** Null if it isn't a count. Some reporters write 2.0. */
export function readCount(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,12}(?:\.0{1,9})?$/.test(value.trim()) ? Number(value) : value;
  const isCount = typeof number === "number" && Number.isSafeInteger(number) && number >= 0;
  return isCount && number <= mostCounted ? number : null;
}

// Keeps the rows with the largest counts and sums up the others by a few remaining fields. A report may have a million
// rows, but people want to see the few that matter and a correct sum.

type CountedRow<Row> = { readonly row: Row; readonly count: number };

type LargestRows<Row> = {
  readonly add: (row: Row, count: number) => void;
  /** Largest first, then the sum of the others. */
  readonly list: () => CountedRow<Row>[];
};

/** `toRest` reduces a row to the few fields that sums are grouped by. Equal rows are merged. */
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

/** Strangers' counts may exceed the safe range of a number. */
export function addCounts(one: number, other: number): number {
  return Math.min(one + other, largestSum);
}

/** More than any receiver gets in a day, and small enough that sums over all rows fit into 64 bits. */
const largestSum = 100_000_000_000;
