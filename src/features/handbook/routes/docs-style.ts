// The one style of the pages below /docs. On a narrow screen the list of pages is a menu that opens; on a wide one it is
// always shown, beside the text. A browser that can't show a closed <details> keeps the menu.

export const docsStyle = `
:root { color-scheme: light dark; --paper: light-dark(#f5f4f0, #111317); --surface: light-dark(#fff, #191c21);
  --sunken: light-dark(#eeece6, #0c0e11); --line: light-dark(#dcd8cf, #2e333b); --line-strong: light-dark(#86816f, #737a87);
  --ink: light-dark(#17191e, #eceef1); --ink-2: light-dark(#44474f, #bdc2cb); --ink-3: light-dark(#5c5f68, #9da3af);
  --link: light-dark(#174a94, #8dbaf7); --focus: light-dark(#0b57d0, #ffd166); --mark: light-dark(#fff1b8, #4a3f10);
  --info-tint: light-dark(#e8eff8, #15253a); --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.75rem; z-index: 3; padding: 0.25rem 0.75rem; background: var(--surface); }
.bar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem;
  padding: 0.6rem 1.25rem; background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; color: var(--ink); text-decoration: none; margin-right: auto; }
.brand span { font-weight: 400; color: var(--ink-3); }
.bar form { display: flex; gap: 0.4rem; }
input[type="search"] { width: 15rem; min-width: 0; padding: 0.35rem 0.7rem; font: inherit; font-size: 0.9375rem; color: var(--ink);
  background: var(--paper); border: 1px solid var(--line-strong); border-radius: 6px; }
button { padding: 0.35rem 0.8rem; font: inherit; font-size: 0.9375rem; color: var(--ink); background: var(--surface);
  border: 1px solid var(--line-strong); border-radius: 6px; cursor: pointer; }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 88rem; margin: 0 auto; padding: 0 1.25rem 4rem; }
.pages { margin: 1rem 0 0; font-size: 0.9375rem; }
.pages > summary { padding: 0.5rem 0.75rem; background: var(--surface); border: 1px solid var(--line); border-radius: 6px;
  cursor: pointer; font-weight: 600; }
.group { margin: 0.6rem 0 0; }
.group > summary { padding: 0.2rem 0; font-size: 0.8125rem; font-weight: 600; color: var(--ink-3); border: 0; background: none; }
.pages ul { margin: 0; padding: 0; list-style: none; }
.pages li a { display: block; padding: 0.2rem 0.6rem; color: var(--ink-2); text-decoration: none; border-radius: 5px; }
.pages li a:hover { color: var(--link); text-decoration: underline; }
.pages li a[aria-current] { color: var(--ink); font-weight: 600; background: var(--info-tint); }
main { min-width: 0; padding-top: 1.5rem; }
.prose > :not(.scroll) { max-width: 46rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.015em; text-wrap: balance; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.35rem; line-height: 1.3; }
h3 { margin: 1.75rem 0 0.5rem; font-size: 1.0625rem; line-height: 1.4; overflow-wrap: anywhere; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
.lead, .prose > h1 + p { margin-top: 0; font-size: 1.125rem; color: var(--ink-2); }
p, ul, ol { margin: 0.75rem 0; }
li { margin: 0.25rem 0; }
img { display: block; max-width: 100%; height: auto; margin: 1.25rem 0; border: 1px solid var(--line); border-radius: 8px; }
code { font: 0.875em/1.5 var(--mono); }
p code, li code, td code, h3 code { overflow-wrap: anywhere; }
.whole { white-space: nowrap; }
td:first-child code { white-space: nowrap; }
:not(pre) > code { padding: 0.1em 0.3em; background: var(--sunken); border-radius: 4px; }
a:has(> code) { text-decoration: none; }
a > code { border-bottom: 1px solid currentcolor; border-radius: 4px 4px 0 0; }
pre { margin: 1rem 0; padding: 0.9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--sunken); border: 1px solid var(--line);
  border-radius: 8px; line-height: 1.5; }
blockquote { margin: 1rem 0; padding: 0.1rem 1rem; background: var(--info-tint); border-left: 3px solid var(--link); border-radius: 0 6px 6px 0; }
.scroll { overflow-x: auto; }
table { width: 100%; margin: 1rem 0; border-collapse: collapse; text-align: left; font-size: 0.9375rem; }
th { font-weight: 600; font-size: 0.8125rem; color: var(--ink-3); }
th, td { padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { min-width: 6rem; }
article { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--surface); border: 1px solid var(--line);
  border-radius: 8px; }
article h2, article h3 { margin: 0; font-size: 1.0625rem; overflow-wrap: anywhere; }
article p { margin: 0.5rem 0; }
article td:last-child { width: 45%; color: var(--ink-2); font-size: 0.875rem; }
.method { display: inline-block; min-width: 3.75rem; color: var(--link); }
.note { color: var(--ink-3); font-size: 0.875rem; }
.finding { margin: 0.75rem 0 0; padding: 0.5rem 0 0; border-top: 1px solid var(--line); }
.finding p, .finding ul { margin: 0.25rem 0; }
:target { scroll-margin-top: 4.5rem; outline: 2px solid var(--link); outline-offset: 4px; border-radius: 2px; }
.optional { text-decoration: underline dotted var(--ink-3); }
summary { cursor: pointer; }
details.note summary { color: var(--ink-3); }
@media (max-width: 30rem) { td:first-child code { white-space: normal; } }
mark { padding: 0 0.1em; color: inherit; background: var(--mark); border-radius: 2px; }
.cards { display: grid; gap: 1rem 2rem; padding: 0; list-style: none; }
.cards li { margin: 0; }
.cards p, .results p { margin: 0.1rem 0 0; color: var(--ink-2); font-size: 0.9375rem; }
.results { padding: 0; list-style: none; }
.results li { margin: 0 0 1.25rem; }
.big form { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1.25rem 0; }
.big input { flex: 1 1 16rem; padding: 0.6rem 0.9rem; font-size: 1rem; }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem 2rem; margin: 3rem 0 0; padding: 1rem 0 0;
  border-top: 1px solid var(--line); }
.contents { display: none; }
@media (max-width: 30rem) { .bar > div { order: 3; flex: 1 1 100%; } .bar input { flex: 1; width: auto; } }
@media (min-width: 40rem) { .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (min-width: 60rem) {
  .frame { grid-template-columns: 15rem minmax(0, 1fr); gap: 0 3rem; }
  .pages { margin: 0.75rem 0 0; }
  @supports selector(::details-content) {
    .side { position: sticky; top: 3.5rem; align-self: start; max-height: calc(100vh - 3.5rem); overflow-y: auto; padding: 0.25rem 0 2rem; }
    .pages > summary { display: none; }
    .pages::details-content { content-visibility: visible; display: block; }
  }
  main { padding-top: 2rem; }
}
@media (min-width: 80rem) {
  .frame:has(.contents) { grid-template-columns: 15rem minmax(0, 1fr) 13rem; }
  .contents { display: block; position: sticky; top: 3.5rem; align-self: start; max-height: calc(100vh - 3.5rem);
    overflow-y: auto; padding: 2rem 0; font-size: 0.875rem; }
  .contents h2 { margin: 0 0 0.5rem; font-size: 0.75rem; letter-spacing: 0.04em; text-transform: uppercase; color: var(--ink-3); }
  .contents ul { margin: 0; padding: 0; list-style: none; }
  .contents a { color: var(--ink-2); text-decoration: none; }
  .contents a:hover { color: var(--link); text-decoration: underline; }
  .contents li { margin: 0.35rem 0; }
}
@media print { .bar, .pages, .contents, .turn { display: none; } .frame { display: block; } }
`;
