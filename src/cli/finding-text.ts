// A finding to mend, for a person: how grave it is and what mending it gives, what is wrong, with the evidence, why it matters, what to do,
// who refuses mail for it, and what else goes away with it.

import { toFixWords } from "../api/fix-words.ts";
import { noteReaders } from "../api/note-words.ts";
import type { JudgedFinding, Occurrence } from "../reports/judgment.ts";
import type { Fault } from "./faults.ts";
import { toFixLines, toRecordLines } from "./fix-text.ts";
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
