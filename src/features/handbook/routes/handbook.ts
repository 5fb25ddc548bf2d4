// The handbook's pages from their files: rendered when first asked for, because a process may never be.

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { type Page, renderMarkdown } from "../../../handbook/markdown.ts";
import { pageGroups, toPagePath } from "../../../handbook/pages.ts";
import { readChecksPage, readHandbook } from "../../../platform/contract/docs-pages.ts";
import type { OpenApi } from "../../../platform/http/openapi.ts";
import { settings } from "../../../platform/settings/config.ts";
import { type CheckEntry, listChecks } from "../contract.ts";
import { operationsOf, toOperationPath } from "./api-reference.ts";
import { type DocsPage, renderSearchForm, renderTable, type Titles } from "./docs-page.ts";
import type { SearchEntry } from "./handbook-search.ts";

type Handbook = {
  readonly titles: Titles;
  readonly pages: ReadonlyMap<string, Page>;
  /** `checks.finding`, settings and endpoints, as inline code names them → where they are described. */
  readonly checks: readonly CheckEntry[];
};

/** `files`: the pages' text by file name. */
export function createHandbook(
  files: ReadonlyMap<string, Uint8Array>,
  checks: readonly CheckEntry[],
  openApi: OpenApi,
): Handbook {
  const linkOfCode = createCodeLinks(checks, openApi);
  const slugs = pageGroups.flatMap(({ pages }) => pages);
  const pages = new Map(
    slugs.map((slug) => {
      const bytes = files.get(`${slug}.md`);
      if (bytes === undefined) throw new Error(`The handbook has no page ${slug}.md.`);
      return [slug, renderMarkdown(slug, Buffer.from(bytes).toString("utf8"), linkOfCode)];
    }),
  );
  const titles = new Map([...pages].map(([slug, { title }]) => [slug, title]));
  return { titles, pages, checks };
}

function createCodeLinks(checks: readonly CheckEntry[], openApi: OpenApi): (code: string) => string | null {
  const anchors = checks.flatMap(({ id, findings }) => [id, ...findings.map((finding) => finding.id)]);
  const links = new Map([
    ...Object.values(settings).map(({ name }) => [name, toPagePath("settings", name)] as const),
    ...anchors.map((id) => [id, `${readChecksPage.path}#${id}`] as const),
    ...operationsOf(openApi).map(
      ({ method, path, operation }) => [`${method} ${path}`, toOperationPath(operation)] as const,
    ),
    ...[readChecksPage.path, `${readHandbook.path}/api`].map((path) => [path, path] as const),
  ]);
  return (code) => {
    const [withoutQuery = ""] = code.split("?");
    return links.get(code) ?? links.get(withoutQuery.replaceAll(/:(\w+)/g, "{$1}")) ?? null;
  };
}

/** Null if there is no such page. */
export function renderHandbookPage({ pages, checks }: Handbook, slug: string): DocsPage | null {
  const page = pages.get(slug);
  if (page === undefined) return null;
  const group = pageGroups.find((one) => one.pages.includes(slug));
  const findings = renderFindings(slug, checks);
  const contents = page.headings.filter(({ depth }) => depth === 2).map(({ anchor, text }) => ({ anchor, text }));
  return {
    title: page.title,
    description: page.description,
    path: toPagePath(slug),
    contents: findings === "" ? contents : [...contents, { anchor: "findings", text: "Findings on this page" }],
    main: `<div class="prose"><p class="note">${escapeMarkup(group?.title ?? "")}</p>
<h1>${escapeMarkup(page.title)}</h1>
${page.html}${findings}${renderTurn(pages, slug)}</div>`,
  };
}

/** Every finding that leads to the page, from the list of checks, so that none is forgotten. */
function renderFindings(slug: string, checks: readonly CheckEntry[]): string {
  const rows = checks
    .flatMap(({ findings }) => findings)
    .filter(({ help, severity }) => help === toPagePath(slug) && severity !== "good")
    .map(({ id, title, severity, cost }) => [
      escapeMarkup(title),
      `${severity}${cost === 0 ? "" : `, ${cost} points`}`,
      `<a href="${readChecksPage.path}#${escapeMarkup(id)}"><code>${escapeMarkup(id)}</code></a>`,
    ]);
  if (rows.length === 0) return "";
  return `<h2 id="findings"><a href="#findings">Findings on this page</a></h2>
<p>These findings link to this page. Points are out of 100 for the finding's area.</p>
${renderTable(["Finding", "Severity", "ID"], rows)}`;
}

function renderTurn(pages: ReadonlyMap<string, Page>, slug: string): string {
  const slugs = [...pages.keys()];
  const at = slugs.indexOf(slug);
  const link = (other: string | undefined, before: string, after: string) =>
    other === undefined
      ? "<span></span>"
      : `<a href="${toPagePath(other)}">${before}${escapeMarkup(pages.get(other)?.title ?? "")}${after}</a>`;
  return `<nav class="turn" aria-label="Next and previous page">${link(slugs[at - 1], "← ", "")}${link(slugs[at + 1], "", " →")}</nav>`;
}

export function renderHome({ pages }: Handbook): DocsPage {
  const groups = pageGroups.map(({ title, pages: slugs }) => {
    const cards = slugs.map((slug) => {
      const page = pages.get(slug);
      return `<li><a href="${toPagePath(slug)}">${escapeMarkup(page?.title ?? slug)}</a><p>${escapeMarkup(page?.description ?? "")}</p></li>`;
    });
    return `<section><h2 id="${toGroupAnchor(title)}">${escapeMarkup(title)}</h2><ul class="cards">${cards.join("\n")}</ul></section>`;
  });
  return {
    title: "Handbook",
    description: "How to test email deliverability with Assay, read reports, fix issues, and run the server.",
    path: readHandbook.path,
    contents: pageGroups.map(({ title }) => ({ anchor: toGroupAnchor(title), text: title })),
    main: `<h1>Handbook</h1>
<p class="lead">Test email, read reports, fix issues, and run the server.</p>
<div class="big">${renderSearchForm("")}</div>
<p>See also <a href="${readChecksPage.path}">all checks</a> and the <a href="${readHandbook.path}/api">API reference</a>.
As JSON: <a href="${listChecks.path}"><code>${listChecks.path}</code></a> and <a href="/api/openapi.json"><code>/api/openapi.json</code></a>.</p>
${groups.join("\n")}`,
  };
}

function toGroupAnchor(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
}

export function toSearchEntries({ pages, checks }: Handbook, openApi: OpenApi): SearchEntry[] {
  return [
    ...[...pages.values()].flatMap(({ slug, title, asks, sections }) =>
      sections.map(({ heading, anchor, text }) => ({
        path: toPagePath(slug, anchor),
        title,
        heading,
        // They are about the page as a whole.
        asks: anchor === "" ? [title, ...asks] : [],
        text,
        // It names everything, and answers nothing.
        weight: slug === "changelog" ? 0.3 : 1,
      })),
    ),
    ...checks.map(({ id, label, why, findings }) => ({
      path: `${readChecksPage.path}#${id}`,
      title: `Check: ${label}`,
      heading: id,
      asks: [],
      text: [why, ...findings.map((finding) => finding.title)].join(" · "),
      weight: 0.5,
    })),
    ...operationsOf(openApi).map(({ method, path, operation }) => ({
      path: toOperationPath(operation),
      title: `API: ${method} ${path}`,
      heading: "",
      asks: [],
      text: operation.summary,
      weight: 0.4,
    })),
  ];
}
