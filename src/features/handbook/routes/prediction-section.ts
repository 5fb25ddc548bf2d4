// How sure a prediction of placement is, how that is measured, and its limits. The numbers come from the code that
// predicts and compares.

import { needed } from "../../../analyzer/placement/calibration.ts";
import { measured } from "../../../analyzer/placement/measured-table.ts";
import { profiles } from "../../../analyzer/placement/provider.ts";
import { textBounds } from "../../../analyzer/placement/text-model.ts";
import { base, certainty, weightsVersion } from "../../../analyzer/placement/weights-table.ts";
import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { toPercent } from "../../../analyzer/words/plain-words.ts";
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
<p>With seed mailboxes connected, the Integrations page and <a href="/docs/api/calibration#getCalibration"><code>/api/calibration</code></a> show
the <b>hit rate</b> of each provider: how often the predicted folder was the observed one, with a 95% Wilson interval, which
contains the true rate in 19 of 20 cases. Rates based on fewer than ${needed} observations are not shown.</p></article>
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

const limits = [
  `A seed mailbox isn't a subscriber: it doesn't open messages, reply to them, or report them as spam. Providers that
use such signals treat your subscribers' mailboxes differently.`,
  `Only observed messages count, and rejected or lost messages are never observed. If a rejection was predicted and the message
arrived anyway, it counts as a prediction of spam.`,
  `Messages in one campaign usually land in the same place, and a message seen in two mailboxes counts twice. The
intervals assume independent messages, so they are too narrow.`,
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
  [toRow("Tested on unseen senders (five folds)", folds), toRow("Fitted to older mail only, without hard ham", halves)],
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
