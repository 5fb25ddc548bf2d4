// CSV lines as in RFC 4180, for scripts and spreadsheets. Without a byte order mark: Python's csv module would read it
// as part of the first column name, and Excel asks for the encoding on import anyway.

/** Null: an empty cell. */
export type CsvCell = string | number | null;

/**
 * The maximum cell length in Excel. Excel moves the rest of a longer cell to a new line, where it could start a
 * formula. Python's csv module allows 131,072.
 */
export const longestCell = 32_767;

export function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(cell: CsvCell): string {
  return typeof cell === "string" ? quote(cut(defuse(toPrintable(cell)))) : String(cell ?? "");
}

/**
 * Control characters except tabs and line breaks: NUL ends a cell in SQLite, and escape sequences move a terminal's
 * cursor.
 */
const controls = /[^\P{Cc}\t\r\n]/gu;

function toPrintable(text: string): string {
  return text.toWellFormed().replace(controls, "\ufffd");
}

/** Characters that start a formula, including full-width forms, which some spreadsheets treat the same. */
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function defuse(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

function cut(text: string): string {
  if (text.length <= longestCell) return text;
  return `${text.slice(0, longestCell - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Also quotes spaces at the ends, because some readers drop unquoted ones. */
const special = /^ | $|[",\r\n]/;

function quote(text: string): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
