// How sure a prediction of placement is, how that is measured, and its limits. The numbers come from the code that
// predicts and compares.

import { readCalibration } from "../api/calibration.ts";
import { toPercent } from "../api/plain-words.ts";
import { needed, reliabilityBins } from "../placement/calibration.ts";
import { measured } from "../placement/measured-table.ts";
import { profiles } from "../placement/provider.ts";
import { maxShift } from "../placement/shifts.ts";
import { textBounds } from "../placement/text-model.ts";
import { base, certainty, weightsVersion } from "../placement/weights-table.ts";
import { mostObservations } from "../tasks/tests/calibration.ts";
import { escapeMarkup } from "../visible-text.ts";
import { renderTable } from "./docs-page.ts";

export function renderPredictions(): string {
  return `<section><h2 id="predictions">How sure is a prediction?</h2>
<p>Placement is predicted from the providers' published rules and from this one message. No provider publishes its
weights. Ours are fitted to public mail and bound by the providers' rules (version ${escapeMarkup(weightsVersion)}). Each
prediction names its weights.</p>
${list(predictionSteps())}
${renderTable(
  ["Provider", "Highest confidence", "What a message can't show"],
  profiles.map(({ name, ceiling, hidden }) => [escapeMarkup(name), toPercent(ceiling), escapeMarkup(hidden)]),
)}
${renderMeasured()}
<article><h3 id="calibration">Compared with observations</h3>
<p>With seed mailboxes connected, <a href="/docs/api/calibration#getCalibration"><code>${readCalibration.path}</code></a> shows for
each provider, overall and by month, how good the predictions were at the time they were made:</p>
${list(figures)}
<p>There is no figure for fewer than ${needed} observations; this applies to each bin too. The newest
${mostObservations.toLocaleString("en")} of each provider count.</p></article>
<article><h3 id="shift">Shift predictions yourself</h3>
${list(shiftSteps())}</article>
<article><h3 id="limits">What this cannot tell</h3>
${list(limits)}</article>
</section>`;
}

function predictionSteps(): string[] {
  const share = toPercent(1 / (1 + Math.exp(-base)));
  const { any, bulk, mailingList } = certainty;
  return [
    `A broken published rule decides alone: a rule for all senders with ${toPercent(any)}, a rule for bulk senders
with ${toPercent(bulk)} if the message is bulk mail, and with ${toPercent(mailingList)} if it came through a mailing list.`,
    `Otherwise the odds of spam start at ${share}. Each good and bad sign adds its log-odds.`,
    `The words of subject and text count too: at most ${textBounds.most} for spam and ${-textBounds.least} against
it. The model knows only English and ignores other languages.`,
    `The confidence is the odds of the folder, reduced for each unknown fact, and never above the provider's limit.
It is no promise: the provider also knows the sender's history.`,
  ];
}

const figures = [
  `how often each folder was predicted and observed;`,
  `the <b>hit rate</b> with its 95% Wilson interval: the true rate is inside in 19 of 20 cases;`,
  `the <b>Brier score</b>, the mean squared error of the odds: 0 is perfect. It is shown with the score of always
predicting the base rate; odds that don't beat it are worth nothing;`,
  `the <b>reliability</b>: in ${reliabilityBins} bins of the predicted odds of spam, how many landed in spam. Of those
predicted at 30%, 30 in 100 should.`,
];

function shiftSteps(): string[] {
  return [
    `For each provider, Assay suggests one adjustment: the number that, added to every message's log-odds of spam, would have
best fit the observations (lowest log loss, with a zero-centered prior of width 1, capped at ±${maxShift}).`,
    `It needs ${needed} observations that were predicted with today's weights, some in spam and some not. An active shift is
removed from the odds first. Predicted rejections are left out, because an observed message wasn't rejected.`,
    `Its effect is measured on messages that it wasn't fitted to: each is predicted with the shift that all others suggest
(to one step of Newton's method). If that is no better than the active shift, nothing is suggested.`,
    `Nothing is set automatically. An owner sets and removes a shift. It applies to later predictions, which name it as a
reason and in their weights (<code>${escapeMarkup(weightsVersion)} gmail+0.40</code>). Published rules are never shifted, and the
command line never uses a shift.`,
  ];
}

const limits = [
  `A seed mailbox isn't a subscriber: it opens nothing, answers nothing and reports nothing as spam. Providers that use
such signals treat your subscribers' mailboxes differently.`,
  `Only observed messages count: a rejected or lost message is never observed. If a rejection was predicted and the message
arrived anyway, it counts as a prediction of spam.`,
  `Messages of one campaign usually land in the same place, and two mailboxes with one message count twice. The intervals
assume independent messages, so they are too narrow.`,
  `A shift moves all messages at a provider by the same amount. It helps if a provider is stricter with you than expected,
not if a single weight is wrong.`,
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
<p>SpamAssassin's public corpus: ${senders.toLocaleString("en")} senders and campaigns from 2002 to 2005, judged as files without any DNS
answers, by Gmail's profile. This mail is old: the figures show that the weights rank mail sensibly, not what Gmail does
today.</p>
${renderTable(
  ["Weights that", "Messages", "AUC", "AUC, hard ham", "Spam found at 1% false alarms"],
  [toRow("never saw the sender (five folds)", folds), toRow("saw only older mail, and no hard ham", halves)],
)}
<p>AUC is how often a spam message gets higher odds than a legitimate one; 0.5 is a coin toss. Hard ham is legitimate mail
that looks like spam. Of ${ham.toLocaleString("en")} legitimate messages, ${hamRejected} would be predicted as rejected.</p>
${renderPlot(folds.bins)}
<p>Each dot is a tenth of the scale: across, the predicted odds of spam; up, the share that was spam. On the line,
predictions were exact. Assay lowers its odds further, because providers see other mail.</p></article>`;
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
