import type { Migration } from "./migration.ts";

/**
 * What opens the workspace ends with the token that created it. A pending consent, too, and it may have no user: the
 * operator's tokens have none. Consents in progress are lost, and people start them again.
 */
export const createdWithToken: Migration = {
  name: "0027-created-with-token",
  reads: { table: "shares", microseconds: { sqlite: 2, postgres: 2 } },
  statements: ({ text, integer, strict }) => [
    ...["api_tokens", "invitations", "shares"].flatMap((table) => [
      `alter table ${table} add column created_with ${text} references api_tokens (id) on delete cascade`,
      `create index ${table}_of_token on ${table} (created_with) where created_with is not null`,
    ]),
    "drop table oauth_states",
    `create table oauth_states (
      hash ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      user_id ${text} references users (id) on delete cascade,
      created_with ${text} references api_tokens (id) on delete cascade,
      provider ${text} not null,
      secret ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null
    ) ${strict}`,
  ],
};
