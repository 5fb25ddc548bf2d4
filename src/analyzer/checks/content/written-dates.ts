import { defineCheck, notApplicable, skipped } from "../check.ts";
import { ownWordsOf } from "./own-words.ts";
import { maxRaised, shown } from "./shown.ts";

const maxRead = 100_000;
/** Longer than any footer. */
const footerLength = 2_000;
const dayMs = 86_400_000;

export const writtenDates = defineCheck({
  id: "written-dates",
  helpPage: "fix-unfinished",
  label: "Weekdays and years",
  owner: "content",
  asks: "whether weekdays match their dates, and the copyright year is current",
  why: "Both go wrong when an older message is used again, and recipients come on the wrong day.",
  refs: ["no standard (template practice)"],
  needs: ["message"],
  wants: ["html", "kind"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "No wrong weekday and no past copyright year found.",
  findings: {
    weekday: {
      severity: "minor",
      cost: 3,
      title: "Weekday doesn't match date",
      says: '"{text}" in {place} can\'t be right: in {year}, that date is a {weekday}.',
      fix: "Correct the weekday or the date.",
    },
    year: {
      severity: "minor",
      cost: 1,
      title: "Past year in footer",
      says: 'The footer says "{text}", but the message is from {year}.',
      fix: "Update the year, or let your email service insert it.",
    },
  },
  run({ message, html, kind }) {
    if (kind.known && kind.value.mailingList) return notApplicable("Mailing list posts quote dates of others.");
    const reading = message.date?.reading;
    if (!reading?.ok) return notApplicable("The message has no readable date to compare with.");
    const body = ownWordsOf(message, html);
    if (!body.known) return skipped(body.why);
    const { at } = reading.date;
    const wrong = new Map(
      [
        ["the subject", message.subject ?? ""] as const,
        [html.known ? "the HTML" : "the plain text", body.value.slice(0, maxRead)] as const,
      ].flatMap(([place, text]) => wrongDaysIn(text, at).map((day) => [day.text, { place, ...day }] as const)),
    );
    const past = pastYearIn(body.value.slice(-footerLength), new Date(at));
    return [
      ...[...wrong.values()]
        .slice(0, maxRaised)
        .map((data) => ({ finding: "weekday" as const, subject: data.text, data })),
      ...(past === null ? [] : [{ finding: "year" as const, data: { ...past, place: "the footer" } }]),
    ];
  },
});

/** Earlier years are of other calendars. */
const firstYear = 1990;
/** A name may come between the sign and the year. "Copyright Act 2000" is a law. */
const notice =
  /(?:(?:©|\([cC]\))(?:[ \u00a0][^\n©]{0,40}?[^\n©\d]|[ \u00a0])?|\b[cC](?:opyright|OPYRIGHT)[^\n\p{L}\d]{0,5})((?:19|20)\d\d)(?!\d)(?:[ \u00a0]?[-–—/,][ \u00a0]?((?:19|20)\d\d|\p{L}{3,12}))?|(?<!\d)((?:19|20)\d\d)[ \u00a0]?(?:©|\([cC]\))/gu;

function pastYearIn(footer: string, sent: Date): { readonly text: string; readonly year: number } | null {
  const year = sent.getUTCFullYear();
  // "2015–2026" ends with its second year, and "2015–today" has no end.
  const notices = [...footer.matchAll(notice)].map(([text, first, last = first, before]) => ({
    text: shown(text),
    end: Number(last ?? before) || year,
  }));
  const latest = notices.toSorted((one, other) => other.end - one.end)[0];
  // Footers are updated after the holidays, and the year differs between time zones.
  const current = sent.getUTCMonth() === 0 ? year - 1 : year;
  return latest && latest.end >= firstYear && latest.end < current ? { text: latest.text, year } : null;
}

/** Languages that write a date of our calendar as words and a number. */
const languages = "en de fr es it pt nl pl sv da nb fi cs sk hu ro ru uk bg tr el hr sl et lv lt ca id is".split(" ");
type Name = { readonly language: string; readonly index: number };
type NameKind = "weekday" | "month";

/** Made at the first date, because it takes some milliseconds. */
let knownWeekdays: ReadonlyMap<string, readonly Name[]> | null = null;
const knownMonths = new Map<string, ReadonlyMap<string, number>>();

function namesIn(language: string, kind: NameKind, options: Intl.DateTimeFormatOptions): (readonly [string, Name])[] {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
  return Array.from({ length: kind === "month" ? 12 : 7 }, (_, index) => {
    // January 1, 2023, was a Sunday.
    const date = kind === "month" ? Date.UTC(2023, index, 12) : Date.UTC(2023, 0, 1 + index);
    const name = format.formatToParts(date).find(({ type }) => type === kind)?.value ?? "";
    return [name.replace(/\.$/, "").toLowerCase(), { language, index }] as const;
  });
}

function weekdayNamed(word: string): readonly Name[] {
  knownWeekdays ??= new Map(
    [
      ...Map.groupBy(
        languages.flatMap((language) => namesIn(language, "weekday", { weekday: "long" })),
        ([name]) => name,
      ),
    ].map(([name, alike]) => [name, alike.map(([, one]) => one)]),
  );
  return knownWeekdays.get(word.toLowerCase()) ?? [];
}

function monthNamed(word: string, language: string): number | undefined {
  const known = knownMonths.get(language);
  if (known) return known.get(word.toLowerCase());
  // With a day, many languages inflect the month.
  const forms = (["long", "short"] as const).flatMap((month) => [{ month }, { month, day: "numeric" } as const]);
  const names = forms.flatMap((form) => namesIn(language, "month", form));
  knownMonths.set(language, new Map(names.map(([name, { index }]) => [name, index])));
  return monthNamed(word, language);
}

const weekdayFirst = String.raw`(?<![\p{L}\p{M}\p{N}-])(?<weekday>\p{L}[\p{L}\p{M}'’-]{1,18}),?[ \u00a0]{1,2}(?:(?:the|den|der|dem|le|el|lo|o|d|de|dia|día|am|on)[ \u00a0])?`;
const month = String.raw`(?<month>\p{L}[\p{L}\p{M}'’-]{1,18})`;
const patterns: readonly RegExp[] = [
  `${weekdayFirst}(?<day>\\d{1,2})(?:\\.|st|nd|rd|th|º|er|e)?[ \\u00a0](?:(?:of|de)[ \\u00a0])?${month}(?:[.,]?[ \\u00a0](?:del?[ \\u00a0])?(?<year>\\d{4}))?(?![\\d:])`,
  // "March 12 and 13" has two days.
  `${weekdayFirst}${month}\\.?[ \\u00a0](?<day>\\d{1,2})(?:st|nd|rd|th)?(?!\\d)(?! ?[-–—/&+] ?\\d| (?:and|or|to) \\d)(?:,?[ \\u00a0](?<year>\\d{4})(?!\\d))?`,
  `${weekdayFirst}(?<day>\\d{1,2})\\.(?<number>\\d{1,2})\\.(?<year>\\d{4})(?!\\d)`,
].map((pattern) => new RegExp(pattern, "giu"));
const eastern =
  /(?:(?<year>\d{4})[年년] ?)?(?<number>\d{1,2})[月월] ?(?<day>\d{1,2})[日일] ?[(（](?:星期|周|週)?(?<weekday>[日月火水木金土天一二三四五六월화수목금토일])(?:曜日?|요일)?[)）]/gu;
const easternDays = ["日月火水木金土", "天一二三四五六", "일월화수목금토"];
const longestLine = 5_000;

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}'’-]+/gu) ?? [];

