import type { Migration } from "./migration.ts";

/** Second factors of people, and the workspaces that require one. */
export const secondFactors: Migration = {
  name: "0024-second-factors",
  statements: ({ text, integer, strict, clustered }) => [
    `create table second_factors (
      id ${text} primary key not null,
      user_id ${text} not null references users (id) on delete cascade,
      kind ${text} not null,
      name ${text} not null,
      created_at ${integer} not null,
      confirmed_at ${integer},
      last_used_at ${integer},
      secret ${text},
      last_step ${integer},
      passkey ${text},
      credential_id ${text} unique
    ) ${strict}`,
    "create index second_factors_of_user on second_factors (user_id, id)",
    `create table recovery_codes (
      user_id ${text} not null references users (id) on delete cascade,
      hash ${text} not null,
      primary key (user_id, hash)
    ) ${strict}${clustered}`,
    `alter table sessions add column second_factor_at ${integer}`,
    `alter table sessions add column pending ${text}`,
    `alter table workspaces add column requires_second_factor ${integer} not null default 0`,
  ],
};
