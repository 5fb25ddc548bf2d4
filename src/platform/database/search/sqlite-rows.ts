// The words of rows, for searches on SQLite: read from the table the first time, then cached.

import { type RawBuilder, sql } from "kysely";
import { toPlace } from "../../ids.ts";
import type { Db } from "../schema.ts";
import { createKeptWords, type KeptWords } from "./kept-words.ts";

/** A row and its words. Its number is text, because it exceeds the safe range of a number. */
type RowWords = { readonly row: string; readonly words: string };

/** `version` is that of the cached words. `learnedTo`: a workspace's rows down to this one are cached. */
type Memory = { readonly kept: KeptWords; readonly learnedTo: Map<string, bigint>; version: string | null };
const memories = new WeakMap<Db, Memory>();

/** If this many are unknown, some of the newest are loaded in order, which costs a third. */
const manyUnknown = 100;
const learnedAtOnce = 4_000;
/** Sorts after every ID. */
const latest = "z".repeat(14);

type Question = {
  readonly workspaceId: string;
  /** Row numbers separated by spaces. */
  readonly rows: string;
  readonly words: readonly string[];
  /** Changes whenever words have been replaced. */
  readonly version: string | null;
};

/** The rows that contain all the words, highest number first. */
export async function pickHolding(db: Db, { workspaceId, rows, words, version }: Question): Promise<string[]> {
  if (rows === "") return [];
  if (words.length === 0) return rows.split(" ");
  const memory = memories.get(db) ?? { kept: createKeptWords(), learnedTo: new Map(), version };
  memories.set(db, memory);
  if (memory.version !== version) forgetAll(memory);
  memory.version = version;
  const sought = words.map((word) => Buffer.from(word));
  const known = askKept(memory.kept, rows, sought);
  if (known.unknown.length === 0) return known.holding;
  if (known.unknown.length >= manyUnknown) await learn(db, memory, { workspaceId, version });
  const learned = askKept(memory.kept, known.unknown.join(" "), sought);
  const read = await readWords(db, learned.unknown);
  // Otherwise these words may have been replaced since.
  if (memory.version === version) for (const row of read) keep(memory, row);
  const holding = read.filter((row) => words.every((word) => row.words.includes(word)));
  return [...known.holding, ...learned.holding, ...holding.map(({ row }) => row)].sort(byNumber);
}

function askKept(
  kept: KeptWords,
  rows: string,
  sought: readonly Uint8Array[],
): { readonly holding: string[]; readonly unknown: string[] } {
  const holding: string[] = [];
  const unknown: string[] = [];
  for (let from = 0, to: number; from < rows.length; from = to + 1) {
    to = rows.indexOf(" ", from);
    if (to < 0) to = rows.length;
    const holds = kept.hold(rows, from, to, sought);
    if (holds === true) holding.push(rows.slice(from, to));
    if (holds === undefined) unknown.push(rows.slice(from, to));
  }
  return { holding, unknown };
}

async function learn(
  db: Db,
  memory: Memory,
  { workspaceId, version }: Pick<Question, "workspaceId" | "version">,
): Promise<void> {
  const { kept, learnedTo } = memory;
  const first = toPlace(workspaceId, "");
  const before = learnedTo.get(workspaceId) ?? toPlace(workspaceId, latest);
  const { rows } = await sql<RowWords>`
    select cast(row as text) as row, words from test_words
    where row >= ${first} and row <= ${before - 1n} order by test_words.row desc limit ${learnedAtOnce}`.execute(db);
  if (memory.version !== version) return;
  const hasRoom = rows.every(({ row, words }) => kept.keep(row, words));
  const last = rows.at(-1);
  learnedTo.set(workspaceId, hasRoom && last ? BigInt(last.row) : first);
}

function keep(memory: Memory, { row, words }: RowWords): void {
  if (memory.kept.keep(row, words)) return;
  forgetAll(memory);
  memory.kept.keep(row, words);
}

function forgetAll({ kept, learnedTo }: Memory): void {
  kept.forgetAll();
  learnedTo.clear();
}

async function readWords(db: Db, rows: readonly string[]): Promise<RowWords[]> {
  if (rows.length === 0) return [];
  const read = await sql<RowWords>`
    select cast(row as text) as row, words from json_each(${`[${rows}]`}) cross join test_words on row = value`.execute(
    db,
  );
  return read.rows;
}

/** `id` and `place` of their tests, in the order of these rows. Removed tests are left out. */
export function selectTests(rows: readonly string[]): RawBuilder<unknown> {
  return sql`
    select test_words.test_id as id, listed.key as place
    from json_each(${`[${rows}]`}) as listed cross join test_words on test_words.row = listed.value`;
}

function byNumber(one: string, other: string): number {
  return other.length - one.length || (one < other ? 1 : -1);
}
