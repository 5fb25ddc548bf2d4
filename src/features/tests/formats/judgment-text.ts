// The results for a message or domain as text: the score, what to fix first, predicted placement, notes, the
// score of each area, and what was not checked.

import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import type { KindFact, KindReason } from "../../../analyzer/checks/kind.ts";
import type { Tally } from "../../../analyzer/checks/tally.ts";
import { isEitherWay, type Prediction, type Reason, toPlainName } from "../../../analyzer/placement/provider.ts";
import { isAboveInfo } from "../../../analyzer/reports/causes.ts";
import { provisional, toWholeScore, wellChecked } from "../../../analyzer/reports/grade-words.ts";
import type { Judgment } from "../../../analyzer/reports/judgment.ts";
import { gradeOf, type Judged } from "../../../analyzer/reports/report.ts";
import { withholdsFixes } from "../../../analyzer/reports/suspicion.ts";
import { toSides, toTypeCaution } from "../../../analyzer/words/kind-words.ts";
import { toReach, toVolumeBasis } from "../../../analyzer/words/volume-words.ts";
import { toJudgmentFields } from "../contract/judgment.ts";
import { toStairWords } from "../words/cure-words.ts";
import { type Fault, toAreaLines, toFaultLines, toFaults, toNotCheckedLines, withoutMarks } from "./finding-text.ts";
import { indent, type Style, type Tone, toParagraph } from "./style.ts";

