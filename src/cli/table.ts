// Columns for a terminal. A column is as wide as its cells, but for the last cell of a row, which needs no room behind it,
// and for a cell so long that it would push all others away: that one pushes its own row alone.

import { toVisibleCut } from "../visible-text.ts";

const gap = "  ";
const widestColumn = 32;
/** Between a person's patience and the longest record that makes sense; all of it stands in the JSON. */
const longestCell = 1_500;
/** Narrower text than this cannot be read; it rather runs over the edge. */
const narrowestText = 20;

/** `columns`: of the terminal, at whose edge the last cell of a row goes on in a new line below itself. */
export function toTable(table: readonly (readonly string[])[], columns: number | null = null): string {
  // What strangers and members named is in these cells.
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
  const [first = "", ...others] = wrap(row.at(-1) ?? "", columns === null ? null : columns - indent.length);
  return [`${indent}${first}`, ...others.map((line) => " ".repeat(indent.length) + line)];
}

/** At spaces and behind commas; a word that is longer than a line, as keys are, is broken where the line ends. */
function wrap(text: string, room: number | null): string[] {
  if (room === null || room < narrowestText) return [text];
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
