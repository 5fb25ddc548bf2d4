// Counts, shares and days in words.

import { toNumber, toPlural } from "../../../analyzer/count-words.ts";
import { type Days, dayMs } from "../rules/problem.ts";

export function toDays({ from, to }: Days): string {
  return from >= to ? `on ${toDate(to)}` : `from ${toDate(from)} to ${toDate(to)}`;
}

export function toDate(day: number): string {
  return new Date(Math.floor(day / dayMs) * dayMs).toISOString().slice(0, 10);
}

export function toMessages(count: number): string {
  return toPlural(count, "message", "messages");
}

export function toOf(count: number, total: number | null): string {
  return total === null ? toNumber(count) : `${toNumber(count)} of ${toNumber(total)}`;
}

export function toShare(count: number, total: number | null): string {
  return total === null || total === 0 ? "0%" : toPercent(count / total, 0);
}

/** Never rounds to all or nothing. */
export function toPercent(share: number, digits: number): string {
  const percent = share * 100;
  const step = 10 ** -digits;
  const rounded = share > 0 && share < 1 ? Math.min(100 - step, Math.max(step, percent)) : percent;
  return `${rounded.toFixed(digits)}%`;
}

const plainName = /^[\p{L}\p{M}\p{N}_.,:/ ()&+'’-]{1,120}$/u;

/** Names come from reports, so from anyone. Only what looks like a name is shown. */
export function toPlainName<Name extends string | null>(name: Name): Name | string {
  return name === null || plainName.test(name) ? name : "(unreadable name)";
}
