// Lines of CSV as RFC 4180 has them, for programs and for people who open them in a spreadsheet. Without a byte order
// mark, because Python's csv module would take it for a part of the first column's name; not with one, for the sake of
// a double click in Excel, which asks for the encoding when the file is imported instead.

/** Null: an empty cell. */
export type CsvCell = string | number | null;

/**
 * What a cell of Excel holds. It moves the rest of a longer one to the next line, where the rest would begin a cell, and
 * could so be a formula. Python's csv module takes 131,072.
 */
export const longestCell = 32_767;

export function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(cell: CsvCell): string {
  return typeof cell === "string" ? quote(cut(defuse(toPrintable(cell)))) : String(cell ?? "");
}

/** But for tabs and line breaks: a NUL ends the cell in SQLite, an escape sequence moves the cursor of a terminal. */
const controls = /[^\P{Cc}\t\r\n]/gu;

function toPrintable(text: string): string {
  return text.toWellFormed().replace(controls, "\ufffd");
}

/** What a spreadsheet runs; the full-width signs too, which some take for the narrow ones. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function defuse(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

function cut(text: string): string {
  if (text.length <= longestCell) return text;
  return `${text.slice(0, longestCell - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Spaces at the ends too: they belong to the cell, but not all readers keep them when they stand bare. */
const special = /^ | $|[",\r\n]/;

function quote(text: string): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
