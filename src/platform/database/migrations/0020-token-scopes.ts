import type { Migration } from "./migration.ts";

/**
 * What a token may do, and where it was last used. Existing tokens could do everything, so they become `admin`. And which
 * workspaces were created from which: no foreign key, because a deleted one counts until its month is over. Of those that
 * exist already, the oldest of an owner counts as the origin of the owner's others.
 */
export const tokenScopes: Migration = {
  name: "0020-token-scopes",
  reads: { table: "workspaces", microseconds: { sqlite: 20, postgres: 20 } },
  statements: ({ text, integer, strict }) => [
    `alter table api_tokens add column scope ${text} not null default 'admin'`,
    `alter table api_tokens add column label ${text}`,
    `alter table api_tokens add column last_used_address ${text}`,
    `alter table api_tokens add column noticed_days ${integer}`,
    `create table workspace_origins (
      created_id ${text} not null primary key,
      origin_id ${text} not null,
      created_at ${integer} not null,
      removed_at ${integer}
    ) ${strict}`,
    "create index workspace_origins_by_origin on workspace_origins (origin_id)",
    `insert into workspace_origins (created_id, origin_id, created_at, removed_at)
      with owned as (
        select id, created_at, (
          select memberships.user_id from memberships
          where memberships.workspace_id = workspaces.id and memberships.role = 'owner'
          order by memberships.created_at, memberships.user_id limit 1) as owner
        from workspaces where removed_at is null)
      select owned.id, firsts.origin, owned.created_at, null
      from owned join (select owner, min(id) as origin from owned group by owner) firsts
        on firsts.owner = owned.owner`,
  ],
};
