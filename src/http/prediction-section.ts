// How sure a prediction of placement is, how that is found out, and what nobody finds out so. Its numbers are those of the
// code that predicts and compares.

import { readCalibration } from "../api/calibration.ts";
import { toPercent } from "../api/plain-words.ts";
import { needed, reliabilityBins } from "../placement/calibration.ts";
import { measured } from "../placement/measured-table.ts";
import { profiles } from "../placement/predict.ts";
import { maxShift } from "../placement/shifts.ts";
import { textBounds } from "../placement/text-model.ts";
import { base, certainty, weightsVersion } from "../placement/weights-table.ts";
import { mostObservations } from "../tasks/tests/calibration.ts";
import { html, renderTable } from "./docs-page.ts";

export function renderPredictions(): string {
  return `<section><h2 id="predictions">How sure is a prediction?</h2>
<p>Where a message would land is predicted from what providers publish and from the one message. No provider publishes
its weights. Ours are fitted to public mail and held to the providers' rules (version ${html(weightsVersion)}), and each
prediction says what they are.</p>
${list(predictionSteps())}
${renderTable(
  ["Provider", "Confidence at most", "What no message shows"],
  profiles.map(({ name, ceiling, hidden }) => [html(name), toPercent(ceiling), html(hidden)]),
)}
${renderMeasured()}
<article><h3 id="calibration">Held against what was seen</h3>
<p>Once seed mailboxes are connected, <a href="/docs/api/calibration#getCalibration"><code>${readCalibration.path}</code></a> shows for
each provider, over all and by month, how good the predictions were, as they were made that day:</p>
${list(figures)}
<p>No figure comes of fewer than ${needed} observations, a bin of the table no more than the rest. The newest
${mostObservations.toLocaleString("en")} of each provider count.</p></article>
<article><h3 id="shift">A shift of your own</h3>
${list(shiftSteps())}</article>
<article><h3 id="limits">What this cannot tell</h3>
${list(limits)}</article>
</section>`;
}

function predictionSteps(): string[] {
  const share = toPercent(1 / (1 + Math.exp(-base)));
  const { any, bulk, mailingList } = certainty;
  return [
    `A published rule that is broken decides by itself: a rule for all senders with ${toPercent(any)}, one for bulk senders
with ${toPercent(bulk)} where the message is bulk mail, and ${toPercent(mailingList)} where it came through a mailing list.`,
    `Without one the odds of spam begin at ${share}, and each fault and each virtue adds its log-odds.`,
    `The words of the subject and the text count too: at most ${textBounds.most} for spam and ${-textBounds.least} against
it. The model knows English only, and says nothing about other languages.`,
    `The confidence is the odds of the folder, less for each fact that is not known, and never above the ceiling of the
provider. It is no promise: what the provider knows of the sender's past decides as well.`,
  ];
}

const figures = [
  `counts of each predicted folder by where the message was seen;`,
  `the <b>hit rate</b>, between the ends of Wilson's interval for 95%: the true rate lies there in 19 of 20 such cases;`,
  `the <b>Brier score</b>, the mean square of how far the odds were off: 0 is perfect. Beside it stands the score of always
saying how often each folder was seen; odds that do not beat it are worth nothing;`,
  `the <b>reliability</b>: in ${reliabilityBins} bins of the predicted odds of spam, how many were seen in spam. Where 30% was
said, 30 in 100 should be.`,
];

function shiftSteps(): string[] {
  return [
    `One number is suggested for a provider: what, added to the log-odds of spam of every message, would have fitted best
what was seen (the least log loss, held back towards 0 as if we had believed beforehand that it is some 1 off either way, and
never beyond ±${maxShift}).`,
    `It takes ${needed} observations that were predicted with today's weights, some of them in spam and some not. A shift that
was in force is taken out of the odds first, and what would have been refused is left out of them: what is seen was not.`,
    `Its effect is told by messages that it was not drawn from: each is predicted with the shift that all others suggest (to
within one step of Newton's method). Where that is no better than what is in force, nothing is suggested.`,
    `Nothing is set by itself. An owner sets a shift and takes it back; it counts for predictions made from then on, which give
it as a reason and in the name of their weights (<code>${html(weightsVersion)} gmail+0.40</code>). Published rules are never
shifted, and neither is what the command line predicts.`,
  ];
}

const limits = [
  `A seed mailbox is no reader: it opens nothing, answers nothing and calls nothing spam. A provider that goes by such things
treats your readers' mailboxes otherwise.`,
  `Only what was seen counts: a message that was refused or lost was never seen. Where a refusal was predicted and the message
was seen all the same, it counts as a prediction of spam, and is a hit if it was found there.`,
  `Messages of one campaign share their fate, and two mailboxes that show one message count twice. Intervals are made as if all
were independent, and so are too narrow.`,
  `A shift moves all messages of a provider alike. It mends a provider that is stricter to you than we think, not a weight that
is wrong; where a published rule alone called a message spam, it cannot follow.`,
  `Filters change, and so does your reputation: look at the newest months first.`,
];

/** `entries` are HTML. */
function list(entries: readonly string[]): string {
  return `<ul>${entries.map((entry) => `<li>${entry}</li>`).join("\n")}</ul>`;
}

// How well the prediction does on public mail, for the docs: figures, and the odds against what was true as a plot.

type Figures = (typeof measured)["folds"] | (typeof measured)["halves"];

function renderMeasured(): string {
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
