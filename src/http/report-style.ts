// The style of a report that stands alone: the app's tokens and parts, as far as such a page has them. It reads the same
// without the app, on paper, and from a disk.

const tokens = `:root { color-scheme: light dark; --paper: light-dark(#f5f4f0, #111317); --surface: light-dark(#fff, #191c21);
  --sunken: light-dark(#eeece6, #0c0e11); --line: light-dark(#dcd8cf, #2e333b); --ink: light-dark(#17191e, #eceef1);
  --ink-2: light-dark(#44474f, #bdc2cb); --ink-3: light-dark(#5c5f68, #9da3af); --link: light-dark(#174a94, #8dbaf7);
  --focus: light-dark(#0b57d0, #ffd166); --none: light-dark(#cfcbc1, #3a4049);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.critical { --c: light-dark(#a3150d, #ff9d90); --ct: light-dark(#fcebe8, #371a17); --ce: light-dark(#dd9b93, #74342c); }
.major { --c: light-dark(#8a4000, #ffb26b); --ct: light-dark(#fdefdf, #33220f); --ce: light-dark(#dcaf80, #6f4a1f); }
.minor { --c: light-dark(#665200, #e3cd6c); --ct: light-dark(#f8f2d6, #2b260f); --ce: light-dark(#cdbd76, #5d531f); }
.info { --c: light-dark(#2a5286, #9fc5f6); --ct: light-dark(#e8eff8, #15253a); --ce: light-dark(#a3bcdb, #2f4e77); }
.good { --c: light-dark(#0a5f56, #72d5c6); --ct: light-dark(#e0f1ee, #0f2d2a); --ce: light-dark(#8fc4bc, #24584f); }
.unknown { --c: light-dark(#53565f, #b1b6c0); --ct: light-dark(#eeedeb, #23272d); --ce: light-dark(#a09d94, #5a606b); }
`;

const ground = `*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 54rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.55 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1, h2, h3, h4, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
h1, h2, h3, h4 { font-weight: 600; line-height: 1.25; text-wrap: balance; }
h2 { margin: 4rem 0 1rem; font-size: 1.3125rem; letter-spacing: -0.01em; }
h3 { font-size: 1.0625rem; }
h4 { font-size: 0.8125rem; color: var(--ink-3); }
ul, ol { list-style: none; }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; }
pre { white-space: pre-wrap; }
.i { width: 1em; height: 1em; flex: none; vertical-align: -0.12em; }
.note { color: var(--ink-3); font-size: 0.8125rem; }
.muted { color: var(--ink-2); }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.nowrap { white-space: nowrap; }
.lead { margin: -0.75rem 0 1rem; color: var(--ink-2); max-width: 68ch; }
`;

const head = `.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.5rem 1.5rem; }
.brand { display: inline-flex; gap: 0.5rem; align-items: center; font-weight: 650; font-size: 1.0625rem; }
.brand .i { width: 1.5rem; height: 1.5rem; color: light-dark(#1b4b8f, #8dbaf7); }
.who { margin-top: 2rem; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; color: var(--ink-2); font-size: 0.8125rem; }
.who strong { flex-basis: 100%; font-size: 1.0625rem; color: var(--ink); }
.verdict { margin: 1rem 0 1.5rem; font-size: clamp(1.375rem, 1.1rem + 1.1vw, 2rem); line-height: 1.36; letter-spacing: -0.018em;
  text-wrap: pretty; overflow-wrap: break-word; }
.verdict a { color: inherit; text-decoration: underline; text-decoration-color: var(--c); text-decoration-thickness: 3px;
  text-underline-offset: 0.2em; }
.verdict .i { color: var(--c); width: 0.82em; height: 0.82em; vertical-align: -0.06em; margin-right: 0.22em; }
.scorebox { display: flex; gap: 1.5rem; align-items: center; margin-bottom: 1.5rem; }
.dial { width: 8.75rem; height: 8.9rem; flex: none; }
.dial .track { stroke: var(--none); } .dial .arc { stroke: var(--c); } .dial .tick { stroke: var(--paper); }
.dial text { fill: var(--ink); font-family: var(--sans); text-anchor: middle; } .dial .of { fill: var(--ink-3); }
.dial .oct { fill: var(--c); } .dial .gr { fill: var(--paper); }
.scorebox dl { display: grid; gap: 0.5rem; font-size: 0.8125rem; } .scorebox dt { color: var(--ink-3); }
.scorebox dd { font-weight: 500; }
.toc { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 1.5rem; font-size: 0.8125rem; }
`;

