import type { Migration } from "./migration.ts";

/**
 * On SQLite, where an index more costs the main thread, mail that comes in is put into one less: what waits for analysis, or is
 * under it, is listed by the index that it is taken from (tests/walks.ts), which tells workspace and status for that.
 */
export const oneIndexLess: Migration = {
  name: "0003-one-index-less",
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
