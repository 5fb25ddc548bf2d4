// A finding as text: its severity and gain, what is wrong with the evidence, why it matters, how to fix it, which providers
// reject mail for it, and which other findings it causes.

import type { Area } from "../../../analyzer/checks/check.ts";
import type { Why } from "../../../analyzer/checks/fact.ts";
import { whyWords } from "../../../analyzer/checks/inner-title.ts";
import { checksById } from "../../../analyzer/checks/list.ts";
import { isAboveInfo } from "../../../analyzer/reports/causes.ts";
import type { ProposedRecord } from "../../../analyzer/reports/fix-records.ts";
import type { JudgedFinding, Judgment, Occurrence } from "../../../analyzer/reports/judgment.ts";
import { issuesOf } from "../../../analyzer/reports/plan.ts";
import { type AreaScore, areaLabels } from "../../../analyzer/reports/score.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { toSentence } from "../../../analyzer/words/plain-words.ts";
import { toCureLine } from "../words/cure-words.ts";
import { noteReaders, toFixWords } from "../words/note-words.ts";
import { toGateSentences } from "./gate-text.ts";
import { toNotChecked } from "./not-checked.ts";
import { indent, type Lead, type Style, type Tone, toParagraph } from "./style.ts";

const severityWidth = "critical".length;
const gainWidth = "+99.9".length;
const column = 4;

export function toFaultLines({ finding, number, cures, consequences }: Fault, style: Style): string[] {
  const { signs, paint } = style;
  const { records = [] } = finding;
  const tone: Tone = finding.severity === "info" || finding.severity === "good" ? "minor" : finding.severity;
  const place = `${String(number).padStart(column - 2)}  `;
  const word = finding.severity === "info" ? "note" : finding.severity;
  const rank = `${signs.fault} ${word.padEnd(severityWidth)} `;
  const points = `${toPoints(finding.gain).padStart(gainWidth)}  `;
  const lead: Lead = {
    text: place + paint(tone, rank) + paint("good", points),
    width: place.length + rank.length + points.length,
  };
  const faint = (text: string) => toParagraph(text, indent(column), style).map((line) => paint("faint", line));
  return [
    ...toTitleLines(finding.title, lead, style),
    ...toParagraph(withoutMarks(finding.says), indent(column), style),
    ...faint([withoutMarks(finding.why), toOthers(finding), cures ?? ""].filter((text) => text !== "").join(" ")),
    ...(finding.fix === null ? [] : toFixLines(toFixWords(finding.fix, records), column, style)),
    ...toRecordLines(records, column, style),
    ...(finding.fix === null ? [] : faint(`For ${noteReaders[finding.owner]}.`)),
    ...toGateSentences(finding.gates).flatMap((text) => toParagraph(text, indent(column), style)),
    ...consequences.flatMap(({ title }) =>
      toParagraph(title, { text: `${" ".repeat(column)}${signs.follows} `, width: column + 2 }, style),
    ),
  ];
}

/** A terminal shows no code style, so the backticks around code would only be in the way. */
export function withoutMarks(text: string): string {
  return text.replace(/`([^`]*)`/g, "$1");
}

/** The title is bold; the lead keeps its own colors. */
function toTitleLines(title: string, lead: Lead, style: Style): string[] {
  return toParagraph(title, indent(lead.width), style).map((line, index) => {
    const before = index === 0 ? lead.text : line.slice(0, lead.width);
    return before + style.paint("strong", line.slice(lead.width));
  });
}

/** "+8.8", or an empty text if it rounds to zero. */
function toPoints(points: number): string {
  const rounded = Math.round(points * 10) / 10;
  return rounded > 0 ? `+${rounded}` : "";
}

const maxSubjects = 5;

/** Other occurrences of the same finding. Its sentence names the first one. */
function toOthers({ occurrences, leftOut }: JudgedFinding): string {
  const others = occurrences.slice(1);
  const count = others.length + leftOut;
  if (count === 0) return "";
  const subjects = others.flatMap(({ subject }: Occurrence) => subject ?? []).slice(0, maxSubjects);
  const unnamed = count - subjects.length;
  if (subjects.length === 0) return `${count} more like this.`;
  return `Also found: ${subjects.join(", ")}${unnamed > 0 ? ` and ${unnamed} more` : ""}.`;
}

// How to fix a finding. A record, header, or command gets its own line, which is never wrapped or cut, because people copy it.

/** Longer quoted text gets its own line. */
const longestInSentence = 40;
const recordIndent = 4;

export function toFixLines(fix: string, column: number, style: Style): string[] {
  const { signs } = style;
  const lead = `${" ".repeat(column)}${signs.arrow} `;
  const below = column + signs.arrow.length + 1;
  return toPieces(fix).flatMap((piece, index) =>
    piece.isRecord
      ? [`${" ".repeat(below + recordIndent)}${toVisible(piece.text)}`]
      : toParagraph(piece.text, index === 0 ? { text: lead, width: below } : indent(below), style),
  );
}

/** One record per line, written as in a zone file. Never wrapped or cut. */
function toRecordLines(records: readonly ProposedRecord[], column: number, { signs }: Style): string[] {
  const below = " ".repeat(column + signs.arrow.length + 1 + recordIndent);
  return records.flatMap(({ name, type, value }) => [`${below}${toVisible(`${name} ${type} ${value}`)}`]);
}

type Piece = { readonly text: string; readonly isRecord: boolean };

function toPieces(fix: string): Piece[] {
  const pieces: Piece[] = [];
  let sentence = "";
  // Every other part was between backticks, except for a last one without a closing backtick.
  const parts = fix.split("`");
  for (const [index, part] of parts.entries()) {
    const isQuoted = index % 2 === 1 && index < parts.length - 1;
    if (!isQuoted) sentence += index % 2 === 1 ? `\`${part}` : part;
    else if (!isRecord(part)) sentence += part;
    else {
      const { before, after } = partAround(sentence, parts[index + 1] ?? "");
      if (before !== "") pieces.push({ text: before, isRecord: false });
      pieces.push({ text: part, isRecord: true });
      parts[index + 1] = after;
      sentence = "";
    }
  }
  const rest = sentence.trim();
  return rest === "" ? pieces : [...pieces, { text: rest, isRecord: false }];
}

