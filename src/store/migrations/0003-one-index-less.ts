import type { Migration } from "./migration.ts";

/**
 * Mail that comes in is put into one index less: those that wait for analysis, and are under it, are listed by the index that
 * they are taken from; those that failed by one of their own.
 */
export const oneIndexLess: Migration = {
  name: "0003-one-index-less",
  statements: () => [
    "drop index tests_unfinished",
    "drop index tests_due",
    "create index tests_due on tests (due_at, id, workspace_id, status, became, composite) where due_at is not null",
    "create index tests_failed on tests (workspace_id, became, id, composite) where status = 'failed'",
  ],
};
