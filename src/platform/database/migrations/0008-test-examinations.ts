import type { Migration } from "./migration.ts";

/** What is worked out about a test after its report. Tests from before have no rows until someone opens them. */
export const testExaminations: Migration = {
  name: "0008-test-examinations",
  statements: ({ text, integer, strict }) => [
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
  ],
};
