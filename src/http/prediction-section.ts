// How sure a prediction of placement is, how that is found out, and what nobody finds out so. Its numbers are those of the
// code that predicts and compares.

import { readCalibration } from "../api/calibration.ts";
import { toPercent } from "../api/plain-words.ts";
import { needed, reliabilityBins } from "../placement/calibration.ts";
import { profiles } from "../placement/predict.ts";
import { maxShift } from "../placement/shifts.ts";
import { textBounds } from "../placement/text-model.ts";
import { base, certainty, weightsVersion } from "../placement/weights-table.ts";
import { mostObservations } from "../tasks/calibration.ts";
import { html, renderTable } from "./docs-page.ts";
import { renderMeasured } from "./measured-section.ts";

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
<p>Once seed mailboxes are connected, <a href="/docs#getCalibration"><code>${readCalibration.path}</code></a> shows for
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