function isRecord(quoted: string): boolean {
  return quoted.includes(" ") || quoted.length > longestInSentence;
}

/** The text before a record ends with a colon. Punctuation after the record is removed. */
function partAround(sentence: string, next: string): { before: string; after: string } {
  const isBracketed = next.startsWith(")");
  const opened = isBracketed ? sentence.replace(/ \(([^()]*)$/, "; $1") : sentence;
  const before = opened.trim().replace(/[,:]$/, "");
  return { before: before === "" ? "" : `${before}:`, after: next.replace(/^[).,;:]+/, "") };
}

// The issues in the order to fix them. Each is listed once, with the findings that it causes.

export type Fault = {
  readonly finding: JudgedFinding;
  /** Its position in the list. */
  readonly number: number;
  /** What fixing it cures, and how the score rises. */
  readonly cures: string | null;
  /** Findings that this one causes, and that disappear with it. */
  readonly consequences: readonly JudgedFinding[];
};

export function toFaults(judgment: Judgment): Fault[] {
  const { findings, plan, score } = judgment;
  return issuesOf(judgment).map((finding, index) => ({
    finding,
    number: index + 1,
    cures: toCureLine({ composite: score.composite, plan, findings }, finding.id),
    consequences: consequencesOf(finding, findings),
  }));
}

/** Direct and indirect consequences. */
function consequencesOf(cause: JudgedFinding, findings: readonly JudgedFinding[]): JudgedFinding[] {
  const found = [cause];
  for (const { id } of found) found.push(...findings.filter((one) => one.ownedBy === id && !found.includes(one)));
  return found.slice(1);
}

// The score of each area, and what was not checked.

const labelWidth = Math.max(...Object.values(areaLabels).map(({ length }) => length));
const barWidth = 10;

export function toAreaLines(judgment: Judgment, style: Style): string[] {
  const asked = judgment.score.areas.filter(({ coverage }) => coverage !== null);
  if (asked.length === 0) return [];
  return [
    style.paint("strong", "Score by area: points, weight, checks passed"),
    ...asked.map((area) => toAreaLine(area, judgment, style)),
  ];
}

function toAreaLine({ area, score, weight, coverage }: AreaScore, judgment: Judgment, style: Style): string {
  const points = score === null ? "?" : String(Math.round(score));
  const tone = score === 100 ? "good" : "major";
  const cells = [
    `  ${areaLabels[area].padEnd(labelWidth)}`,
    points.padStart(3),
    style.paint(tone, toBar(score ?? 0, coverage ?? 0, style)),
    `${String(weight).padStart(2)}%`,
    countIn(area, judgment),
  ];
  return cells.join("  ");
}

/** The reached part, the lost part and the unknown part. A full bar means that nothing was lost. */
function toBar(score: number, coverage: number, { signs }: Style): string {
  const known = Math.round(coverage * barWidth);
  const reached = Math.floor((score / 100) * known);
  return signs.full.repeat(reached) + signs.empty.repeat(known - reached) + signs.unknown.repeat(barWidth - known);
}

function countIn(area: Area, { findings, passes, withheld = [], skipped }: Judgment): string {
  const isHere = ({ check }: { readonly check: string }) => checksById.get(check)?.area === area;
  const found = findings.filter(isHere);
  const faulty = new Set(found.filter(isAboveInfo).map(({ check }) => check)).size;
  const judged = new Set([...found, ...[...passes, ...withheld].filter(isHere)].map(({ check }) => check)).size;
  const unknown = skipped.filter(isHere).length;
  const all = judged === 1 ? "1 check" : `all ${judged} checks`;
  const counted = faulty === 0 ? all : `${judged - faulty} of ${judged} checks`;
  if (judged === 0) return `${unknown} ${unknown === 1 ? "check" : "checks"} not completed`;
  return `${counted}${unknown > 0 ? `, ${unknown} not completed` : ""}`;
}

const notCheckedTitle = "Not checked (no effect on the score; --json lists each check)";

/** One line for each reason. */
export function toNotCheckedLines(judgment: Judgment, style: Style): string[] {
  const groups = toNotChecked(judgment);
  if (groups.length === 0) return [];
  const lead = { text: `  ${style.signs.point} `, width: 4 };
  return [
    ...toParagraph(notCheckedTitle, indent(0), style).map((line) => style.paint("strong", line)),
    ...groups.flatMap(({ why, what }) => toParagraph(`${toReason(why, style)}: ${what}.`, lead, style)),
  ];
}

function toReason(why: Why | "broken", { isStored = false }: Style): string {
  const remedy = isStored && why === "no-session" ? undefined : remedies[why];
  return `${toSentence(whyWords[why])}${remedy ? ` (${remedy})` : ""}`;
}

/** What a person at a terminal can do. */
const remedies: Readonly<Partial<Record<Why | "broken", string>>> = {
  "no-session": "use --ip, --helo, and --mail-from",
  unused: "see assay doctor",
  off: "turn on blocklists with ASSAY_DNSBLS, scanners with ASSAY_RSPAMD_URL or ASSAY_SPAMD_ADDRESS",
};
