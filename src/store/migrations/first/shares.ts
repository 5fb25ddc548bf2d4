import type { Words } from "../migration.ts";

/** Whoever made a share takes it with them when they leave the workspace; one without a creator is the operator's. */
export function shareTables({ text, integer, strict }: Words): string[] {
  return [
    `create table shares (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      test_id ${text} not null references tests (id) on delete cascade,
      hash ${text} not null unique,
      redact_body ${integer} not null,
      created_by ${text},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      foreign key (workspace_id, created_by) references memberships (workspace_id, user_id) on delete cascade
    ) ${strict}`,
    "create index shares_of_test on shares (test_id, id)",
    "create index shares_of_member on shares (workspace_id, created_by)",
    "create index shares_ended on shares (expires_at)",
  ];
}
