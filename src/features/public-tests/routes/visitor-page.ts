// The page that gives an address and waits for the message. It works without its script, sets no cookie, and asks no other
// host. The report that follows is rendered like a shared one (tests/routes/report-page.ts).

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { logoMark, styleSource } from "../../../platform/http/plain-page.ts";
import { readPublicStart } from "../contract/visitor.ts";
import { inkOn, type PublicPage, toContactLink } from "../rules/page.ts";
import { headline, lead, toStoredWords } from "../words.ts";

/** A visitor's pages are in no search engine, and links on them don't reveal the secret. */
const visitorHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  // With "no-referrer", browsers send a form without its origin.
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex, nofollow, noarchive",
} as const;

export type VisitorView = {
  readonly page: PublicPage;
  /** Who may put the page into a frame: no one, any site (the widget), or the app's settings. */
  readonly frame: "none" | "any" | "own";
  readonly shows:
    | { readonly kind: "start"; readonly trouble?: string | undefined; readonly isDeleted?: boolean }
    | { readonly kind: "waiting"; readonly secret: string; readonly address: string; readonly until: string }
    | { readonly kind: "analyzing"; readonly secret: string }
    | { readonly kind: "notice"; readonly title: string; readonly says: string };
};

const ownScript = "script-src 'self'; connect-src 'self'; form-action 'self'";

export function answerVisitor(view: VisitorView, given: ResponseInit = {}): Response {
  const style = toStyle(view.page);
  const sources = `default-src 'none'; style-src ${styleSource(style)}; img-src data:; base-uri 'none'`;
  const policies = {
    none: `${sources}; ${ownScript}; frame-ancestors 'none'`,
    // Nothing on the page needs a login, so no click there can be abused.
    any: `${sources}; ${ownScript}; frame-ancestors *`,
    own: `sandbox; ${sources}; form-action 'none'; frame-ancestors 'self'`,
  };
  const headers = { ...visitorHeaders, "content-security-policy": policies[view.frame], ...given.headers };
  return new Response(toDocument(view, style), { ...given, headers });
}

