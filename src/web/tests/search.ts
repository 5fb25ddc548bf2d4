// The search box: words, and filters as in email clients. Both become query parameters of the API.

import type { QueryOf } from "../client/endpoints.ts";

export type Filters = Omit<QueryOf<"GET /api/tests">, "limit" | "offset" | "cursor">;

export type Search = {
  readonly filters: Filters;
  /** Error messages. */
  readonly problems: readonly string[];
  /** As typed. Each can be removed separately. */
  readonly terms: readonly string[];
};

const statuses = ["received", "analyzing", "analyzed", "failed"] as const;

type ParsedSearch = Filters | { readonly problem: string };

/** Scores have one decimal, so this is the distance to the next score. */
const scoreStep = 0.1;

const operators: Readonly<Record<string, (value: string) => ParsedSearch>> = {
  from: (value) => {
    const [, domain = ""] = value.split("@");
    if (value.startsWith("@")) return { from_domain: domain };
    if (domain !== "") return { from_domain: domain, q: value };
    return /^[^\s.]+(\.[^\s.]+)+$/.test(value) ? { from_domain: value } : { q: value };
  },
  subject: (value) => ({ q: value }),
  label: (value) => ({ label: value }),
  status: (value) => {
    const status = statuses.find((one) => one === value);
    return status === undefined
      ? { problem: `Unknown status “${value}”. Use received, analyzing, analyzed, or failed.` }
      : { status };
  },
  score: toScoreRange,
  after: (value) => toTime(value, "after", (since) => ({ since })),
  since: (value) => toTime(value, "since", (since) => ({ since })),
  before: (value) => toTime(value, "before", (until) => ({ until })),
};

export const operatorNames = Object.keys(operators).filter((name) => name !== "since");

export function parseSearch(text: string): Search {
  const terms = text.match(/[^\s":]+:"[^"]*"|"[^"]*"|\S+/g) ?? [];
  const words: string[] = [];
  const problems: string[] = [];
  let filters: Filters = {};
  for (const term of terms) {
    const [, name = "", value = ""] = /^([a-z]+):(.*)$/i.exec(term) ?? [];
    const outcome = readTerm(name.toLowerCase(), unquoted(value), term);
    const isTwice = Object.keys(outcome).some((filter) => filter !== "q" && filter in filters);
    if ("problem" in outcome) problems.push(String(outcome.problem));
    else if (isTwice) problems.push(`“${name}:” is used twice. Only the first counts.`);
    else {
      const { q, ...others } = outcome as Filters;
      if (q !== undefined) words.push(q);
      filters = { ...filters, ...others };
    }
  }
  return { filters: words.length > 0 ? { ...filters, q: words.join(" ") } : filters, problems, terms };
}

function readTerm(name: string, value: string, term: string): ParsedSearch {
  if (name === "") return { q: unquoted(term) };
  const read = Object.hasOwn(operators, name) ? operators[name] : undefined;
  // "Re: offer" and times like 10:30 are plain words.
  if (read === undefined) return value === "" ? { q: term } : { problem: `Unknown filter “${name}:”.` };
  return value === "" ? { problem: `“${name}:” needs a value.` } : read(value);
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, "$1");
}

function toScoreRange(value: string): ParsedSearch {
  const [, sign = "", written = "", top] =
    /^(<=|>=|<|>|=)?(\d{1,3}(?:\.\d)?)(?:\.\.(\d{1,3}(?:\.\d)?))?$/.exec(value) ?? [];
  const score = Number(written);
  const highest = top === undefined ? score : Number(top);
  if (written === "" || score > 100 || highest > 100)
    return {
      problem: "“score:” needs a number from 0 to 100, such as score:<70, score:>=90, or score:50..70.",
    };
  if (top !== undefined) return { min_score: written, max_score: top };
  if (sign === "<") return { max_score: toFilter(score - scoreStep) };
  if (sign === "<=") return { max_score: written };
  if (sign === ">") return { min_score: toFilter(score + scoreStep) };
  if (sign === ">=") return { min_score: written };
  return { min_score: written, max_score: written };
}

function toFilter(score: number): string {
  return Math.min(100, Math.max(0, score)).toFixed(1);
}

/** The start of a day in the reader's time zone. */
function toTime(value: string, name: string, toFilters: (time: string) => Filters): ParsedSearch {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  const time = new Date(Number(year), Number(month) - 1, Number(day));
  if (year === "" || time.getMonth() !== Number(month) - 1)
    return { problem: `“${name}:” needs a date such as 2026-11-15.` };
  return toFilters(time.toISOString());
}
