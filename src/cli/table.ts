// Columns for a terminal: as wide as their widest cell, the last one unpadded.

import { toVisible } from "../visible-text.ts";

export function toTable(table: readonly (readonly string[])[]): string {
  // What strangers and members named is in these cells.
  const rows = table.map((row) => row.map(toVisible));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows
    .map((row) => row.map((cell, column) => pad(cell, column, row.length, widths)).join("  "))
    .join("\n");
}

function pad(cell: string, column: number, columns: number, widths: readonly number[]): string {
  return column === columns - 1 ? cell : cell.padEnd(widths[column] ?? 0);
}
