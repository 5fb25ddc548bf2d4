import type { Migration } from "./migration.ts";

/**
 * On SQLite, where each index costs the main thread time, received mail enters one index less. Tests that are waiting
 * or being analyzed are listed through the index of the queue (tests/walks.ts), which therefore includes workspace and
 * status.
 */
export const oneIndexLess: Migration = {
  name: "0003-one-index-less",
  reads: { table: "tests", microseconds: { sqlite: 1, postgres: 1 } },
  statements: ({ dialect }) =>
    dialect === "sqlite"
      ? [
          "drop index tests_unfinished",
          "drop index tests_due",
          "create index tests_due on tests (due_at, id, workspace_id, status) where due_at is not null",
          "create index tests_failed on tests (workspace_id, became, id, composite) where status = 'failed'",
        ]
      : [],
};
