// The frame of the pages below /docs: bar with search, list of pages, text, contents. Static and
// without a remote host; the one style is allowed by its hash.

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { pageGroups, toPagePath } from "../../../handbook/pages.ts";
import { readApiReference, readChecksPage, readHandbook } from "../../../platform/contract/docs-pages.ts";
import { staticPagePolicy } from "../../../platform/http/plain-page.ts";

/** The handbook shows its own images and sends its search form to itself. */
export function docsPolicy(style: string): string {
  return staticPagePolicy(style).replace("form-action 'none'", "form-action 'self'; img-src 'self'");
}

/** An entry of the contents beside the text. */
type Entry = { readonly anchor: string; readonly text: string };

/** `main` is HTML. */
export type DocsPage = {
  readonly title: string;
  readonly description: string;
  /** Its own path, which the list of pages marks. */
  readonly path: string;
  readonly main: string;
  readonly contents?: readonly Entry[];
  /** What was searched for. */
  readonly query?: string;
};

/** Titles of the handbook's pages, by slug. */
export type Titles = ReadonlyMap<string, string>;

export function renderPage(page: DocsPage, titles: Titles, style: string): string {
  const { title, description, main, contents = [], query = "" } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeMarkup(description)}">
<title>${escapeMarkup(title)} · Assay handbook</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="${readHandbook.path}">Assay <span>handbook</span></a>
<div role="search">${renderSearchForm(query)}</div>
<a href="/">Open the app</a>
</header>
<div class="frame">
${renderPageList(page.path, titles)}
<main id="main">
${main}
</main>
${renderContents(contents)}</div>
</body>
</html>
`;
}

export function renderSearchForm(query: string): string {
  return `<form action="${readHandbook.path}"><input type="search" name="q" value="${escapeMarkup(query)}" aria-label="Search the handbook" placeholder="Search, e.g. PTR" maxlength="200"><button>Search</button></form>`;
}

function renderPageList(current: string, titles: Titles): string {
  const link = (path: string, title: string) =>
    `<li><a href="${path}"${path === current || current.startsWith(`${path}/`) ? ' aria-current="page"' : ""}>${escapeMarkup(title)}</a></li>`;
  const extra: Readonly<Record<string, readonly string[]>> = {
    Results: [link(readChecksPage.path, "All checks")],
    Automate: [link(readApiReference.path, "API reference")],
  };
  const hasCurrent = current !== readHandbook.path && current !== "";
  const groups = pageGroups.map(({ title, pages }) => {
    const own = pages.map((slug) => link(toPagePath(slug), titles.get(slug) ?? slug));
    const links = [...own, ...(extra[title] ?? [])].join("\n");
    // The list is long: on a page only its group is open, so that the page itself is in sight.
    const isOpen = links.includes("aria-current") || !hasCurrent;
    return `<details class="group"${isOpen ? " open" : ""}><summary>${escapeMarkup(title)}</summary><ul>${links}</ul></details>`;
  });
  return `<nav class="side" aria-label="Handbook" tabindex="0"><details class="pages"><summary>All pages</summary>
${groups.join("\n")}
</details></nav>`;
}

function renderContents(entries: readonly Entry[]): string {
  if (entries.length < 2) return "";
  const links = entries.map(({ anchor, text }) => `<li><a href="#${anchor}">${escapeMarkup(text)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${links.join("\n")}</ul></nav>\n`;
}

/** `cells` are HTML. */
export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th>${escapeMarkup(heading)}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}
