// What the pages below /docs have in common: static, without a script or a remote host. Their one style is allowed by
// hash, so that their policy allows nothing else.

import { createHash } from "node:crypto";

const docsStyle = `
:root { color-scheme: light dark; --paper: light-dark(#f5f4f0, #111317); --surface: light-dark(#fff, #191c21);
  --line: light-dark(#dcd8cf, #2e333b); --ink: light-dark(#17191e, #eceef1); --ink-3: light-dark(#5c5f68, #9da3af);
  --link: light-dark(#174a94, #8dbaf7); }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 small { font-size: 1rem; font-weight: 400; color: var(--ink-3); }
h2 { margin: 2.5rem 0 1rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
a { color: var(--link); }
code { font: 0.8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
article { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--surface); border: 1px solid var(--line);
  border-radius: 8px; overflow-x: auto; }
article p { margin: 0.5rem 0; }
.method { display: inline-block; min-width: 3.75rem; color: var(--link); }
table { width: 100%; margin: 0.75rem 0; border-collapse: collapse; text-align: left; }
th { font-weight: 400; font-size: 0.8125rem; color: var(--ink-3); }
th, td { padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:last-child { width: 45%; color: var(--ink-3); font-size: 0.8125rem; }
.note { color: var(--ink-3); font-size: 0.8125rem; }
.finding { margin: 0.75rem 0 0; padding: 0.5rem 0 0; border-top: 1px solid var(--line); }
.finding p, .finding ul { margin: 0.25rem 0; }
:target { scroll-margin-top: 1rem; outline: 2px solid var(--link); outline-offset: 4px; }
.optional { text-decoration: underline dotted var(--ink-3); }
summary { cursor: pointer; color: var(--ink-3); font-size: 0.8125rem; }
`;

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
type DocsPage = {
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
