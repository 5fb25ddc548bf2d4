export const shareStyle = `
:root { color-scheme: light dark; --paper: light-dark(#f5f4f0, #111317); --surface: light-dark(#fff, #191c21);
  --line: light-dark(#dcd8cf, #2e333b); --ink: light-dark(#17191e, #eceef1); --ink-3: light-dark(#5c5f68, #9da3af);
  --link: light-dark(#174a94, #8dbaf7); --fill: light-dark(#27548f, #82aee8); --track: light-dark(#eeece6, #0c0e11);
  --critical: light-dark(#a3150d, #ff9d90); --major: light-dark(#8a4000, #ffb26b); --minor: light-dark(#665200, #e3cd6c);
  --info: light-dark(#2a5286, #9fc5f6); --good: light-dark(#0a5f56, #72d5c6); }
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 0.9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere; }
h1 { margin: 1.5rem 0 0.25rem; font-size: clamp(1.375rem, 1.1rem + 1.1vw, 2rem); line-height: 1.25; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.3125rem; }
h3 { margin: 0.25rem 0; font-size: 1rem; }
p { margin: 0.5rem 0; }
a { color: var(--link); }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem 1.5rem; }
.note { color: var(--ink-3); font-size: 0.8125rem; }
.score { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.5rem; margin: 1.5rem 0; }
.score strong { font-size: 2.75rem; line-height: 1.25; }
.card { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--surface); border: 1px solid var(--line);
  border-radius: 8px; }
.severity { font-size: 0.8125rem; font-weight: 600; }
.critical { color: var(--critical); } .major { color: var(--major); } .minor { color: var(--minor); }
.info { color: var(--info); } .good { color: var(--good); }
code { font: 0.8125rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
.fix { white-space: pre-line; }
table { width: 100%; border-collapse: collapse; text-align: left; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 400; } thead th { font-size: 0.8125rem; color: var(--ink-3); }
td.bar { width: 45%; } svg { display: block; width: 100%; height: 0.75rem; margin-top: 0.4rem; }
.track { fill: var(--track); } .fill { fill: var(--fill); }
ul { margin: 0.5rem 0; padding-left: 1.25rem; }
summary { cursor: pointer; color: var(--ink-3); }
@media print { :root { color-scheme: light; } .card { break-inside: avoid; } }
`;
