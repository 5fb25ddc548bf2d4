// Dates in mail: RFC 5322 §3.3 with the obsolete forms of §4.3, and the few others that servers write into Received
// lines. Date.parse can't be used, because it takes any unknown zone for the machine's own.

export type DateFault =
  /** Allowed only by §4.3: a year of two digits, or a zone with a name. */
  | "obsolete"
  /** The day of the week doesn't match the date. */
  | "weekday"
  /** Not a form of RFC 5322, but readable. */
  | "form";

export type MailDate = {
  readonly at: number;
  /** East of UTC. Null where the writer's zone isn't given (`-0000`). */
  readonly offsetMinutes: number | null;
  /** The zone has a name that isn't defined. It is read as UTC (§4.3), so the time may be hours off. */
  readonly zoneIsGuess: boolean;
  readonly faults: readonly DateFault[];
};

export type MailDateReading =
  | { readonly ok: true; readonly date: MailDate }
  | { readonly ok: false; readonly problem: string };

/** Real dates are shorter, even with comments. The patterns below rely on this bound. */
const maxLength = 400;

const strictForm =
  /^(?:[a-z]{3} ?, ?)?\d{1,2} ?[a-z]{3} ?\d{2,4} \d\d ?: ?\d\d(?: ?: ?\d\d)? ?(?:[+-]\d{4}|[a-z]{1,5})$/i;

const mailForm =
  /^(?:(?<weekday>[a-z]{3,9}) ?,? ?)?(?<day>\d{1,2})[ -]?(?<month>[a-z]{3,9})[ -]?(?<year>\d{2,4}),? (?<hour>\d{1,2}) ?: ?(?<minute>\d\d)(?: ?: ?(?<second>\d\d)(?:\.\d{1,9})?)? ?(?<zone>[+-]\d\d:?\d\d|[a-z]{1,5})(?: [a-z]{2,5})?$/i;

/** The format of ANSI C, with the zone before or after the year. */
const ctimeForm =
  /^(?<weekday>[a-z]{3}) (?<month>[a-z]{3}) (?<day>\d{1,2}) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) (?:(?<zone>[+-]\d{4}|[a-z]{1,5}) )?(?<year>\d{4})(?: (?<zoneBehind>[+-]\d{4}|[a-z]{1,5}))?$/i;

/** ISO 8601, and Go's `2026-11-21 10:00:00.123456789 +0000 UTC m=+0.5`. */
const isoForm =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,]\d{1,9})?)? ?(?<zone>[+-]\d\d:?\d\d|z)(?: [a-z]{2,5})?(?: m=[+-][\d.]{1,20})?$/i;

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The zones of §4.3, plus UTC, which isn't among them. */
const zoneHours: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** RFC 5322 allows ±9959, but no real zone is further off than this. */
const maxOffsetMinutes = 14 * 60;

const minuteMs = 60_000;

export function parseMailDate(text: string): MailDateReading {
  if (text.length > maxLength) return failed("it is too long for a date");
  const plain = withoutComments(text).replace(/\s+/g, " ").trim();
  const parts = (mailForm.exec(plain) ?? ctimeForm.exec(plain) ?? isoForm.exec(plain))?.groups;
  if (!parts) return failed("it is not in a known date format");
  const localAt = toLocalTime(parts);
  if (localAt === null) return failed("the day or time does not exist");
  const zoneText = parts.zone ?? parts.zoneBehind;
  if (/^[ap]m$/i.test(zoneText ?? "")) return failed("it uses a 12-hour clock");
  const zone = readZone(zoneText);
  if (zone === null) return failed("its time zone does not exist");
  const faults: DateFault[] = [];
  if (!strictForm.test(plain)) faults.push("form");
  else if (/[a-z]$/i.test(plain) || (parts.year ?? "").length < 4) faults.push("obsolete");
  if (parts.weekday && !isWeekday(parts.weekday, localAt)) faults.push("weekday");
  const { offsetMinutes, zoneIsGuess } = zone;
  return { ok: true, date: { at: localAt - (offsetMinutes ?? 0) * minuteMs, offsetMinutes, zoneIsGuess, faults } };
}

function failed(problem: string): MailDateReading {
  return { ok: false, problem };
}

type Parts = Readonly<Record<string, string | undefined>>;

/** The local time read as UTC. Null where the calendar has no such moment. */
function toLocalTime({ year = "", month = "", day, hour, minute, second = "0" }: Parts): number | null {
  const monthIndex = /^\d/.test(month) ? Number(month) - 1 : months.indexOf(month.slice(0, 3).toLowerCase());
  const dayNumber = Number(day);
  const fullYear = toFullYear(year);
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61;
  if (!isTime || fullYear < 1900) return null;
  const midnight = Date.UTC(fullYear, monthIndex, dayNumber);
  const date = new Date(midnight);
  if (date.getUTCMonth() !== monthIndex || date.getUTCDate() !== dayNumber) return null;
  return midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
}

/** §4.3: two digits under 50 mean this century; other two-digit years and all three-digit years count from 1900. */
function toFullYear(year: string): number {
  if (year.length >= 4) return Number(year);
  return Number(year) + (year.length === 2 && Number(year) < 50 ? 2000 : 1900);
}

function readZone(zone: string | undefined): Pick<MailDate, "offsetMinutes" | "zoneIsGuess"> | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? "") ?? [];
  if (sign !== undefined) {
    const offset = Number(hours) * 60 + Number(minutes);
    if (Number(minutes) > 59 || offset > maxOffsetMinutes) return null;
    if (offset === 0) return { offsetMinutes: sign === "-" ? null : 0, zoneIsGuess: false };
    return { offsetMinutes: sign === "-" ? -offset : offset, zoneIsGuess: false };
  }
  if (zone === undefined) return null;
  const known = zoneHours[zone.toLowerCase()];
  return known === undefined
    ? { offsetMinutes: null, zoneIsGuess: true }
    : { offsetMinutes: known * 60, zoneIsGuess: false };
}

function isWeekday(name: string, localAt: number): boolean {
  return weekdays[new Date(localAt).getUTCDay()] === name.slice(0, 3).toLowerCase();
}

/** A comment counts as a space (§3.2.2). An unclosed one runs to the end of the text. */
function withoutComments(text: string): string {
  let kept = "";
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\\" && depth > 0) at++;
    else if (character === "(") depth++;
    else if (character === ")" && depth > 0) depth--;
    else if (depth === 0) kept += character;
    if (depth === 0 && character === ")") kept += " ";
  }
  return kept;
}
