import type { Words } from "../migration.ts";

/** Deletions that can still be undone. */
export function removalTables({ text, integer, strict }: Words): string[] {
  return [
    `create table removals (
      test_id ${text} primary key not null references tests (id) on delete cascade,
      workspace_id ${text} not null,
      removal_id ${text} not null,
      due_at ${integer} not null
    ) ${strict}`,
    "create index removals_due on removals (due_at, test_id)",
    "create index removals_of_workspace on removals (workspace_id, removal_id)",
  ];
}

/** What is worked out about a test when its report is opened. */
export function examinationTables({ text, integer, strict }: Words): string[] {
  return [
    `create table test_examinations (
      id ${text} primary key not null,
      workspace_id ${text} not null,
      test_id ${text} not null references tests (id) on delete cascade,
      kind ${text} not null,
      version ${integer} not null,
      state ${text} not null,
      result ${text},
      frozen ${text},
      examined_at ${integer},
      due_at ${integer},
      claimed_by ${text},
      claimed_until ${integer},
      attempts ${integer} not null,
      unique (test_id, kind)
    ) ${strict}`,
    "create index test_examinations_due on test_examinations (due_at, id) where due_at is not null",
  ];
}

/** Tests whose DNS queries were not answered, which are looked at again. The row stays as the record of that. */
export function dnsRetryTables({ text, integer, real, strict, clustered }: Words): string[] {
  return [
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
  ];
}
