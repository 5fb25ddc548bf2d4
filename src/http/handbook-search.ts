// Search in the handbook, on the server: sections of pages, checks and API endpoints. All words must occur; if none
// matches, any of them. A word also matches the beginning of a longer one.

import { readHandbook } from "../api/handbook.ts";
import { toSearchWords } from "../search-words.ts";
import { type DocsPage, html, renderSearchForm } from "./docs-page.ts";

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
  const isHit = (word: string) => (term.length === 1 ? word === term : word.startsWith(term));
  const inText = textWords.filter(isHit).length;
  return (titleWords.some(isHit) ? 8 : 0) + (headingWords.some(isHit) ? 5 : 0) + Math.min(inText, 4);
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
    return `<li><a href="${html(path)}">${html(name)}</a><p>${renderExcerpt(text, toTerms(query))}</p></li>`;
  });
  const count = found.length === 1 ? "1 result" : `${found.length} results`;
  const none = `<p>Nothing found for “${html(query)}”. Try fewer or other words, or <a href="${readHandbook.path}">see all pages</a>.</p>`;
  return {
    title: `Search: ${query}`,
    description: "Search results in the handbook.",
    path: "",
    query,
    main: `<h1>Search</h1>
<div class="big">${renderSearchForm(query)}</div>
${found.length === 0 ? none : `<p class="note" role="status">${count} for “${html(query)}”</p><ol class="results">${results.join("\n")}</ol>`}`,
  };
}

/** The part of a text around the first word that was searched for. */
function renderExcerpt(text: string, terms: readonly string[]): string {
  const folded = text.toLowerCase();
  const hits = terms.map((term) => folded.search(wordBegins(term))).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...(hits.length > 0 ? hits : [0])) - 60);
  const start = from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const part = text.slice(start, start + excerptLength);
  const marked = terms.reduce(
    (whole, term) => whole.replaceAll(wordBegins(term, "giu"), (word) => `\u0001${word}\u0002`),
    part,
  );
  const words = html(marked).replaceAll("\u0001", "<mark>").replaceAll("\u0002", "</mark>");
  return `${start > 0 ? "… " : ""}${words}${start + excerptLength < text.length ? " …" : ""}`;
}

/** Terms are letters and digits, so there is nothing to escape. */
function wordBegins(term: string, flags = "iu"): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${term}`, flags);
}
