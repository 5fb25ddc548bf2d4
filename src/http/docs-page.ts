// What the pages below /docs have in common: static, without a script or a remote host. Their one style is allowed by
// hash, so that their policy allows nothing else.

import { createHash } from "node:crypto";
import { docsStyle } from "./docs-style.ts";

/** Allows a style by its hash, and so that one alone. */
export function styleSource(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}

/** Of a page that has nothing but its text and its style. */
export function staticPagePolicy(style: string): string {
  return `default-src 'none'; style-src ${styleSource(style)}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
}

export const docsContentSecurityPolicy = staticPagePolicy(docsStyle);

/** All but `title` is HTML. */
export type DocsPage = {
  readonly title: string;
  readonly heading: string;
  readonly intro: string;
  readonly main: string;
};

export function renderPage({ title, heading, intro, main }: DocsPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<style>${docsStyle}</style>
</head>
<body>
<header><h1>Assay <small>${heading}</small></h1>
<p>${intro}</p></header>
<main>
${main}
</main>
</body>
</html>
`;
}

/** `cells` are HTML. */
export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th>${html(heading)}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

export function html(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
