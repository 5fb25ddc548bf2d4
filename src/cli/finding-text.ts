// A finding to mend, for a person: how grave it is and what mending it gives, what is wrong, with the evidence, why it matters, what to do,
// who refuses mail for it, and what else goes away with it.

import { toCapWords } from "../api/gate-words.ts";
import { noteReaders, toFixWords } from "../api/note-words.ts";
import type { Area } from "../checks/check.ts";
import type { Why } from "../checks/fact.ts";
import { whyWords } from "../checks/inner-title.ts";
import { checksById } from "../checks/list.ts";
import { isAboveInfo } from "../reports/causes.ts";
import type { ProposedRecord } from "../reports/fix-records.ts";
import type { JudgedFinding, Judgment, Occurrence } from "../reports/judgment.ts";
import { issuesOf, stepsOf } from "../reports/plan.ts";
import { type AreaScore, areaLabels } from "../reports/score.ts";
import { toVisible } from "../visible-text.ts";
import { toGateSentences } from "./gate-text.ts";
import { indent, type Lead, type Style, type Tone, toParagraph } from "./style.ts";

const severityWidth = "critical".length;
const gainWidth = "+99.9".length;
const column = 4;

export function toFaultLines({ finding, number, capWords, consequences }: Fault, style: Style): string[] {
  const { signs, paint } = style;
  const { records = [] } = finding;
  const tone: Tone = finding.severity === "info" || finding.severity === "good" ? "minor" : finding.severity;
  const place = `${String(number).padStart(column - 2)}  `;
  const rank = `${signs.fault} ${finding.severity.padEnd(severityWidth)} `;
  const points = `${toPoints(finding.gain).padStart(gainWidth)}  `;
  const lead: Lead = {
    text: place + paint(tone, rank) + paint("good", points),
    width: place.length + rank.length + points.length,
  };
  const faint = (text: string) =>
    toParagraph(text, indent(column), style).map((line) => paint("faint", line));
  return [
    ...toTitleLines(finding.title, lead, style),
    ...toParagraph(finding.says, indent(column), style),
    ...faint([finding.why, toOthers(finding), capWords ?? ""].filter((text) => text !== "").join(" ")),
    ...(finding.fix === null ? [] : toFixLines(toFixWords(finding.fix, records), column, style)),
    ...toRecordLines(records, column, style),
    ...faint(`For ${noteReaders[finding.owner]}.`),
    ...toGateSentences(finding.gates).flatMap((text) => toParagraph(text, indent(column), style)),
    ...consequences.flatMap(({ title }) =>
      toParagraph(title, { text: `${" ".repeat(column)}${signs.follows} `, width: column + 2 }, style),
    ),
  ];
}

/** Strong, and the lead in its own colors. */
function toTitleLines(title: string, lead: Lead, style: Style): string[] {
  return toParagraph(title, indent(lead.width), style).map((line, index) => {
    const before = index === 0 ? lead.text : line.slice(0, lead.width);
    return before + style.paint("strong", line.slice(lead.width));
  });
}

/** `+8.8`; nothing where it rounds to nothing. */
function toPoints(points: number): string {
  const rounded = Math.round(points * 10) / 10;
  return rounded > 0 ? `+${rounded}` : "";
}

const maxSubjects = 5;

/** The same fault of other things: its sentence tells the first. */
function toOthers({ occurrences, leftOut }: JudgedFinding): string {
  const others = occurrences.slice(1);
  const count = others.length + leftOut;
  if (count === 0) return "";
  const subjects = others.flatMap(({ subject }: Occurrence) => subject ?? []).slice(0, maxSubjects);
  const unnamed = count - subjects.length;
  if (subjects.length === 0) return `There ${count === 1 ? "is 1 more" : `are ${count} more`} like it.`;
  return `The same holds for ${subjects.join(", ")}${unnamed > 0 ? ` and ${unnamed} more` : ""}.`;
}

// What to do about a finding, ready to copy: a record, a header or a command stands on a line of its own, which is never
// wrapped or cut, because a person copies that line.

/** Between a name, which may stand in a sentence, and a record. */
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

/** A record a line, as a zone file has its parts, never wrapped or cut. */
function toRecordLines(records: readonly ProposedRecord[], column: number, { signs }: Style): string[] {
  const below = " ".repeat(column + signs.arrow.length + 1 + recordIndent);
  return records.flatMap(({ name, type, value }) => [`${below}${toVisible(`${name} ${type} ${value}`)}`]);
}

type Piece = { readonly text: string; readonly isRecord: boolean };

