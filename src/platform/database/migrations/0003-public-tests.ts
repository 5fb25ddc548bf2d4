import type { Migration } from "./migration.ts";

/**
 * Addresses that strangers were given, and what became of them. A test and its row here go together. The row is written
 * before its test, in one transaction.
 */
export const publicTests: Migration = {
  name: "0003-public-tests",
  statements: ({ text, integer, strict, clustered }) => [
    `create table public_tests (
      id ${text} primary key not null,
      local_part ${text} not null unique,
      created_at ${integer} not null,
      takes_until ${integer} not null,
      ends_at ${integer} not null,
      test_id ${text} unique references tests (id) on delete cascade deferrable initially deferred,
      bytes ${integer} not null
    ) ${strict}`,
    "create index public_tests_by_end on public_tests (ends_at)",
    `create table public_counts (
      day ${integer} not null,
      what ${text} not null,
      number ${integer} not null,
      primary key (day, what)
    ) ${strict}${clustered}`,
  ],
};
