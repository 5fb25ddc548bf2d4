import type { Migration } from "./migration.ts";

/**
 * What the malware scan found, and how a message came in, for lists and searches. Both are set by the analysis. For tests
 * from before, the first stays unknown, and the second is filled in bit by bit (features/server/upkeep/test-doors.ts).
 */
export const foundByColumn: Migration = {
  name: "0026-found-by-column",
  statements: ({ text }) => [
    `alter table tests add column malware ${text}`,
    `alter table tests add column door ${text}`,
  ],
};