/** Sections with empty lines between them. */
export function toJudgmentText(report: Judged, style: Style): string {
  const { judgment } = report;
  const faults = toFaults(judgment);
  const sections = [
    ...toNoticeLines(report, style),
    toScoreLines(report, style),
    ...toIssueSections(report, faults, style),
    toProviderLines(judgment, style),
    toRemarks(judgment, style),
    toAreaLines(judgment, style),
    toNotCheckedLines(judgment, style),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function toNoticeLines(report: Judged, style: Style): string[][] {
  return (toJudgmentFields(report, checkCatalog).notices ?? []).map(({ title, text }) => [
    ...toParagraph(`${style.signs.problem} ${title}`, indent(0), style).map((line) => style.paint("critical", line)),
    ...text.split("\n").flatMap((line) => toParagraph(line, indent(2), style)),
  ]);
}

function toScoreLines(report: Judged, style: Style): string[] {
  const { kind } = report.judgment;
  return [toScoreLine(report, style), ...(kind === null ? [] : toParagraph(toKindLine(kind), indent(0), style))];
}

/** The JSON has all reasons. */
const shownReasons = 4;
const shownAgainst = 2;

function toKindLine(fact: KindFact): string {
  const { kind, reasons, confidence, source } = fact;
  const sure = source !== "inferred" || confidence === null ? "" : ` (${Math.round(confidence * 100)}% sure)`;
  const isWeighed = source === "inferred" && fact.scores !== null;
  const { pro, contra } = toSides(reasons, kind);
  const because = isWeighed ? toWeighed(pro.slice(0, shownReasons), kind) : toPlain(reasons, source);
  const against = isWeighed ? toWeighed(contra.slice(0, shownAgainst), kind) : [];
  return [
    `Type: ${kind}${sure}.`,
    ...because,
    ...(against.length > 0 ? ["Against:", ...against] : []),
    toTypeCaution(fact) ?? "",
  ]
    .join(" ")
    .trim();
}

/** A type that was set by a person or a rule has one reason and no points. */
function toPlain(reasons: readonly KindReason[], source: KindFact["source"]): string[] {
  return reasons.slice(0, source === "inferred" ? shownReasons : 1).map(({ text }) => text);
}

/** "It has List-Unsubscribe (+6)." */
function toWeighed(reasons: readonly KindReason[], chosen: KindFact["kind"]): string[] {
  return reasons.map(({ text, points, kind }) => {
    if (points === null) return text;
    const signed = `${points < 0 ? "−" : "+"}${Math.abs(points)}`;
    return `${text.replace(/\.$/, "")} (${signed}${kind === chosen ? "" : ` ${kind}`}).`;
  });
}

function toScoreLine(report: Judged, { signs, paint }: Style): string {
  const { composite, coverage } = report.judgment.score;
  const share = `${Math.floor(coverage * 100)}% of checks completed`;
  if (composite === null) return paint("strong", `No score: only ${share}`);
  const grade = gradeOf(report);
  if (grade === null) {
    const why = coverage < wellChecked ? `only ${share}` : "authentication isn’t tested";
    return paint("major", `${toWholeScore(composite)} of 100, ${provisional}: ${why}`);
  }
  const points = `${toWholeScore(composite)} of 100, grade ${grade}`;
  return `${paint(toTone(composite), points)} ${signs.point} ${share}`;
}

function toTone(composite: number): Tone {
  if (composite >= 90) return "good";
  return composite >= 70 ? "major" : "critical";
}

function toCounted(count: number): string {
  return count === 1 ? "1 issue found" : `${count} issues found`;
}

const orderWords = "Fix them in this order.";
const gainWords = "The points are for each fix on its own.";

function toIssueSections(report: Judged, faults: readonly Fault[], style: Style): string[][] {
  const { judgment } = report;
  const { signs, paint } = style;
  const { plan, score } = judgment;
  if (withholdsFixes(judgment))
    return [
      [paint("strong", toCounted(faults.length))],
      ...faults.map((fault) => toFaultLines(withoutGain(fault), style)),
    ];
  if (faults.length === 0)
    return gradeOf(report) === null
      ? [["No issues found in the completed checks."]]
      : [[paint("good", `${signs.good} Nothing to fix.`)]];
  const isOne = faults.length === 1;
  const count = isOne ? "1 issue to fix" : `${faults.length} issues to fix`;
  const stairs = toStairWords(plan, score.composite);
  const head = stairs === "" ? count : `${count}: ${stairs}`;
  const orders = score.composite === null ? orderWords : `${orderWords} ${gainWords}`;
  const order = isOne ? [] : toParagraph(orders, indent(0), style);
  return [
    [
      ...toParagraph(head, indent(0), style).map((line) => paint("strong", line)),
      ...order.map((line) => paint("faint", line)),
    ],
    ...faults.map((fault) => toFaultLines(fault, style)),
  ];
}

/** Fixes for a forged message gain nothing. */
function withoutGain(fault: Fault): Fault {
  return { ...fault, finding: { ...fault.finding, gain: 0 }, cures: null };
}

/** Notes that have no effect on the score. */
function toRemarks({ findings, plan }: Judgment, style: Style): string[] {
  const shown = new Set(findings.filter(isAboveInfo).map(({ id }) => id));
  const planned = new Set(plan.map(({ finding }) => finding));
  const remarks = findings.filter(
    ({ id, severity, ownedBy }) => severity === "info" && !planned.has(id) && (ownedBy === null || !shown.has(ownedBy)),
  );
  if (remarks.length === 0) return [];
  const lead = { text: `  ${style.signs.point} `, width: 4 };
  return [
    style.paint("strong", "Good to know"),
    ...remarks.flatMap(({ title, says }) => [
      ...toParagraph(title, lead, style),
      ...toParagraph(withoutMarks(says), indent(lead.width), style).map((line) => style.paint("faint", line)),
    ]),
  ];
}

// Where each large provider would likely put a message, and how many of its rules the message meets.

const folderTones: Readonly<Record<Prediction["folder"], Tone>> = {
  inbox: "good",
  promotions: "good",
  spam: "major",
  rejected: "critical",
};
const nameWidth = 15;
const folderWidth = 10;
const askVolume =
  "Some predictions depend on how much you send. Use --volume small (fewer than 5,000 messages a day to any one provider) or --volume large.";
const heading = "Predicted placement (from published rules, not observed)";

function toProviderLines({ placement, tallies, kind, volume = null }: Judgment, style: Style): string[] {
  if (placement === null) return [];
  const toLines = (prediction: Prediction) => {
    const tally = tallies.find(({ provider }) => provider === prediction.provider);
    return toPrediction(prediction, tally, style);
  };
  const faint = (text: string) => toParagraph(text, indent(2), style).map((line) => style.paint("faint", line));
  return [
    ...toParagraph(heading, indent(0), style).map((line) => style.paint("strong", line)),
    ...(volume !== null && kind?.kind === "bulk" ? faint(toVolumeBasis(volume)) : []),
    ...placement.predictions.flatMap(toLines),
    ...(placement.predictions.some(({ ifLarge }) => ifLarge) ? faint(askVolume) : []),
  ];
}

function toPrediction(prediction: Prediction, tally: Tally | undefined, style: Style): string[] {
  const { provider, folder, odds, ifLarge } = prediction;
  const name = toPlainName(provider).padEnd(nameWidth);
  const isOpen = isEitherWay(odds);
  const says = [...(isOpen ? ["could go either way"] : []), ...(tally ? [toTallyText(tally)] : [])].join("; ");
  const where = isOpen ? "inbox/spam" : folder;
  const landing = style.paint(isOpen ? "minor" : folderTones[folder], says === "" ? where : where.padEnd(folderWidth));
  const lead = { text: `  ${name}  ${landing}${says && "  "}`, width: nameWidth + folderWidth + 6 };
  const why = folder === "inbox" || folder === "promotions" ? null : prediction.reasons.find(isTelling);
  return [
    ...toParagraph(says, lead, style),
    ...(why ? toParagraph(why.text, indent(4), style) : []),
    ...(ifLarge ? toParagraph(toLargeText(provider, ifLarge), indent(4), style) : []),
  ];
}

function toLargeText(provider: string, { folder, reasons }: NonNullable<Prediction["ifLarge"]>): string {
  const where = folder === "rejected" ? "rejected" : `in ${folder}`;
  return [`Likely ${where} ${toReach(provider)}.`, ...reasons.slice(0, 1).map(({ text }) => text)].join(" ");
}

function isTelling({ points }: Reason): boolean {
  return points === null || points > 0;
}

function toTallyText({ items }: Tally): string {
  const count = (standing: Tally["items"][number]["standing"]) =>
    items.filter((one) => one.standing === standing).length;
  const unknown = count("unknown");
  const checked = count("met") + count("not-met");
  if (unknown === 0) return `meets ${count("met")} of ${checked} ${checked === 1 ? "rule" : "rules"}`;
  if (checked === 0) return `none of its ${unknown} rules could be checked`;
  return `meets ${count("met")} of ${checked} ${checked === 1 ? "rule" : "rules"}, ${unknown} not checked`;
}