const cards = `.card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.card + .card { margin-top: 1rem; }
.cats { display: grid; gap: 0.25rem 2rem; padding: 1.25rem 1.5rem; }
.cat { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr) 3.2rem; gap: 0.75rem; align-items: center; min-height: 2rem; }
.cat svg { display: block; width: 100%; height: 12px; } .cat .track { fill: var(--none); } .cat .fill { fill: var(--c); }
.cat .w { color: var(--ink-3); font-size: 0.75rem; } .cat .n { text-align: right; font-weight: 600; }
@media (min-width: 48rem) { .cats { grid-template-columns: 1fr 1fr; } .cat { grid-template-columns: 11rem minmax(0, 1fr) 2.6rem; } }
.sev { display: inline-flex; align-items: center; gap: 0.35em; color: var(--c); font-size: 0.8125rem; font-weight: 600;
  white-space: nowrap; }
.chips { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.chip { display: inline-flex; align-items: center; gap: 0.35em; padding: 0.1rem 0.6rem 0.1rem 0.4rem; border-radius: 999px;
  border: 1px solid var(--ce); background: var(--ct); color: var(--c); font-size: 0.8125rem; font-weight: 600; }
.chip b { font-weight: 400; color: var(--ink-2); } .chip.unknown { border-style: dashed; }
.finding + .finding { margin-top: 0.5rem; }
.finding { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; }
.finding > summary { display: grid; grid-template-columns: 6rem minmax(0, 1fr) auto 0.75rem; gap: 0.25rem 1rem; align-items: center;
  padding: 0.75rem 1rem; cursor: pointer; list-style: none; border-radius: 12px; }
.finding > summary::-webkit-details-marker { display: none; }
.finding > summary::after { content: ""; width: 0.45rem; height: 0.45rem; border: solid var(--ink-3); border-width: 0 2px 2px 0;
  transform: rotate(-45deg); } .finding[open] > summary::after { transform: rotate(45deg); }
.finding > summary:hover { background: var(--sunken); }
.finding[open] { border-color: var(--ce); } .finding[open] > summary { border-bottom: 1px solid var(--line); border-radius: 12px 12px 0 0; }
.finding h3 { font-size: 0.9375rem; text-wrap: pretty; } .finding .says { display: block; }
.gain { font-weight: 650; font-size: 1.0625rem; color: light-dark(#0a5f56, #72d5c6); text-align: right; white-space: nowrap; }
.body { display: grid; gap: 1rem; padding: 1rem 1.25rem 1.25rem 1rem; }
.part { display: grid; gap: 0.25rem; } .part li + li { margin-top: 0.25rem; }
.fix { white-space: pre-line; } .quote { background: var(--sunken); border-radius: 8px; padding: 0.75rem; }
.unsure { margin-top: 0.5rem; padding: 0.75rem 1rem; border-radius: 8px; border: 1px dashed light-dark(#a09d94, #5a606b);
  background: light-dark(#eeedeb, #23272d); }
@media (min-width: 48rem) { .part { grid-template-columns: 6rem minmax(0, 1fr); gap: 1rem; } .part > h4 { padding-top: 0.12em; } }
@media (max-width: 47.99rem) { .finding > summary { grid-template-columns: minmax(0, 1fr) auto 0.75rem; }
  .finding > summary > :nth-child(2) { grid-column: 1 / -1; grid-row: 2; }
  .cat { grid-template-columns: minmax(0, 1fr) 3.2rem; row-gap: 0; } .cat svg { grid-column: 1 / -1; grid-row: 2; height: 10px; }
  .scorebox { gap: 1rem; } h2 { margin-top: 3rem; } }
`;

const tables = `table { width: 100%; border-collapse: collapse; text-align: left; }
th, td { padding: 0.6rem 1rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 500; } thead th { font-size: 0.8125rem; color: var(--ink-3); }
tbody tr:last-child > * { border-bottom: 0; }
.rec th, .rec td { padding: 0.15rem 1rem 0.15rem 0; border: 0; font-size: 0.8125rem; } .rec th { width: 9rem; color: var(--ink-3); }
.rec td { font-family: var(--mono); white-space: pre-wrap; }
.lines th, .lines td { padding: 0.3rem 1rem; font-size: 0.8125rem; } .lines td { font-family: var(--mono); white-space: pre-wrap; }
.lines { table-layout: fixed; } .lines th { width: 13rem; color: var(--ink-2); }
@media (max-width: 47.99rem) { .lines th, .lines td { display: block; width: auto; border: 0; padding: 0.2rem 1rem; }
  .lines tr { display: block; padding: 0.3rem 0; border-bottom: 1px solid var(--line); } .fold thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .fold, .fold tbody, .fold tr, .fold th, .fold td { display: block; width: auto; }
  .fold tr { padding: 0.75rem 1rem; border-bottom: 1px solid var(--line); } .fold th, .fold td { border: 0; padding: 0.1rem 0; }
  .fold td[data-l] { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0.5rem; }
  .fold td[data-l]::before { content: attr(data-l); color: var(--ink-3); font-size: 0.8125rem; font-family: var(--sans); } }
.more { margin-top: 1rem; } .more > summary, .card > summary { cursor: pointer; color: var(--ink-2); padding: 0.25rem 0; }
.card > summary { padding: 0.75rem 1rem; color: var(--ink); font-weight: 600; } .card[open] > summary { border-bottom: 1px solid var(--line); }
.passes { columns: 2; column-gap: 2rem; font-size: 0.8125rem; margin-top: 0.5rem; } .passes li { break-inside: avoid; padding: 0.15rem 0; }
@media (max-width: 47.99rem) { .passes { columns: 1; } }
.talk { display: grid; gap: 0.75rem; } .talk > li { margin: 0; padding: 1rem 1.25rem; } .ask { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem;
  justify-content: space-between; align-items: baseline; margin-bottom: 0.5rem; }
.say { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.15rem 1rem; font-size: 0.8125rem; }
.say dt { color: var(--ink-3); } .say .concl { font-size: 0.9375rem; }
@media (max-width: 47.99rem) { .say { grid-template-columns: minmax(0, 1fr); } .say dd { margin-bottom: 0.35rem; } }
.foot { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; }
`;

const paper = `@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 10pt; }
  .card, .finding, .talk > li { break-inside: avoid; } .card:has(table) { break-inside: auto; } h2, summary { break-after: avoid; }
  h2 { margin-top: 2rem; } .toc, .noprint { display: none; } a { color: inherit; } tr { break-inside: avoid; }
  details::details-content { content-visibility: visible; display: block; height: auto; } @page { margin: 16mm; } }
`;

export const reportStyle = tokens + ground + head + cards + tables + paper;
