// Pages that work without a login and without the web app. Each has its own style, and nothing comes from other hosts.

import { createHash } from "node:crypto";
import { HTTPResponse } from "h3";
import { escapeMarkup } from "../../analyzer/visible-text.ts";
import { readApiReference, readHandbook } from "../contract/docs-pages.ts";

/** Allows exactly one style, by its hash. */
export function styleSource(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}

/** The policy of a page that has only text and a style. */
export function staticPagePolicy(style: string): string {
  return `default-src 'none'; style-src ${styleSource(style)}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
}

export const plainPageStyle = `
:root { color-scheme: light dark; --paper: light-dark(#f5f4f0, #111317); --surface: light-dark(#fff, #191c21);
  --line: light-dark(#8b8778, #6a7280); --ink: light-dark(#17191e, #eceef1); --ink-2: light-dark(#5c5f68, #9da3af);
  --link: light-dark(#174a94, #8dbaf7); --bad: light-dark(#a3211b, #ff9d94); }
body { margin: 0 auto; max-width: 26rem; padding: 10vh 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.375rem; }
a { color: var(--link); }
label { display: block; margin: 1rem 0 0; }
small { display: block; color: var(--ink-2); }
input:not([type=checkbox]), button { box-sizing: border-box; width: 100%; margin: 0.25rem 0 0; padding: 0.6rem 0.75rem;
  border: 1px solid var(--line); border-radius: 6px; background: var(--surface); color: inherit; font: inherit; }
input[aria-invalid] { border-color: var(--bad); }
button { margin-top: 1.5rem; border-color: var(--link); background: var(--link); color: var(--paper); cursor: pointer; }
button:disabled { opacity: 0.6; cursor: default; }
#trouble { color: var(--bad); overflow-wrap: anywhere; }
header { margin: 0 0 2rem; }
header svg { color: var(--link); }
header a { display: inline-flex; gap: 0.5rem; align-items: center; color: inherit; font-weight: 600; text-decoration: none; }
li { margin: 0.35rem 0; }
[hidden] { display: none; }
`;

/** A page of a few sentences without scripts. */
export type PlainPage = {
  readonly title: string;
  readonly says: readonly string[];
  /** A button that posts. */
  readonly action?: string;
  /** Where the button posts to. Default: the same address. */
  readonly postTo?: string;
  readonly link?: { readonly href: string; readonly text: string };
};

const policy = staticPagePolicy(plainPageStyle).replace("form-action 'none'", "form-action 'self'");

export function answerPlainPage({ title, says, action, postTo, link }: PlainPage, status = 200): Response {
  const lines = [
    ...says.map((line) => `<p>${escapeMarkup(line)}</p>`),
    ...(action === undefined
      ? []
      : [
          `<form method="post"${postTo === undefined ? "" : ` action="${escapeMarkup(postTo)}"`}><button>${escapeMarkup(action)}</button></form>`,
        ]),
    ...(link === undefined ? [] : [`<p><a href="${escapeMarkup(link.href)}">${escapeMarkup(link.text)}</a></p>`]),
  ];
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${plainPageStyle}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
${lines.join("\n")}
</main>
</body>
</html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-store",
    // With "no-referrer", browsers send a form without its origin.
    "referrer-policy": action === undefined ? "no-referrer" : "same-origin",
    "x-robots-tag": "noindex, nofollow, noarchive",
  };
  return new Response(page, { status, headers });
}

/** The logo. */
export const logoMark =
  '<svg width="24" height="24" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5"><path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z"/><path d="M4.6 11.6L8 4.2l3.4 7.4M5.9 9h4.2"/></svg>';

/** `main` is HTML. */
export function renderPlainPage(title: string, main: string, script = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Assay</title>
<style>${plainPageStyle}</style>
${script}</head>
<body>
<header><a href="/">${logoMark}Assay</a></header>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
}

const notFoundMain = `<p>There is nothing at this address. Check its spelling, or start here:</p>
<ul>
<li><a href="/">Home</a></li>
<li><a href="/tests">Tests</a></li>
<li><a href="/start">New test</a></li>
<li><a href="${readHandbook.path}">Handbook</a></li>
<li><a href="${readApiReference.path}">API reference</a></li>
</ul>`;

/** For people. Never repeats the address, because a stranger may have made it up. */
export function answerNotFoundPage(): HTTPResponse {
  return new HTTPResponse(renderPlainPage("Page not found", notFoundMain), {
    status: 404,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": staticPagePolicy(plainPageStyle),
      "cache-control": "no-store",
    },
  });
}
