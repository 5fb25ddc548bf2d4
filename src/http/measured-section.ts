// How well the prediction does on public mail, for the docs: figures, and the odds against what was true as a plot.

import { toPercent } from "../api/plain-words.ts";
import { measured } from "../placement/measured-table.ts";
import { renderTable } from "./docs-page.ts";

type Figures = (typeof measured)["folds"] | (typeof measured)["halves"];

export function renderMeasured(): string {
  const { ham, hamRejected, senders, folds, halves } = measured;
  const toRow = (name: string, { messages, auc, hardAuc, recall }: Figures) => [
    name,
    messages.toLocaleString("en"),
    String(auc),
    String(hardAuc),
    toPercent(recall),
  ];
  return `<article><h3 id="measured">Measured on public mail</h3>
<p>The public corpus of SpamAssassin, ${senders.toLocaleString("en")} senders and campaigns of 2002 to 2005, judged as files with no DNS
answer at all, by Gmail's profile. Old mail is not today's: read the figures as a check that the weights rank mail
sensibly, not as what Gmail does.</p>
${renderTable(
  ["Judged by weights that", "Messages", "AUC", "AUC, hard ham", "Spam found at 1% false alarms"],
  [toRow("never saw the sender (five folds)", folds), toRow("saw only older mail, and no hard ham", halves)],
)}
<p>AUC is how often a spam message gets higher odds than an honest one; 0.5 is a coin. Hard ham is honest mail that looks
like spam. Of ${ham.toLocaleString("en")} honest messages ${hamRejected} would be called rejected.</p>
${renderPlot(folds.bins)}
<p>Each dot is a tenth of the scale: across, the odds of spam that the five folds said; up, the share that was spam. On
the line, odds can be taken at their word. The program's own odds are held back further, because its providers see other mail.</p></article>`;
}

const size = 240;
const edge = 28;

function renderPlot(bins: Figures["bins"]): string {
  const at = (share: number) => edge + share * (size - edge - 8);
  const dots = bins.map(({ said, seen, count }) => {
    const radius = Math.min(9, 3 + Math.log10(count)).toFixed(1);
    return `<circle cx="${at(said).toFixed(1)}" cy="${(size - at(seen)).toFixed(1)}" r="${radius}" fill="currentColor"><title>said ${toPercent(said)}, true ${toPercent(seen)}, ${count} messages</title></circle>`;
  });
  const marks = [0, 0.5, 1].map(
    (share) =>
      `<text x="${at(share)}" y="${size - 8}" font-size="11" text-anchor="middle" fill="currentColor">${toPercent(share)}</text><text x="2" y="${size - at(share) + 4}" font-size="11" fill="currentColor">${toPercent(share)}</text>`,
  );
  return `<svg viewBox="-8 -8 ${size + 24} ${size + 16}" width="${size + 24}" height="${size + 16}" role="img" aria-label="Odds of spam against what was spam: ${bins.map(({ said, seen }) => `${toPercent(said)} was ${toPercent(seen)}`).join(", ")}"><path d="M${at(0)} ${size - at(0)}L${at(1)} ${size - at(1)}M${at(0)} ${size - at(1)}V${size - at(0)}H${at(1)}" fill="none" stroke="currentColor" stroke-opacity=".4"/>${marks.join("")}${dots.join("")}</svg>`;
}
