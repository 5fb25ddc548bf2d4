// Search in the handbook, on the server: sections of pages, checks and API endpoints. All words must occur; if none
// matches, any of them. A word also matches the beginning of a longer one.

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { readHandbook } from "../../../platform/contract/docs-pages.ts";
import { toSearchWords } from "../../../platform/search-words.ts";
import { type DocsPage, renderSearchForm } from "./docs-page.ts";

export type SearchEntry = {
  /** Where it is: path and anchor. */
  readonly path: string;
  /** Title of the page. */
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  /** How much it counts beside a page of the handbook, which has 1. */
  readonly weight: number;
};

type Indexed = SearchEntry & {
  readonly titleWords: readonly string[];
  readonly headingWords: readonly string[];
  readonly textWords: readonly string[];
};

const shownAtMost = 25;
const perPage = 3;
const excerptLength = 180;
const leadLength = 60;

export function createSearch(entries: readonly SearchEntry[]): (query: string) => readonly SearchEntry[] {
  const indexed = entries.map((entry) => ({
    ...entry,
    titleWords: toWords(entry.title),
    headingWords: toWords(entry.heading),
    textWords: toWords(entry.text),
  }));
  return (query) => {
    const terms = toTerms(query);
    if (terms.length === 0) return [];
    const all = rank(indexed, terms, terms.length);
    return all.length > 0 ? all : rank(indexed, terms, 1);
  };
}

function rank(entries: readonly Indexed[], terms: readonly string[], least: number): SearchEntry[] {
  const scored = entries
    .map((entry) => {
      const scores = terms.map((term) => scoreOf(entry, term));
      const found = scores.filter((score) => score > 0).length;
      return { entry, found, score: scores.reduce((sum, score) => sum + score, 0) * entry.weight };
    })
    .filter(({ found }) => found >= least)
    .sort((a, b) => b.score - a.score);
  const shown = new Map<string, number>();
  const few = scored.filter(({ entry: { title } }) => {
    const count = (shown.get(title) ?? 0) + 1;
    shown.set(title, count);
    return count <= perPage;
  });
  return few.slice(0, shownAtMost).map(({ entry }) => entry);
}

function scoreOf({ titleWords, headingWords, textWords }: Indexed, term: string): number {
  const inText = textWords.filter((word) => isHit(word, term)).length;
  const inTitle = titleWords.some((word) => isHit(word, term));
  const inHeading = headingWords.some((word) => isHit(word, term));
  return (inTitle ? 8 : 0) + (inHeading ? 5 : 0) + Math.min(inText, 4);
}

function isHit(word: string, term: string): boolean {
  return term.length === 1 ? word === term : word.startsWith(term);
}

/** "records" also finds "record". */
function toTerms(query: string): string[] {
  return [...new Set(toWords(query))].map((word) => (word.length > 4 ? word.replace(/s$/, "") : word));
}

function toWords(text: string): string[] {
  return toSearchWords(text)
    .flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word !== "");
}

export function renderResults(query: string, found: readonly SearchEntry[]): DocsPage {
  const results = found.map(({ path, title, heading, text }) => {
    const name = heading === title || heading === "" ? title : `${title}: ${heading}`;
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
    pieces.findIndex((piece) => termOf(piece, terms) !== undefined),
  );
  const at = pieces.slice(0, first).join("").length;
  const start = at <= leadLength ? 0 : text.indexOf(" ", at - leadLength) + 1;
  const part = text.slice(start, start + excerptLength);
  const words = part.split(wordOrNot).map((piece) => {
    const length = termOf(piece, terms)?.length ?? 0;
    return length === 0 ? escapeMarkup(piece) : `<mark>${piece.slice(0, length)}</mark>${piece.slice(length)}`;
  });
  return `${start > 0 ? "… " : ""}${words.join("")}${start + excerptLength < text.length ? " …" : ""}`;
}

/** Splits a text into its words and what is between them; words need no escaping. */
const wordOrNot = /([\p{L}\p{N}]+)/u;

function termOf(piece: string, terms: readonly string[]): string | undefined {
  const folded = piece.toLowerCase();
  return terms.find((term) => isHit(folded, term));
}
