// The language of the search for tests: words, and filters as in email clients. The app, the API and the command line
// all read it with this parser, so that a search means the same everywhere.

import { doorKinds } from "../../../analyzer/mail/session/doors.ts";
import { toTenths } from "../../../analyzer/reports/grade-words.ts";
import { findClosest } from "../../../platform/closest-word.ts";

const resultWords = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror",
  "unknown",
] as const;

const valuesOf = {
  needs: ["you"],
  status: ["received", "analyzing", "analyzed", "failed"],
  spf: resultWords,
  dkim: resultWords,
  dmarc: resultWords,
  type: ["bulk", "transactional", "personal", "auto-reply", "unknown"],
  placement: ["inbox", "spam", "promotions", "unknown"],
  malware: ["found", "suspicious", "none", "unknown"],
  has: ["attachment", "label", "score"],
  door: doorKinds,
} as const;

type Listed = keyof typeof valuesOf;

export type SearchPart =
  | { readonly field: "words"; readonly text: string }
  | { readonly field: "from"; readonly domain: string | null; readonly text: string | null }
  | { readonly field: "to" | "label"; readonly text: string }
  | { readonly field: "score"; readonly least: number; readonly most: number }
  /** Milliseconds since the epoch. */
  | { readonly field: "received"; readonly from: number | null; readonly before: number | null }
  | {
      [Field in Listed]: { readonly field: Field; readonly value: (typeof valuesOf)[Field][number] };
    }[Listed];

export type SearchTerm = {
  /** As typed. */
  readonly text: string;
  /** The same for a reader in another time zone, or later. */
  readonly exact: string;
  readonly isNot: boolean;
  readonly part: SearchPart;
};

type Search = {
  readonly terms: readonly SearchTerm[];
  /** All of it, in pieces as typed. Each can be removed separately. */
  readonly texts: readonly string[];
  /** Error messages. With any of them, the search finds nothing. */
  readonly problems: readonly string[];
};

/** What `today` means. */
export type SearchClock = {
  readonly now: number;
  /** When the day begins that has this time, or the day so many days later, in the reader's time zone. */
  readonly startOfDay: (time: number, daysLater?: number) => number;
  /** When this day begins. Undefined if there is none. */
  readonly startOf: (year: number, month: number, day: number) => number | undefined;
};

export const utcDays: Omit<SearchClock, "now"> = {
  startOfDay: (time, daysLater = 0) => Math.floor(time / dayMs + daysLater) * dayMs,
  startOf: (year, month, day) => {
    const time = Date.UTC(year, month - 1, day);
    return new Date(time).getUTCMonth() === month - 1 ? time : undefined;
  },
};

export const longestSearch = 500;
const mostTerms = 20;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Times count from here, and so do IDs. */
const firstYear = 1970;

/** Scores have one decimal, so this is the distance to the next score. */
const scoreStep = 0.1;

