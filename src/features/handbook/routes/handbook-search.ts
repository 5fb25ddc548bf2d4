// Search in the handbook, on the server: sections of pages, checks and API endpoints. Rare words count more than common
// ones, words are compared by their stems, and a page may name the questions that it answers.

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { readHandbook } from "../../../platform/contract/docs-pages.ts";
import { toSearchWords } from "../../../platform/search-words.ts";
import { type DocsPage, renderSearchForm } from "./docs-page.ts";
import synonyms from "./synonyms.json" with { type: "json" };

export type SearchEntry = {
  /** Where it is: path and anchor. */
  readonly path: string;
  /** Title of the page. */
  readonly title: string;
  readonly heading: string;
  /** Questions that it answers. */
  readonly asks: readonly string[];
  readonly text: string;
  /** How much it counts beside a page of the handbook, which has 1. */
  readonly weight: number;
};

type Indexed = {
  readonly entry: SearchEntry;
  readonly asks: readonly ReadonlySet<string>[];
  /** Each stem and how much it says about the entry. */
  readonly stems: ReadonlyMap<string, number>;
};

const shownAtMost = 25;
const perPage = 3;
const termsAtMost = 16;
const excerptLength = 180;
const leadLength = 60;
const points = { title: 5, heading: 4, asked: 12, text: 1, textAtMost: 3 };
/** What the beginning of a longer word counts beside the whole word. */
const beginning = 0.4;

const stopWords = new Set(
  "a about an and are as at be but by can cannot cant did do does doesnt dont for from get getting gets got good had has have how i if in into is isnt it its just me my not of on or our out so still that the their them then there they this to us was we what when where which who whom whose why will with wont you your".split(
    " ",
  ),
);

/** `answer`: the path of the entry that is known to answer the query. */
type Search = (query: string, answer?: string | null) => readonly SearchEntry[];

