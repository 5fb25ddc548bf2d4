// Dates as mail writes them (RFC 5322 §3.3, and the obsolete forms of §4.3 that programs still send).

export type MailDate = {
  /** As written, without the white space around. */
  readonly written: string;
  /** Milliseconds since 1970; null when it is no date that was ever. */
  readonly ms: number | null;
  /** Minutes east of Greenwich; null where the zone says that it is unknown (-0000, or a name nobody knows). */
  readonly offsetMinutes: number | null;
  /** False when the day of the week is not that day's. */
  readonly weekdayFits: boolean;
};

const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Hours west of Greenwich. */
const zones = new Map(
  Object.entries({
    ut: 0,
    utc: 0,
    gmt: 0,
    z: 0,
    edt: 4,
    est: 5,
    cdt: 5,
    cst: 6,
    mdt: 6,
    mst: 7,
    pdt: 7,
    pst: 8,
  }),
);

const pattern =
  /^(?:(?<weekday>[a-z]{3}),?\s)?(?<day>\d{1,2})\s(?<month>[a-z]{3})\s(?<year>\d{2,4})\s(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?(?:\s(?<zone>[+-]\d{4}|[a-z]{1,5}))?$/;
const longest = 200;

export function parseMailDate(value: string): MailDate {
  const written = value.trim().slice(0, longest);
  const plain = withoutComments(written).replace(/\s+/g, " ").trim().toLowerCase();
  const groups = pattern.exec(plain)?.groups;
  const unreadable: MailDate = { written, ms: null, offsetMinutes: null, weekdayFits: true };
  if (!groups) return unreadable;
  const offset = toOffset(groups.zone);
  const local = toLocal(groups);
  if (local === null || offset === undefined) return unreadable;
  return {
    written,
    ms: local - (offset ?? 0) * 60_000,
    offsetMinutes: offset,
    weekdayFits: groups.weekday === undefined || days[new Date(local).getUTCDay()] === groups.weekday,
  };
}

function withoutComments(text: string): string {
  let rest = text;
  // Innermost first; nobody nests them deeper.
  for (let depth = 0; depth < 3 && rest.includes("("); depth++) rest = rest.replace(/\([^()]*\)/g, " ");
  return rest;
}

function toLocal(groups: Readonly<Record<string, string | undefined>>): number | null {
  const month = months.indexOf(groups.month ?? "");
  const [day, hour, minute] = [Number(groups.day), Number(groups.hour), Number(groups.minute)];
  const second = Number(groups.second ?? 0);
  const year = toYear(groups.year ?? "");
  // 60 is a leap second.
  if (month < 0 || hour > 23 || minute > 59 || second > 60 || year < 1900) return null;
  const time = new Date(Date.UTC(year, month, day, hour, minute, second));
  return new Date(Date.UTC(year, month, day)).getUTCDate() === day ? time.getTime() : null;
}

/** RFC 5322 §4.3. */
function toYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2) return year < 50 ? 2000 + year : 1900 + year;
  return digits.length === 3 ? 1900 + year : year;
}

/** Null: not known; undefined: beyond any zone. */
function toOffset(zone: string | undefined): number | null | undefined {
  if (zone === undefined || zone === "-0000") return null;
  const hours = zones.get(zone);
  if (hours !== undefined) return hours === 0 ? 0 : -hours * 60;
  if (!/^[+-]/.test(zone)) return null;
  const [hour, minute] = [Number(zone.slice(1, 3)), Number(zone.slice(3))];
  // Beyond ±1400 lies no zone.
  if (hour * 60 + minute > 14 * 60 || minute > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hour * 60 + minute);
}