/** Most lines have no number, and most others no weekday. */
function wrongDaysIn(text: string, at: number) {
  return text.split("\n").flatMap((whole) => {
    const line = whole.slice(0, longestLine);
    if (!/\d/.test(line)) return [];
    const isWestern = wordsOf(line).some((word) => weekdayNamed(word).length > 0);
    const found = [...(isWestern ? patterns : []), eastern].flatMap((pattern) => [...line.matchAll(pattern)]);
    return found.flatMap(({ 0: written, groups = {}, index }) => {
      const readings = readingsOf(groups, line.slice(Math.max(0, index - 30), index));
      const days = readings.map((reading) => rightDayOf(reading, groups, at));
      // It is wrong only if it is wrong in all languages that have these words.
      return days[0] && days.every((day) => day !== null) ? [{ text: shown(written), ...days[0] }] : [];
    });
  });
}

type Reading = { readonly weekday: number; readonly month: number };
type Groups = Readonly<Record<string, string | undefined>>;

function readingsOf({ weekday = "", month = "", number }: Groups, before: string): Reading[] {
  const eastDay = weekday.length === 1 ? Math.max(...easternDays.map((days) => days.indexOf(weekday))) : -1;
  if (eastDay >= 0) return [{ weekday: eastDay, month: Number(number) - 1 }];
  // "Saturday and Sunday, March 13" may mean the first of them, and "on Friday, 3 may apply" has no month.
  const isSecond = !/\d/.test(before) && wordsOf(before).some((word) => weekdayNamed(word).length > 0);
  if (isSecond || (/^(?:may|march)$/.test(month) && /^\p{Lu}/u.test(weekday))) return [];
  return weekdayNamed(weekday).flatMap(({ language, index }) => {
    const named = number === undefined ? monthNamed(month, language) : Number(number) - 1;
    return named === undefined ? [] : [{ weekday: index, month: named }];
  });
}

/**
 * Null if the date may be right. Without a year it is one of the next months or of the last few. Dates far away are
 * history, or of other calendars.
 */
function rightDayOf({ weekday, month }: Reading, { day, year }: Groups, at: number) {
  const sent = new Date(at).getUTCFullYear();
  const [earliest, latest] = year === undefined ? [-200, 330] : [-800, 1_200];
  const dates = (year === undefined ? [sent, sent + 1, sent - 1] : [Number(year)])
    .map((one) => new Date(Date.UTC(one, month, Number(day))))
    .filter((date) => date.getUTCDate() === Number(day))
    .filter((date) => date.getTime() - at > earliest * dayMs && date.getTime() - at < latest * dayMs);
  if (dates[0] === undefined || dates.some((date) => date.getUTCDay() === weekday)) return null;
  const name = dates[0].toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  return { year: dates[0].getUTCFullYear(), weekday: name };
}
