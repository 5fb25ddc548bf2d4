// Numbers, sizes and times as the reader's own language and zone write them. What the server renders is read anywhere: it is
// in English, and its times are UTC and say so.

import { toList as toPlainList } from "../../api/plain-words.ts";
import { isStatic } from "../parts/static.ts";

const languages = isStatic ? ["en"] : [...navigator.languages];
const zone = isStatic && { timeZone: "UTC" };

const number = new Intl.NumberFormat(languages);
const score = new Intl.NumberFormat(languages, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(languages, { style: "percent", maximumFractionDigits: 0 });
const finePercent = new Intl.NumberFormat(languages, { style: "percent", maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(languages, { hour: "2-digit", minute: "2-digit" });
const dayOfYear = new Intl.DateTimeFormat(languages, { day: "numeric", month: "short" });
const day = new Intl.DateTimeFormat(languages, { day: "numeric", month: "short", year: "numeric", ...zone });
const dayOfWeek = new Intl.DateTimeFormat(languages, { weekday: "short", day: "numeric", month: "short" });
const monthOfYear = new Intl.DateTimeFormat(languages, { month: "long", year: "numeric" });
const signed = new Intl.NumberFormat(languages, { signDisplay: "always", minimumFractionDigits: 2 });
const moment = new Intl.DateTimeFormat(languages, {
  dateStyle: "medium",
  timeStyle: isStatic ? "long" : "medium",
  ...zone,
});
const precise = new Intl.DateTimeFormat(languages, { dateStyle: "full", timeStyle: "long", ...zone });

export const toCount = (value: number) => number.format(value);
export const toScore = (value: number) => score.format(value);
/** Nothing but all is told as all, and nothing but none as none. */
export const toPercent = (share: number) =>
  percent.format(share > 0 && share < 1 ? Math.min(Math.max(share, 0.01), 0.99) : share);
/** With its tenth. */
export const toFinePercent = (share: number) => finePercent.format(share);
export const toMoment = (time: string) => moment.format(new Date(time));
/** With its zone. */
export const toPreciseMoment = (time: string) => precise.format(new Date(time));
/** `2026-11`, of which day does not matter. */
export const toMonth = (month: string) => monthOfYear.format(new Date(`${month}-15T12:00:00Z`));
export const toSigned = (value: number) => signed.format(value);
export const toDay = (time: string) => day.format(new Date(time));

/** "15 to 21 November 2026", as the reader's language has it. */
export const toSpan = (from: string, to: string) => day.formatRange(new Date(from), new Date(to));
/** Of a date without a time, which is the same day wherever it is read. */
export const toDateWords = (date: string) => dayOfYear.format(noonOf(date));
export const toWeekday = (date: string) => dayOfWeek.format(noonOf(date));

function noonOf(date: string): Date {
  return new Date(`${date}T12:00:00`);
}

/** As short as it can be told: a clock's time of today, else a day. */
export function toShortTime(time: string, now: Date = new Date()): string {
  const then = new Date(time);
  if (then.toDateString() === now.toDateString()) return clock.format(then);
  return (then.getFullYear() === now.getFullYear() ? dayOfYear : day).format(then);
}

const sizes = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

export function toSize(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), sizes.length - 1);
  const value = bytes / 1_000 ** step;
  return toUnit(value, sizes[step] ?? "byte", value < 10 && step > 0 ? 1 : 0, step === 0 ? "long" : "short");
}

/** To make one takes longer than all else that a page says. */
const unitFormats = new Map<string, Intl.NumberFormat>();

function toUnit(value: number, unit: string, digits: number, unitDisplay: "long" | "short" = "short") {
  const key = unit + digits;
  const format =
    unitFormats.get(key) ??
    new Intl.NumberFormat(languages, { style: "unit", unit, unitDisplay, maximumFractionDigits: digits });
  unitFormats.set(key, format);
  return format.format(value);
}

const longer = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  { unit: "second", ms: 1_000 },
] as const;

export function toDuration(ms: number): string {
  const { unit, ms: unitMs } = longer.find((one) => Math.abs(ms) >= one.ms) ?? { unit: "millisecond", ms: 1 };
  return toUnit(ms / unitMs, unit, unit === "millisecond" ? 0 : 1);
}

/** "1 fault", "3 faults". */
export function toPlural(count: number, one: string, many: string): string {
  return `${toCount(count)} ${count === 1 ? one : many}`;
}

/** As a person says it: "a, b and c". */
export const toList = toPlainList;

const smallNumbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export function toWord(count: number): string {
  return smallNumbers[count] ?? toCount(count);
}

export function toSentence(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
