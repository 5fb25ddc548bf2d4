// What the upgrade of a database takes: estimated before it begins, from its rows and the speed that was measured when
// each migration was written.

import { sql } from "kysely";
import type { Db } from "../schema.ts";
import type { Store } from "../store.ts";
import type { Migration } from "./migration.ts";

type UpgradeStep = { readonly name: string; readonly expectedMs: number };

export type UpgradePlan = {
  /** In this order. The first may be the copy of the database. */
  readonly steps: readonly UpgradeStep[];
  readonly expectedMs: number;
  /** Tests in the database. */
  readonly tests: number;
};

/** Told what an upgrade does, so that people who wait know. */
export type UpgradeWatch = {
  /** Before anything is changed. */
  readonly begin: (plan: UpgradePlan) => Promise<void>;
  readonly step: (name: string) => void;
  /** `isDone`: false if it failed. */
  readonly end: (isDone: boolean) => Promise<void>;
};

export const unwatched: UpgradeWatch = { begin: async () => {}, step: () => {}, end: async () => {} };

/** For what doesn't depend on the number of rows: a table, a column, a trigger. */
const shortestMs = 20;
/** `vacuum into` on a local disk. */
const copiedBytesPerMs = 60_000;

export async function planUpgrade(
  db: Db,
  dialect: Store["dialect"],
  pending: readonly Migration[],
  copyBytes: number | null,
): Promise<UpgradePlan> {
  const rows = new Map<string, number>();
  for (const table of new Set(["tests", ...pending.flatMap(({ reads }) => (reads ? [reads.table] : []))]))
    rows.set(table, await countRows(db, table));
  const copy = copyBytes === null ? [] : [{ name: "copy", expectedMs: copyBytes / copiedBytesPerMs }];
  const steps = [
    ...copy,
    ...pending.map(({ name, reads }) => {
      const ofRows = reads ? ((rows.get(reads.table) ?? 0) * reads.microseconds[dialect]) / 1_000 : 0;
      return { name, expectedMs: shortestMs + ofRows };
    }),
  ];
  return {
    steps,
    expectedMs: steps.reduce((sum, { expectedMs }) => sum + expectedMs, 0),
    tests: rows.get("tests") ?? 0,
  };
}

async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** In the units that a person would use. Never more exact than the estimate is. */
export function toDurationWords(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 5) return "a few seconds";
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} seconds`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 55) return minutes === 1 ? "about a minute" : `about ${minutes} minutes`;
  const hours = Math.ceil(minutes / 30) / 2;
  return hours === 1 ? "about an hour" : `about ${hours} hours`;
}