function toPieces(fix: string): Piece[] {
  const pieces: Piece[] = [];
  let sentence = "";
  // Every other part stood between backticks; a last one without a partner did not.
  const parts = fix.split("`");
  for (const [index, part] of parts.entries()) {
    const isQuoted = index % 2 === 1 && index < parts.length - 1;
    if (!isQuoted) sentence += index % 2 === 1 ? `\`${part}` : part;
    else if (!isRecord(part)) sentence += `\`${part}\``;
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

/** The sentence before a record ends with a colon; what closed it behind the record is gone with the line. */
function partAround(sentence: string, next: string): { before: string; after: string } {
  const isBracketed = next.startsWith(")");
  const opened = isBracketed ? sentence.replace(/ \(([^()]*)$/, "; $1") : sentence;
  const before = opened.trim().replace(/[,:]$/, "");
  return { before: before === "" ? "" : `${before}:`, after: next.replace(/^[).,;:]+/, "") };
}

// What there is to mend, in the order in which to mend it: a fault once, with all that follows from it.

export type Fault = {
  readonly finding: JudgedFinding;
  /** In the order of the list. */
  readonly number: number;
  /** That it holds the score, with how many others, and what fixing all of them unlocks; null where it does not. */
  readonly capWords: string | null;
  /** What follows from it, and goes away with it. */
  readonly consequences: readonly JudgedFinding[];
};

export function toFaults(judgment: Judgment): Fault[] {
  const steps = new Map(stepsOf(judgment).map((step) => [step.finding, step]));
  const limit = judgment.score.limit?.value ?? null;
  return issuesOf(judgment).map((finding, index) => {
    const step = steps.get(finding.id);
    return {
      finding,
      number: index + 1,
      capWords: step ? toCapWords(step, limit) : null,
      consequences: consequencesOf(finding, judgment.findings),
    };
  });
}

/** What follows from it, what follows from that, and so on. */
function consequencesOf(cause: JudgedFinding, findings: readonly JudgedFinding[]): JudgedFinding[] {
  const found = [cause];
  for (const { id } of found)
    found.push(...findings.filter((one) => one.ownedBy === id && !found.includes(one)));
  return found.slice(1);
}

// How each area stands, and what was not checked, for a person.

const labelWidth = Math.max(...Object.values(areaLabels).map(({ length }) => length));
const barWidth = 10;

export function toAreaLines(judgment: Judgment, style: Style): string[] {
  const asked = judgment.score.areas.filter(({ coverage }) => coverage !== null);
  if (asked.length === 0) return [];
  return [
    style.paint("strong", "In order: points, weight, checks without a fault"),
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
    `${String(weight).padStart(2)} %`,
    countIn(area, judgment),
  ];
  return cells.join("  ");
}

/** What was reached, what was lost, and what nobody knows. Full means full: nothing to lose. */
function toBar(score: number, coverage: number, { signs }: Style): string {
  const known = Math.round(coverage * barWidth);
  const reached = Math.floor((score / 100) * known);
  return (
    signs.full.repeat(reached) + signs.empty.repeat(known - reached) + signs.unknown.repeat(barWidth - known)
  );
}

function countIn(area: Area, { findings, passes, withheld = [], skipped }: Judgment): string {
  const isHere = ({ check }: { readonly check: string }) => checksById.get(check)?.area === area;
  const found = findings.filter(isHere);
  const faulty = new Set(found.filter(isAboveInfo).map(({ check }) => check)).size;
  const judged = new Set([...found, ...[...passes, ...withheld].filter(isHere)].map(({ check }) => check))
    .size;
  const unknown = skipped.filter(isHere).length;
  const all = judged === 1 ? "1 check" : `all ${judged} checks`;
  const counted = faulty === 0 ? all : `${judged - faulty} of ${judged} checks`;
  if (judged === 0) return `${unknown} checks not made`;
  return `${counted}${unknown > 0 ? `, ${unknown} not made` : ""}`;
}

/** A line a reason, the checks by their names; what was judged in part is told with what was missing. */
export function toNotCheckedLines({ skipped, partly }: Judgment, style: Style): string[] {
  const lacking = partly.map(({ check, lacks, why }) => ({ check: `${check} (without ${lacks})`, why }));
  const groups = Map.groupBy([...skipped, ...lacking], ({ why }) => why);
  if (groups.size === 0) return [];
  const lead = { text: `  ${style.signs.point} `, width: 4 };
  return [
    style.paint("strong", "Not checked, which counts neither for nor against"),
    ...[...groups].flatMap(([why, alike]) =>
      toParagraph(`${toReason(why)}: ${alike.map(({ check }) => check).join(", ")}.`, lead, style),
    ),
  ];
}

function toReason(why: Why | "broken"): string {
  const remedy = remedies[why];
  return `Because ${whyWords[why]}${remedy ? ` (${remedy})` : ""}`;
}

/** What a person at a terminal can do about it. */
const remedies: Readonly<Partial<Record<Why | "broken", string>>> = {
  "no-session": "say it with --ip, --helo and --mail-from",
  off: "ASSAY_DNSBLS switches lists on, ASSAY_RSPAMD_URL and ASSAY_SPAMD_ADDRESS scanners",
};
