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
  return `<section><h2 id="predictions">How certain are predictions?</h2>
<p>Assay predicts placement from the providers' published rules and from this one message. No provider publishes its
weights. Assay's weights are fitted to public mail and limited by the providers' rules (version
${escapeMarkup(weightsVersion)}). Each prediction states the version of its weights.</p>
${list(predictionSteps())}
${renderTable(
  ["Provider", "Highest confidence", "What a message can't show"],
  profiles.map(({ name, ceiling, hidden }) => [escapeMarkup(name), toPercent(ceiling), escapeMarkup(hidden)]),
)}
${renderMeasured()}
<article><h3 id="calibration">Predictions compared with observations</h3>
<p>With seed mailboxes connected, <a href="/docs/api/calibration#getCalibration"><code>${readCalibration.path}</code></a> shows
how good the predictions were when they were made, for each provider, overall and by month:</p>
${list(figures)}
<p>Figures based on fewer than ${needed} observations are not shown, and the same applies to each bin. For each
provider, the newest ${mostObservations.toLocaleString("en")} observations count.</p></article>
<article><h3 id="shift">Shifting predictions</h3>
${list(shiftSteps())}</article>
<article><h3 id="limits">Limitations</h3>
${list(limits)}</article>
</section>`;
}

function predictionSteps(): string[] {
  const share = toPercent(1 / (1 + Math.exp(-base)));
  const { any, bulk, mailingList } = certainty;
  return [
    `If a published rule is broken, that alone decides the prediction. The certainty is ${toPercent(any)} for a rule that
applies to all senders. For a bulk sender rule, it is ${toPercent(bulk)} if the message is bulk mail and ${toPercent(mailingList)} if it came
through a mailing list.`,
    `Otherwise, the spam odds start at ${share}, and each positive or negative signal adds its log-odds.`,
    `Words in the subject and text also count, by at most ${textBounds.most} toward spam and ${-textBounds.least} against
it. The model only knows English and ignores other languages.`,
    `The confidence is the folder's odds, reduced for each unknown fact and limited to the provider's maximum.
It is not a guarantee, because the provider also knows the sender's history.`,
  ];
}

const figures = [
  `how often each folder was predicted and observed;`,
  `the <b>hit rate</b> with its 95% Wilson interval, which contains the true rate in 19 of 20 cases;`,
  `the <b>Brier score</b>, the mean squared error of the odds: 0 is perfect. For comparison, Assay also shows
the score of always predicting the base rate. Odds that don't beat it are worthless;`,
  `the <b>reliability</b>: how many messages landed in spam in each of ${reliabilityBins} bins of predicted spam odds.
Of those predicted at 30%, 30 in 100 should.`,
];

function shiftSteps(): string[] {
  return [
    `For each provider, Assay suggests one adjustment. Added to every message's log-odds of spam, it would have
best fit the observations (lowest log loss, with a zero-centered prior of width 1, capped at ±${maxShift}).`,
    `A suggestion needs ${needed} observations predicted with the current weights, some in spam and some not. If a shift is
active, Assay removes it from the odds first. Predicted rejections are left out, because an observed message wasn't rejected.`,
    `The effect is measured on messages that weren't used for the fit: each message is predicted with the shift that all
others suggest (to one step of Newton's method). If the result is no better than the active shift, nothing is suggested.`,
    `No shift is applied automatically. Only an owner can set or remove one. It applies to later predictions, which list it
as a reason and in their weights (<code>${escapeMarkup(weightsVersion)} gmail+0.40</code>). Published rules are never shifted, and the
command line never uses a shift.`,
  ];
}

const limits = [
  `A seed mailbox isn't a subscriber: it doesn't open messages, reply to them, or report them as spam. Providers that
use such signals treat your subscribers' mailboxes differently.`,
  `Only observed messages count, and rejected or lost messages are never observed. If a rejection was predicted and the message
arrived anyway, it counts as a prediction of spam.`,
  `Messages in one campaign usually land in the same place, and a message seen in two mailboxes counts twice. The
intervals assume independent messages, so they are too narrow.`,
  `A shift moves all messages at a provider by the same amount. It helps if a provider is stricter with you than expected,
not if a single weight is wrong.`,
  `Filters and reputations change, so focus on the newest months.`,
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
<p>SpamAssassin's public corpus: ${senders.toLocaleString("en")} senders and campaigns from 2002 to 2005, evaluated as files with Gmail's
profile and without any DNS responses. This mail is old. The figures show that the weights rank mail sensibly, not what
Gmail does today.</p>
${renderTable(
  ["Weights", "Messages", "AUC", "AUC, hard ham", "Spam caught at a 1% false-positive rate"],
  [
    toRow("Tested on unseen senders (five folds)", folds),
    toRow("Fitted to older mail only, without hard ham", halves),
  ],
)}
<p>AUC is how often a spam message gets higher odds than a legitimate one. At 0.5, that is a coin toss. Hard ham is legitimate mail
that looks like spam. Of ${ham.toLocaleString("en")} legitimate messages, ${hamRejected} would be predicted as rejected.</p>
${renderPlot(folds.bins)}
<p>Each dot is a tenth of the scale. The horizontal axis shows the predicted spam odds, the vertical axis the share that
was spam. On the line, predictions were exact. Assay lowers its odds further, because providers see other mail.</p></article>`;
}

const size = 240;
const edge = 28;

function renderPlot(bins: Figures["bins"]): string {
  const at = (share: number) => edge + share * (size - edge - 8);
  const dots = bins.map(({ said, seen, count }) => {
    const radius = Math.min(9, 3 + Math.log10(count)).toFixed(1);
    return `<circle cx="${at(said).toFixed(1)}" cy="${(size - at(seen)).toFixed(1)}" r="${radius}" fill="currentColor"><title>${toPercent(said)} predicted, ${toPercent(seen)} actual, ${count} messages</title></circle>`;
  });
  const marks = [0, 0.5, 1].map(
    (share) =>
      `<text x="${at(share)}" y="${size - 8}" font-size="11" text-anchor="middle" fill="currentColor">${toPercent(share)}</text><text x="2" y="${size - at(share) + 4}" font-size="11" fill="currentColor">${toPercent(share)}</text>`,
  );
  return `<svg viewBox="-8 -8 ${size + 24} ${size + 16}" width="${size + 24}" height="${size + 16}" role="img" aria-label="Predicted spam odds and actual share of spam: ${bins.map(({ said, seen }) => `${toPercent(said)} predicted, ${toPercent(seen)} actual`).join("; ")}"><path d="M${at(0)} ${size - at(0)}L${at(1)} ${size - at(1)}M${at(0)} ${size - at(1)}V${size - at(0)}H${at(1)}" fill="none" stroke="currentColor" stroke-opacity=".4"/>${marks.join("")}${dots.join("")}</svg>`;
}
