// How sure a prediction of placement is, how that is measured, and its limits. The numbers come from the code that
// predicts and compares.

import { needed } from "../../../analyzer/placement/calibration.ts";
import measured from "../../../analyzer/placement/measured.json" with { type: "json" };
import { profiles } from "../../../analyzer/placement/provider.ts";
import { toProbability } from "../../../analyzer/placement/spam.ts";
import { textBounds } from "../../../analyzer/placement/text-model.ts";
import { base, certainty, weightsVersion } from "../../../analyzer/placement/weights-table.ts";
import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import { toPercent } from "../../../analyzer/words/plain-words.ts";
import { renderTable } from "./docs-page.ts";

export function renderPredictions(): string {
  return `<section><h2 id="predictions">How certain are predictions?</h2>
<p>Assay predicts placement from the providers' published rules and from this one message. No provider publishes its
weights, so the odds of spam are the same for all of them, and only their published rules differ. Assay's weights are
fitted to public mail (version ${escapeMarkup(weightsVersion)}). Each prediction states the version of its weights.</p>
${list(predictionSteps())}
${renderTable(
  ["Provider", "What a message can't show"],
  profiles.map(({ name, hidden }) => [escapeMarkup(name), escapeMarkup(hidden)]),
)}
${renderMeasured()}
<article><h3 id="calibration">Predictions compared with observations</h3>
<p>With seed mailboxes connected, <a href="/integrations">Mailboxes and integrations</a> and <a href="/docs/api/calibration#getCalibration"><code>/api/calibration</code></a> show
the <b>hit rate</b> of each provider: how often the predicted folder was the observed one, with a 95% Wilson interval, which
contains the true rate in 19 of 20 cases. Rates based on fewer than ${needed} observations are not shown.</p></article>
<article><h3 id="limits">Limitations</h3>
${list(limits)}</article>
</section>`;
}

function predictionSteps(): string[] {
  const share = toPercent(toProbability(base));
  const { any, bulk, mailingList } = certainty;
  return [
    `If a published rule is broken, that alone decides the prediction. The certainty is ${toPercent(any)} for a rule that
applies to all senders. For a bulk sender rule, it is ${toPercent(bulk)} if the message is bulk mail and ${toPercent(mailingList)} if it came
through a mailing list.`,
    `Otherwise, the spam odds start at ${share}, and each positive or negative signal adds its log-odds.`,
    `Words in the subject and text also count, by at most ${textBounds.most} toward spam and ${-textBounds.least} against
it. The word model reads only English. The report says if the text is in another language.`,
    `The confidence is the folder's odds, times the share of the evidence that is known. It is not a guarantee, because
the provider also knows the sender's history.`,
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

// How well the prediction does on public mail that it never saw.

function renderMeasured(): string {
  const share = (value: number | null) => (value === null ? "–" : `${Number((value * 100).toFixed(1))}%`);
  const rows = measured.map((row) => [
    escapeMarkup(row.name),
    escapeMarkup(row.language),
    row.years,
    escapeMarkup(row.from),
    `${row.ham.toLocaleString("en")} / ${row.spam.toLocaleString("en")}`,
    row.auc === null ? "–" : String(row.auc),
    share(row.recall),
    share(row.hamInSpam),
    share(row.spamInSpam),
  ]);
  return `<article><h3 id="measured">Measured on public mail</h3>
<p>Each corpus is evaluated as files, without any DNS responses, with weights that were fitted on other corpora. Old mail
shows that the weights rank mail sensibly, not what a provider does today.</p>
${renderTable(
  [
    "Mail",
    "Language",
    "Years",
    "Fitted on",
    "Legitimate / spam",
    "AUC",
    "Spam caught at a 1% false-positive rate",
    "Legitimate mail predicted in spam",
    "Spam predicted in spam",
  ],
  rows,
)}
<p>AUC is how often a spam message gets higher odds than a legitimate one. At 0.5, that is a coin toss.</p></article>`;
}
