// Numbers, sizes and times in the reader's locale and time zone. Pages that the server renders may be read anywhere: their
// days come before the months, which are words, and their times are in UTC and say so.

import { toList as toPlainList } from "../../analyzer/words/plain-words.ts";
import { isStatic } from "../parts/static.ts";

const languages = isStatic ? ["en-GB"] : [...navigator.languages];
const zone = isStatic && ({ timeZone: "UTC", hourCycle: "h23" } as const);

const number = new Intl.NumberFormat(languages);
const score = new Intl.NumberFormat(languages, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(languages, { style: "percent", maximumFractionDigits: 0 });
const finePercent = new Intl.NumberFormat(languages, { style: "percent", maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(languages, { timeStyle: "short" });
const dayOfYear = new Intl.DateTimeFormat(languages, { day: "numeric", month: "short" });
const day = new Intl.DateTimeFormat(languages, { day: "numeric", month: "short", year: "numeric", ...zone });
const utcDay = new Intl.DateTimeFormat(languages, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const dayOfWeek = new Intl.DateTimeFormat(languages, { weekday: "short", day: "numeric", month: "short" });
const signed = new Intl.NumberFormat(languages, { signDisplay: "always", minimumFractionDigits: 2 });
const moment = new Intl.DateTimeFormat(languages, {
  dateStyle: "medium",
  timeStyle: isStatic ? "long" : "medium",
  ...zone,
});
const minute = new Intl.DateTimeFormat(languages, { dateStyle: "medium", timeStyle: "short", ...zone });
const precise = new Intl.DateTimeFormat(languages, { dateStyle: "full", timeStyle: "long", ...zone });

export const toCount = (value: number) => number.format(value);
export const toScore = (value: number) => score.format(value);
/** Only all is shown as 100%, and only none as 0%. */
export const toPercent = (share: number) =>
  percent.format(share > 0 && share < 1 ? Math.min(Math.max(share, 0.01), 0.99) : share);
/** With one decimal. */
export const toFinePercent = (share: number) => finePercent.format(share);
export const toMoment = (time: string) => moment.format(new Date(time));
/** Without seconds, for what lies ahead. */
export const toMinute = (time: string) => minute.format(new Date(time));
/** With the time zone. */
export const toPreciseMoment = (time: string) => precise.format(new Date(time));
export const toSigned = (value: number) => signed.format(value);
export const toDay = (time: string) => day.format(new Date(time));
/** Without the year. */
export const toShortDay = (time: string) => dayOfYear.format(new Date(time));

/**
 * The days that a DMARC or TLS report covers. Reporters count whole days in UTC, so the reader's time zone would turn one
 * day into two. Null if the report names none.
 */
export function toReportedDays(beginsAt: string | null, endsAt: string | null): string | null {
  const days = [beginsAt, endsAt].flatMap((time, at) =>
    // Some reporters end with the first moment of the next day.
    time === null ? [] : [utcDay.format(Date.parse(time) - (at === 1 && beginsAt !== endsAt ? 1 : 0))],
  );
  return days.length === 0 ? null : `${[...new Set(days)].join(" to ")} (UTC)`;
}

/** "Nov 15 – 21, 2026", in the reader's locale. */
export const toSpan = (from: string, to: string) => day.formatRange(new Date(from), new Date(to));
/** For a date without a time, which is the same day in every time zone. */
export const toDateWords = (date: string) => dayOfYear.format(noonOf(date));
export const toWeekday = (date: string) => dayOfWeek.format(noonOf(date));

function noonOf(date: string): Date {
  return new Date(`${date}T12:00:00`);
}

/** The time if it is today, otherwise the day. */
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

/** Cached, because creating a format is slow. */
const unitFormats = new Map<string, Intl.NumberFormat>();

function toUnit(value: number, unit: string, digits: number, unitDisplay: "long" | "short" = "short") {
  const key = unit + digits;
  const format =
    unitFormats.get(key) ??
    new Intl.NumberFormat(languages, { style: "unit", unit, unitDisplay, maximumFractionDigits: digits });
  unitFormats.set(key, format);
  return format.format(value);
}

/** Symbols, because the short words differ between locales: "4.2 mins", "4.2 min", "4.2 min.". */
const durations = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

export function toDuration(ms: number): string {
  const [unitMs, symbol] = durations.find(([least]) => Math.abs(ms) >= least) ?? [1, "ms"];
  return `${symbol === "ms" ? toCount(Math.round(ms)) : toScore(ms / unitMs)} ${symbol}`;
}

/** "1 issue", "3 issues". */
export function toPlural(count: number, one: string, many: string): string {
  return `${toCount(count)} ${count === 1 ? one : many}`;
}

/** In prose: "a and b"; "a, b, and c". */
export const toList = toPlainList;

const smallNumbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export function toWord(count: number): string {
  return smallNumbers[count] ?? toCount(count);
}

export function toSentence(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
