import type { Migration } from "./migration.ts";

/**
 * Raw messages outside the database: where each one is, and what is left to delete there. A trigger queues the object of
 * every removed row, because rows are removed in many places, including cascades.
 */
export const messageObjects: Migration = {
  name: "0019-message-objects",
  reads: { table: "raw_messages", microseconds: { sqlite: 16, postgres: 1 } },
  statements: ({ text, integer, strict, clustered, trigger }) => [
    `alter table raw_messages add column stored_in ${text}`,
    `alter table raw_messages add column object_key ${text}`,
    `alter table raw_messages add column object_hash ${text}`,
    `alter table raw_messages add column object_bytes ${integer}`,
    // Includes the size, so that the sum of all sizes reads no row.
    "create unique index raw_messages_of_object on raw_messages (object_key, object_bytes) where object_key is not null",
    `create table object_removals (
      object_key ${text} primary key not null,
      stored_in ${text} not null
    ) ${strict}${clustered}`,
    ...trigger({
      name: "raw_messages_removed",
      after: "delete on raw_messages",
      when: "old.object_key is not null",
      does: `insert into object_removals (object_key, stored_in)
        values (old.object_key, old.stored_in) on conflict do nothing`,
    }),
  ],
};
