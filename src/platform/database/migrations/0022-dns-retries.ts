import type { Migration } from "./migration.ts";

/** Tests whose DNS queries were not answered, which are looked at again. The row stays as the record of that. */
export const dnsRetries: Migration = {
  name: "0022-dns-retries",
  statements: ({ text, integer, real, strict, clustered }) => [
    `create table dns_retries (
      test_id ${text} primary key not null references tests (id) on delete cascade,
      workspace_id ${text} not null,
      due_at ${integer},
      tries ${integer} not null,
      was_dead ${integer} not null,
      first_analyzed_at ${integer} not null,
      first_composite ${real},
      updated_at ${integer}
    ) ${strict}${clustered}`,
    "create index dns_retries_due on dns_retries (due_at, test_id) where due_at is not null",
  ],
};
