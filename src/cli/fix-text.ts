// What to do about a finding, ready to copy: a record, a header or a command stands on a line of its own, which is never
// wrapped or cut, because a person copies that line.

import type { ProposedRecord } from "../reports/proposed-record.ts";
import { toVisible } from "../visible-text.ts";
import { indent, toParagraph } from "./paragraph.ts";
import type { Style } from "./style.ts";

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
export function toRecordLines(
  records: readonly ProposedRecord[],
  column: number,
  { signs }: Style,
): string[] {
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
