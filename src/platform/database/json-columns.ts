// What the columns with JSON contain, as their readers need it. Each feature declares those of its tables next to them.
// Rows that come from outside are read with these before they are written (features/backups/work/import-checks.ts).

import type { z } from "zod";
import type { Schema } from "./schema.ts";

/** A schema of what the JSON says, or what reads its text and throws. */
export type JsonReader = z.ZodType | ((text: string, row: Readonly<Record<string, unknown>>) => unknown);

/** Several columns, or fields, of one kind. */
export function all<S, N extends string>(schema: S, ...names: readonly N[]): Record<N, S> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;
}

export type JsonColumns = {
  readonly [Table in keyof Schema]?: { readonly [Column in keyof Schema[Table]]?: JsonReader };
};