export function parseSearch(text: string, clock: SearchClock): Search {
  if (text.length > longestSearch)
    return { terms: [], texts: [text], problems: [`Use at most ${longestSearch} characters.`] };
  const texts = text.match(/-?[^\s":]+:"[^"]*"|-?"[^"]*"|\S+/g) ?? [];
  const read = texts.map((one) => readTerm(one, clock));
  const terms = read.flatMap((one) => (typeof one === "string" ? [] : [one]));
  const problems = read.filter((one) => typeof one === "string");
  if (texts.length > mostTerms) problems.push(`Use at most ${mostTerms} words and filters.`);
  return { terms, texts, problems: [...problems, ...findTwice(terms)] };
}

/** A test has only one of each. */
const usedOnce: ReadonlySet<string> = new Set(
  ["from", "label", ...Object.keys(valuesOf)].filter((name) => name !== "has"),
);

function findTwice(terms: readonly SearchTerm[]): string[] {
  const fields = terms.flatMap(({ isNot, part }) =>
    isNot || !usedOnce.has(part.field) || (part.field === "from" && part.domain === null) ? [] : [part.field],
  );
  const twice = new Set(fields.filter((field, at) => fields.indexOf(field) !== at));
  return [...twice].map((name) => `“${name}:” is used twice. A test has only one.`);
}

/** Or an error message. */
function readTerm(text: string, clock: SearchClock): SearchTerm | string {
  const isNot = text.length > 1 && text.startsWith("-");
  const bare = isNot ? text.slice(1) : text;
  const [, written = "", quoted = ""] = /^([a-z]+):(.*)$/is.exec(bare) ?? [];
  const name = synonyms.get(written.toLowerCase()) ?? written.toLowerCase();
  const value = unquoted(quoted);
  // "Re: offer" and times like 10:30 are plain words.
  const isPlain = name === "" || (quoted === "" && !searchOperators.includes(name));
  const words = unquoted(bare);
  if (isPlain && words.trim() === "") return "Put words between the quotes.";
  if (isPlain) return { text, exact: text, isNot, part: { field: "words", text: words } };
  if (value.trim() === "") return `“${name}:” needs a value.`;
  const part = isTimeName(name) ? readTime(value, name, clock) : readPart(name, value);
  if (typeof part === "string") return part;
  const exact = part.field === "received" ? toExact(name, part, isNot) : text;
  return { text, exact, isNot, part };
}

function isTimeName(name: string): boolean {
  return name === "after" || name === "before";
}

type Received = Extract<SearchPart, { readonly field: "received" }>;

function toExact(name: string, { from, before }: Received, isNot: boolean): string {
  return `${isNot ? "-" : ""}${name}:${new Date(from ?? before ?? 0).toISOString()}`;
}

function readPart(name: string, value: string): SearchPart | string {
  if (name === "subject") return { field: "words", text: value };
  if (name === "from") return readFrom(value);
  if (name === "label" || name === "to") return { field: name, text: value };
  if (name === "score") return readScore(value);
  if (!isListed(name)) return toUnknown(name);
  const known: readonly string[] = valuesOf[name];
  const wanted = value.toLowerCase();
  if (!known.includes(wanted)) return `“${name}:” must be ${toChoice(known)}.`;
  return { field: name, value: wanted } as SearchPart;
}

function toChoice(words: readonly string[]): string {
  return words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(", ")}, or ${words.at(-1)}`;
}

function toUnknown(name: string): string {
  const meant = findClosest(name, [...searchOperators, ...synonyms.keys()]);
  return meant === undefined
    ? `Unknown filter “${name}:”. Put quotes around it to search for the text.`
    : `Unknown filter “${name}:”. Did you mean “${meant}:”? To search for the text, put it in quotes.`;
}

function isListed(name: string): name is Listed {
  return Object.hasOwn(valuesOf, name);
}

/** `kind` is the name in the API. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["since", "after"],
  ["kind", "type"],
]);

export const searchOperators: readonly string[] = [
  "from",
  "to",
  "subject",
  "label",
  "status",
  "score",
  "spf",
  "dkim",
  "dmarc",
  "placement",
  "type",
  "malware",
  "needs",
  "has",
  "door",
  "after",
  "before",
];

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, "$1");
}

/** A domain, an address, or words. */
function readFrom(value: string): SearchPart {
  const [, domain = ""] = value.split("@");
  if (value.startsWith("@")) return { field: "from", domain, text: null };
  if (domain !== "") return { field: "from", domain, text: value };
  const isDomain = /^[^\s.]+(\.[^\s.]+)+$/.test(value);
  return { field: "from", domain: isDomain ? value : null, text: isDomain ? null : value };
}

function readScore(value: string): SearchPart | string {
  const [, sign = "", written = "", top] =
    /^(<=|>=|<|>|=)?(\d{1,3}(?:\.\d)?)(?:\.\.(\d{1,3}(?:\.\d)?))?$/.exec(value) ?? [];
  const score = Number(written);
  const highest = top === undefined ? score : Number(top);
  if (written === "" || score > 100 || highest > 100 || (sign !== "" && top !== undefined))
    return "“score:” needs a number from 0 to 100, such as score:<70, score:>=90, or score:50..70.";
  if (sign === "<") return { field: "score", least: 0, most: toTenths(score - scoreStep) };
  if (sign === "<=") return { field: "score", least: 0, most: score };
  if (sign === ">") return { field: "score", least: toTenths(score + scoreStep), most: 100 };
  if (sign === ">=") return { field: "score", least: score, most: 100 };
  return { field: "score", least: score, most: highest };
}

function readTime(value: string, name: string, clock: SearchClock): Received | string {
  const time = toTime(value, clock);
  if (time === undefined) return `“${name}:” needs a date such as 2026-11-15, or today, yesterday, 7d, or 12h.`;
  return { field: "received", ...(name === "before" ? { from: null, before: time } : { from: time, before: null }) };
}

function toTime(value: string, { now, startOfDay, startOf }: SearchClock): number | undefined {
  const word = value.toLowerCase();
  if (word === "today") return startOfDay(now);
  if (word === "yesterday") return startOfDay(now, -1);
  const [, count = "", unit = ""] = /^(\d{1,4})([dh])$/.exec(word) ?? [];
  if (count !== "") return now - Number(count) * (unit === "d" ? dayMs : hourMs);
  const [, year = "", month = "", day = "", hours = ""] =
    /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i.exec(value) ?? [];
  const date = [Number(year), Number(month), Number(day)] as const;
  // `Date` takes the year 99 for 1999, and the 31st of a shorter month for a day of the next one.
  if (year === "" || date[0] < firstYear || utcDays.startOf(...date) === undefined) return undefined;
  if (hours === "") return startOf(...date);
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
