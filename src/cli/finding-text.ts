// A finding to mend, for a person: how grave it is and what mending it gives, what is wrong, with the evidence, why it matters, what to do,
// who refuses mail for it, and what else goes away with it.

import { toCapWords } from "../api/gate-words.ts";
import { noteReaders, toFixWords } from "../api/note-words.ts";
import type { ProposedRecord } from "../reports/fix-records.ts";
import type { JudgedFinding, Judgment, Occurrence } from "../reports/judgment.ts";
import { issuesOf, stepsOf } from "../reports/plan.ts";
import { toVisible } from "../visible-text.ts";
import { toGateSentences } from "./gate-text.ts";
import { indent, type Lead, toParagraph } from "./paragraph.ts";
import type { Style, Tone } from "./style.ts";

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
