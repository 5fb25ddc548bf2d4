// Pieces of a report that stands alone, as HTML. Whatever comes from outside passes `html` on its way in.

import { toneOfScore } from "../api/grade-words.ts";
import { type Tone, toneWords } from "../api/plain-words.ts";
import { html } from "./docs-page.ts";

const symbols: Readonly<Record<Tone | "logo", string>> = {
  critical: `<path d="M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z" fill="currentColor"/><path d="M5.4 5.4l5.2 5.2m0-5.2l-5.2 5.2" stroke="var(--surface)" stroke-width="1.8"/>`,
  major: `<path d="M8 1.2L15.4 14.6H.6z" fill="currentColor"/><path d="M8 5.6v4.6m0 1.4v1.6" stroke="var(--surface)" stroke-width="1.7"/>`,
  minor: `<path d="M8 .8L15.2 8 8 15.2.8 8z" fill="none" stroke="currentColor" stroke-width="1.7"/><path d="M8 4.6v4m0 1.2v1.6" stroke="currentColor" stroke-width="1.6"/>`,
  info: `<rect x="1.2" y="1.2" width="13.6" height="13.6" rx="3" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M8 4v1.7M8 7v5" stroke="currentColor" stroke-width="1.7"/>`,
  good: `<circle cx="8" cy="8" r="7.2" fill="currentColor"/><path d="M4.6 8.3l2.4 2.4 4.4-5" fill="none" stroke="var(--surface)" stroke-width="1.8"/>`,
  unknown: `<circle cx="8" cy="8" r="6.8" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.6 2"/><path d="M6 6.4c0-2.6 4-2.6 4 0 0 1.5-2 1.5-2 3.1m0 1.1v1.4" fill="none" stroke="currentColor" stroke-width="1.5"/>`,
  logo: `<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/><path d="M4.6 11.6L8 4.2l3.4 7.4M5.9 9h4.2" fill="none" stroke="currentColor" stroke-width="1.6"/>`,
};

/** Drawn once a page, used by name. */
const sprite = `<svg width="0" height="0" aria-hidden="true" focusable="false" class="vh"><defs>${Object.entries(
  symbols,
)
  .map(([name, drawn]) => `<symbol id="i-${name}" viewBox="0 0 16 16">${drawn}</symbol>`)
  .join("")}</defs></svg>`;

export function renderIcon(name: Tone | "logo"): string {
  return `<svg class="i" aria-hidden="true" focusable="false"><use href="#i-${name}"/></svg>`;
}

/** Shape, word, and a colour beside them. */
export function renderSeverity(tone: Tone, word: string = toneWords[tone]): string {
  return `<span class="sev ${tone}">${renderIcon(tone)} ${html(word)}</span>`;
}

/** `words` is HTML. */
export function renderChip(tone: Tone, words: string): string {
  return `<span class="chip ${tone}">${renderIcon(tone)}<span>${words}</span></span>`;
}

/** What is to be pasted stands between backticks. */
export function renderWords(words: string): string {
  return html(words).replace(/`([^`]*)`/g, "<code>$1</code>");
}

const dialArc = "M26.40 105.60 A56 56 0 1 1 105.60 105.60";
/** Where B, C, D and A begin on the arc. */
const dialTicks = [
  "M77.44 18.35 L80.71 4.74",
  "M105.64 37.20 L116.97 28.97",
  "M114.40 58.33 L128.22 56.14",
  "M112.60 81.14 L125.92 85.47",
];

export function renderDial(score: number | null, grade: string | null): string {
  const said =
    score === null
      ? "No score"
      : `Composite score ${score} of 100, ${grade === null ? "no grade: too little was checked" : `grade ${grade}`}`;
  const arc =
    score === null || score === 0
      ? ""
      : `<path class="arc" d="${dialArc}" pathLength="100" stroke-dasharray="${score} 200" fill="none" stroke-width="11"/>`;
  const ticks = dialTicks.map((line) => `<path class="tick" d="${line}" stroke-width="2.5"/>`).join("");
  return `<svg class="dial ${toneOfScore(score)}" viewBox="0 0 132 134" role="img" aria-label="${said}"><path class="track" d="${dialArc}" fill="none" stroke-width="11"/>${arc}${ticks}<text x="66" y="71" font-size="35" font-weight="650" letter-spacing="-1.5">${score ?? "–"}</text><text class="of" x="66" y="89" font-size="12">of 100</text><path class="oct" d="M57 98h18l9 9v18l-9 9H57l-9-9v-18z"/><text class="gr" x="66" y="123.5" font-size="20" font-weight="700">${grade ?? "?"}</text></svg>`;
}

/** As `2026-11-21 07:12 UTC`: whoever reads it may be anywhere. */
export function toMinute(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

export function toDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

type Frame = {
  readonly title: string;
  /** Of a page that is opened from a disk, where no server tells the browser. */
  readonly policy?: string;
  readonly style: string;
  /** HTML. */
  readonly body: string;
};

export function renderFrame({ title, policy, style, body }: Frame): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy === undefined ? "" : `<meta http-equiv="content-security-policy" content="${policy}">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<title>${html(title)} · Assay</title>
<style>${style}</style>
</head>
<body>
${sprite}
${body}
</body>
</html>
`;
}
