// Records as a person reads them: one a line, and nothing in them that breaks a line.

import { toVisible } from "../visible-text.ts";

export function toLines(records: readonly string[]): string | null {
  return records.length === 0 ? null : records.map(toVisible).join("\n");
}

export function linesOf(record: string | null): readonly string[] {
  return record === null ? [] : record.split("\n");
}
