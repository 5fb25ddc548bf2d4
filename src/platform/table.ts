// Columns for a terminal. A column is as wide as its cells. The last cell of a row and very long cells do not count, so that
// a long cell shifts only its own row.

import { toVisibleCut } from "../analyzer/visible-text.ts";

const gap = "  ";
const widestColumn = 40;
/** Longer than any sensible DNS record. The JSON has all of it. */
const longestCell = 1_500;
/** Text is not wrapped narrower than this, because it would be unreadable. It begins on the next line instead. */
const narrowestText = 20;
const below = "    ";

/** `columns`: the width of the terminal, at which the last cell of a row is wrapped. */
export function toTable(table: readonly (readonly string[])[], columns: number | null = null): string {
  // Cells may contain text from messages and DNS.
  const rows = table.map((row) => row.map((cell) => toVisibleCut(cell, longestCell)));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.slice(0, -1).entries())
      if (cell.length <= widestColumn) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) => toLines(row, widths, columns).join("\n")).join("\n");
}

function toLines(row: readonly string[], widths: readonly number[], columns: number | null): string[] {
  const head = row.slice(0, -1).map((cell, column) => cell.padEnd(widths[column] ?? 0) + gap);
  const indent = head.join("");
  const last = row.at(-1) ?? "";
  const room = (columns ?? Number.POSITIVE_INFINITY) - indent.length;
  const roomBelow = (columns ?? 0) - below.length;
  if (room < Math.min(narrowestText, last.length) && roomBelow >= narrowestText)
    return [indent.trimEnd(), ...wrap(last, roomBelow).map((line) => below + line)];
  const [first = "", ...others] = wrap(last, room);
  return [`${indent}${first}`, ...others.map((line) => " ".repeat(indent.length) + line)];
}

/** Breaks at spaces and after commas. A word that is longer than a line, like a key, is broken at its end. */
function wrap(text: string, room: number): string[] {
  if (room < narrowestText) return [text];
  const lines: string[] = [];
  let rest = text;
  while (rest.length > room) {
    const end = Math.max(rest.lastIndexOf(" ", room), rest.lastIndexOf(",", room - 1) + 1);
    const line = rest.slice(0, end > 0 ? end : room).replace(/[\ud800-\udbff]$/, "");
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return [...lines, rest];
}