function toDocument({ page, frame, shows }: VisitorView, style: string): string {
  const query = frame === "any" ? "?embed=1" : "";
  const isLive = shows.kind === "waiting" || shows.kind === "analyzing";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${isLive ? '<noscript><meta http-equiv="refresh" content="5"></noscript>\n' : ""}<title>${toTitle(shows)} · ${escapeMarkup(page.name ?? "Assay")}</title>
<style>${style}</style>
${frame === "own" ? "" : '<script src="/test/files/page.js" defer></script>\n'}</head>
<body>
${frame === "any" ? "" : `<header>${toBrand(page)}</header>\n`}<main>
${toMain(shows, page, query)}
</main>
<footer>
<p>${escapeMarkup(toStoredWords(page))}</p>
${toLinks(page)}
</footer>
</body>
</html>
`;
}

function toTitle(shows: VisitorView["shows"]): string {
  if (shows.kind === "waiting") return "Waiting for your message";
  if (shows.kind === "analyzing") return "Analyzing your message";
  return shows.kind === "notice" ? escapeMarkup(shows.title) : headline;
}

function toBrand({ name, logo }: Pick<PublicPage, "name" | "logo">): string {
  const picture = logo === null ? (name === null ? logoMark : "") : `<img src="${escapeMarkup(logo)}" alt="">`;
  return `<a href="/test">${picture}${escapeMarkup(name ?? "Assay")}</a>`;
}

function toLinks({ contact, runYourOwn }: PublicPage): string {
  const href = contact === null ? null : toContactLink(contact);
  const links = [
    ...(href === null ? [] : [`<a href="${escapeMarkup(href)}">Contact</a>`]),
    `<a href="/docs/read-a-report">How to read a report</a>`,
    ...(runYourOwn ? [`<a href="/docs">Run your own Assay</a>`] : []),
  ];
  return `<p>${links.join(" · ")}</p>`;
}

/** The start. The frame of another site stays one. */
export function toHome(query: string): string {
  return `${readPublicStart.path}${query}`;
}

function toMain(shows: VisitorView["shows"], page: PublicPage, query: string): string {
  if (shows.kind === "start") return toStart(shows, page, query);
  if (shows.kind === "notice")
    return `<h1>${escapeMarkup(shows.title)}</h1>
<p>${escapeMarkup(shows.says)}</p>
<p><a class="button" href="${toHome(query)}">Test a message</a></p>`;
  const state = `/test/${shows.secret}/state`;
  if (shows.kind === "analyzing")
    return `<h1>Your message arrived</h1>
<p role="status" data-state="${state}" data-now="analyzing">Assay is analyzing it. The report appears here in a few seconds.</p>
<p class="wait" aria-hidden="true"></p>`;
  const address = escapeMarkup(shows.address);
  return `<h1>Send your message to this address</h1>
<p class="address"><code id="address">${address}</code></p>
<p class="acts"><button type="button" id="copy" hidden>Copy</button>
<a class="button" href="mailto:${address}?subject=Test">Open your email client</a></p>
<p role="status" data-state="${state}" data-now="waiting">Waiting for your message. The report appears here as soon as it arrives.</p>
<p class="wait" aria-hidden="true"></p>
<p class="quiet">Send it the way you normally do: from your newsletter tool, your shop, or your email client. The address takes one message, until <time datetime="${shows.until}">${toUtc(shows.until)}</time>.</p>`;
}

/** The script shows the visitor's own time. */
function toUtc(time: string): string {
  return `${time.slice(11, 16)} UTC`;
}

function toStart(
  { trouble, isDeleted }: VisitorView["shows"] & { kind: "start" },
  page: PublicPage,
  query: string,
): string {
  return `<h1>${headline}</h1>
<p class="lead">${escapeMarkup(page.sentence ?? lead)}</p>
${isDeleted ? '<p class="note" role="status">Your message and its report are deleted.</p>\n' : ""}${trouble === undefined ? "" : `<p class="note" role="alert">${escapeMarkup(trouble)}</p>\n`}<form method="post" action="${toHome(query)}" data-proof>
<input type="hidden" name="proof">
<button>Get a test address</button>
<p class="quiet" role="status"></p>
</form>
<details>
<summary>Paste a message or choose a file instead</summary>
<p class="quiet">Its source, with all headers: “Show original” in Gmail, “View source” elsewhere. Such a message didn’t come from your mail server, so less can be checked.</p>
<form method="post" action="/test/message${query}" enctype="multipart/form-data" data-proof="query">
<label>Message source <textarea name="message" rows="6" required spellcheck="false"></textarea></label>
<button class="plain">Test this text</button>
</form>
<form method="post" action="/test/message${query}" enctype="multipart/form-data" data-proof="query">
<label>Message file (.eml) <input type="file" name="message" accept=".eml,message/rfc822" required></label>
<button class="plain">Test this file</button>
</form>
</details>`;
}

function toStyle({ color }: PublicPage): string {
  const own = color === null ? "" : `\n:root { --main: ${color}; --on-main: ${inkOn(color)}; }`;
  return `
:root { color-scheme: light dark; --paper: light-dark(#f5f4f0, #111317); --surface: light-dark(#fff, #191c21);
  --line: light-dark(#86816f, #737a87); --ink: light-dark(#17191e, #eceef1); --quiet: light-dark(#5c5f68, #9da3af);
  --link: light-dark(#174a94, #8dbaf7); --main: light-dark(#1b4b8f, #8dbaf7); --on-main: light-dark(#fff, #0d1a2b);
  --note: light-dark(#f8f2d6, #2b260f); }${own}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 40rem; padding: 1rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
header a { display: inline-flex; gap: 0.6rem; align-items: center; color: inherit; font-weight: 600; text-decoration: none; }
header svg { color: var(--link); }
header img { max-height: 2.5rem; max-width: 10rem; }
main { margin: 8vh 0 3rem; }
h1 { margin: 0 0 0.75rem; font-size: clamp(1.6rem, 6vw, 2.4rem); line-height: 1.15; text-wrap: balance; }
.lead { font-size: 1.1875rem; margin: 0 0 2rem; }
a { color: var(--link); }
button, .button { display: inline-block; padding: 0.7rem 1.3rem; border: 1px solid var(--main); border-radius: 8px;
  background: var(--main); color: var(--on-main); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button.plain, .acts .button { border-color: var(--line); background: var(--surface); color: var(--ink); }
button:disabled { opacity: 0.6; cursor: progress; }
:focus-visible { outline: 3px solid light-dark(#0b57d0, #ffd166); outline-offset: 2px; }
.address code { display: block; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface);
  font: 600 clamp(0.95rem, 4vw, 1.25rem)/1.4 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; user-select: all; }
.acts { display: flex; flex-wrap: wrap; gap: 0.6rem; }
.note { padding: 0.75rem 1rem; border-radius: 8px; background: var(--note); }
.quiet, footer { color: var(--quiet); font-size: 0.9375rem; }
details { margin-top: 2.5rem; }
summary { cursor: pointer; }
details form { margin: 1rem 0; }
label { display: block; margin-bottom: 0.6rem; }
textarea, input[type=file] { display: block; width: 100%; margin-top: 0.3rem; padding: 0.6rem; border: 1px solid var(--line);
  border-radius: 8px; background: var(--surface); color: inherit; font: 0.875rem/1.4 ui-monospace, Menlo, Consolas, monospace; }
.wait { position: relative; height: 4px; border-radius: 2px; background: light-dark(#dcd8cf, #2e333b); overflow: hidden; }
.wait::after { content: ""; position: absolute; inset: 0 70% 0 0; border-radius: 2px; background: var(--main); animation: wait 1.6s ease-in-out infinite alternate; }
@keyframes wait { to { transform: translateX(233%); } }
@media (prefers-reduced-motion: reduce) { .wait::after { animation: none; } }
footer { border-top: 1px solid light-dark(#dcd8cf, #2e333b); padding-top: 1rem; }
`;
}
