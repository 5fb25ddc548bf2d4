// Reads of several queries, each the answer to the one before, that are asked as one: on SQLite the reading thread answers
// them whole, because to wake it costs more than most of their queries.

import type { Db } from "./schema/schema.ts";
import { findCountedTests } from "./tests/lists.ts";

/** What they are asked and what they answer crosses threads. */
const wholeReads = { findCountedTests };

type WholeReads = typeof wholeReads;
export type WholeReadName = keyof WholeReads;
export type WholeQuestion<Name extends WholeReadName> = Parameters<WholeReads[Name]>[1];

export type ReadBatch = <Name extends WholeReadName>(
  name: Name,
  question: WholeQuestion<Name>,
) => Promise<Awaited<ReturnType<WholeReads[Name]>>>;

export function readWholeOn(db: Db): ReadBatch {
  // That a name's question goes with its answer is lost on an index into the table.
  return ((name, question) => wholeReads[name](db, question)) as ReadBatch;
}