export function createSearch(entries: readonly SearchEntry[]): Search {
  const indexed = entries.map(toIndexed);
  const spread = new Map<string, number>();
  for (const { stems } of indexed) for (const stem of stems.keys()) spread.set(stem, (spread.get(stem) ?? 0) + 1);
  const known = [...spread].toSorted(([, a], [, b]) => b - a).map(([word]) => word);
  const rarity = (count: number) => Math.log(1 + entries.length / (1 + count));
  return (query, answer) => {
    const asked = toTerms(query).map((term) => (spread.has(term) ? term : toKnown(term, known)));
    const terms = asked.map((stem) => ({ stem, weight: rarity(spread.get(stem) ?? 0) }));
    const all = terms.reduce((sum, { weight }) => sum + weight, 0);
    const scored = indexed
      .map((one) => {
        const scores = terms.map(({ stem, weight }) => ({ weight, score: weight * scoreOf(one.stems, stem) }));
        const found = scores.reduce((sum, { weight, score }) => sum + (score > 0 ? weight : 0), 0) / all;
        const whole = points.asked * all * Math.max(0, ...one.asks.map((ask) => likeness(ask, asked)));
        const score = scores.reduce((sum, part) => sum + part.score, whole);
        const isAnswer = one.entry.path === answer;
        return { entry: one.entry, score: isAnswer ? Number.MAX_VALUE : score * found * one.entry.weight };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    return takeFew(scored.map(({ entry }) => entry));
  };
}

function toIndexed(entry: SearchEntry): Indexed {
  const stems = new Map<string, number>();
  const add = (text: string, most: number, each: number) => {
    const counts = Map.groupBy(toWords(text).map(toStem), (stem) => stem);
    for (const [stem, { length }] of counts) stems.set(stem, (stems.get(stem) ?? 0) + Math.min(most, each * length));
  };
  add(entry.title, points.title, points.title);
  if (entry.heading !== entry.title) add(entry.heading, points.heading, points.heading);
  add(entry.asks.join(" "), points.heading, points.heading);
  add(entry.text, points.textAtMost, points.text);
  return { entry, stems, asks: entry.asks.map((ask) => new Set(toTerms(ask))) };
}

function scoreOf(stems: ReadonlyMap<string, number>, term: string): number {
  const whole = stems.get(term) ?? 0;
  if (whole > 0 || term.length < 3) return whole;
  let most = 0;
  for (const [stem, score] of stems) if (score > most && stem.startsWith(term)) most = score;
  return most * beginning;
}

/** How much of a question was typed, and how much of what was typed is in it. */
function likeness(ask: ReadonlySet<string>, stems: readonly string[]): number {
  return ((2 * stems.filter((stem) => ask.has(stem)).length) / (ask.size + stems.length)) ** 3;
}

function takeFew(entries: readonly SearchEntry[]): readonly SearchEntry[] {
  const shown = new Map<string, number>();
  const few = entries.filter(({ title }) => {
    const count = (shown.get(title) ?? 0) + 1;
    shown.set(title, count);
    return count <= perPage;
  });
  return few.slice(0, shownAtMost);
}

/** Without words that are in every question, unless there are no others. */
function toTerms(query: string): string[] {
  const words = toWords(query);
  const telling = words.filter((word) => !stopWords.has(word));
  return [...new Set((telling.length > 0 ? telling : words).map(toStem))].slice(0, termsAtMost);
}

/** Numbers with dots stay whole: a status code or an IP address is one word. "no-reply" is also "noreply". */
function toWords(text: string): string[] {
  return toSearchWords(text.replaceAll(/['’]/g, "").replaceAll(/\be-mail/gi, "email")).flatMap((word) => [
    ...(word.match(/\d+(?:\.\d+)+|[\p{L}\p{N}]+/gu) ?? []),
    ...(word.match(/\b\p{L}+-\p{L}+\b/gu)?.map((joined) => joined.replace("-", "")) ?? []),
  ]);
}

/** The same for the forms of one word, and for words that mean the same. */
function toStem(word: string): string {
  const stem = toRoughStem(word);
  return sameMeaning.get(stem) ?? stem;
}

function toRoughStem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const stem = word
    .replace(/ies$/, "y")
    .replace(/(?:sses|xes|ches|shes)$/, (end) => end.slice(0, -2))
    .replace(/([^su])s$/, "$1")
    .replace(/(.{3})(?:ing|ed)$/, "$1")
    .replace(/([b-df-hj-np-rtv-z])\1$/, "$1");
  return stem.length > 3 ? stem.replace(/e$/, "") : stem;
}

const sameMeaning = new Map(
  synonyms.flatMap((line) => {
    const [first = "", ...others] = line.split(" ").map(toRoughStem);
    return others.map((other) => [other, first] as const);
  }),
);

/**
 * A word that isn't in the handbook may have a typing error: the most frequent word that differs in one letter. Nearly
 * every short word differs in one letter from another, so its first letter must be the same.
 */
function toKnown(term: string, known: readonly string[]): string {
  if (term.length < 4 || /\d/.test(term) || known.some((word) => word.startsWith(term))) return term;
  const isLong = term.length > 4;
  return known.find((word) => isOneOff(word, term) && (isLong || word[0] === term[0])) ?? term;
}

/** Whether one letter is missing, added, wrong, or swapped with the next. */
function isOneOff(word: string, term: string): boolean {
  if (Math.abs(word.length - term.length) > 1) return false;
  let start = 0;
  while (start < term.length && word[start] === term[start]) start++;
  let end = 0;
  while (end < term.length - start && end < word.length - start && word.at(-1 - end) === term.at(-1 - end)) end++;
  const [one, other] = [word.slice(start, word.length - end), term.slice(start, term.length - end)];
  return one.length + other.length <= 2 || (one.length === 2 && one[0] === other[1] && one[1] === other[0]);
}

export function renderResults(query: string, found: readonly SearchEntry[]): DocsPage {
  const results = found.map(({ path, title, heading, text }) => {
    const name = heading === title || heading === "" ? title : `${title.replace(/\?$/, "")}: ${heading}`;
    return `<li><a href="${escapeMarkup(path)}">${escapeMarkup(name)}</a><p>${renderExcerpt(text, toTerms(query))}</p></li>`;
  });
  const count = found.length === 1 ? "1 result" : `${found.length} results`;
  const none = `<p>Nothing found for “${escapeMarkup(query)}”. Try fewer or different words, or <a href="${readHandbook.path}">see all pages</a>.</p>`;
  return {
    title: `Search: ${query}`,
    description: "Handbook search results.",
    path: "",
    query,
    main: `<h1>Search</h1>
<div class="big">${renderSearchForm(query)}</div>
${found.length === 0 ? none : `<p class="note" role="status">${count} for “${escapeMarkup(query)}”</p><ol class="results">${results.join("\n")}</ol>`}`,
  };
}

/** The part of a text around the first word that was searched for. */
function renderExcerpt(text: string, terms: readonly string[]): string {
  const pieces = text.split(wordOrNot);
  const first = Math.max(
    0,
    pieces.findIndex((piece) => isHit(piece, terms)),
  );
  const at = pieces.slice(0, first).join("").length;
  const start = at <= leadLength ? 0 : text.indexOf(" ", at - leadLength) + 1;
  const part = text.slice(start, start + excerptLength);
  const words = part
    .split(wordOrNot)
    .map((piece) => (isHit(piece, terms) ? `<mark>${escapeMarkup(piece)}</mark>` : escapeMarkup(piece)));
  return `${start > 0 ? "… " : ""}${words.join("")}${start + excerptLength < text.length ? " …" : ""}`;
}

/** Splits a text into its words and what is between them; words need no escaping. */
const wordOrNot = /(\d+(?:\.\d+)+|[\p{L}\p{N}]+)/u;

function isHit(piece: string, terms: readonly string[]): boolean {
  const stem = toStem(piece.toLowerCase());
  return terms.some((term) => stem === term || (term.length > 2 && stem.startsWith(term)));
}
