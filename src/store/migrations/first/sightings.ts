import type { Words } from "../migration.ts";

/**
 * How messages in seed mailboxes find their tests. Next to no message bears a mark, and next to no sighting waits, so that
 * an analysis pays for two look-ups in small tables. Keys are short hashes: they fit any index, and tell nothing of mail
 * that was no test's.
 */
export function sightingTables({ text, integer, strict, clustered }: Words): string[] {
  return [
    `create table test_marks (
      test_id ${text} not null references tests (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      mark ${text} not null,
      primary key (test_id, mark)
    ) ${strict}${clustered}`,
    "create index test_marks_by_mark on test_marks (workspace_id, mark, test_id)",
    `create table waiting_sightings (
      id ${text} primary key not null,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      integration_id ${text} not null references integrations (id) on delete cascade,
      kept_at ${integer} not null,
      sighting ${text} not null
    ) ${strict}`,
    "create index waiting_sightings_of_mailbox on waiting_sightings (integration_id, kept_at, id)",
    "create index waiting_sightings_by_age on waiting_sightings (kept_at)",
    "create index waiting_sightings_of_workspace on waiting_sightings (workspace_id)",
    `create table waiting_keys (
      sighting_id ${text} not null references waiting_sightings (id) on delete cascade,
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      match_key ${text} not null,
      primary key (sighting_id, match_key)
    ) ${strict}${clustered}`,
    "create index waiting_keys_by_key on waiting_keys (workspace_id, match_key)",
  ];
}
