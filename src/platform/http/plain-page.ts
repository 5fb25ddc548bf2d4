// A page of a few sentences for a browser without a login, without scripts.

import { escapeMarkup } from "../../analyzer/visible-text.ts";
import { styleSource } from "../../features/handbook/routes/docs-page.ts";
import { accountPageStyle } from "../../features/people/routes/account-pages.ts";

export type PlainPage = {
  readonly title: string;
  readonly says: readonly string[];
  /** A button that posts. */
  readonly action?: string;
  /** Where the button posts to. Default: the same address. */
  readonly postTo?: string;
  readonly link?: { readonly href: string; readonly text: string };
};

const policy = `default-src 'none'; style-src ${styleSource(accountPageStyle)}; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;

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
<style>${accountPageStyle}</style>
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
