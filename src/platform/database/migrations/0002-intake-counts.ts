import type { Migration } from "./migration.ts";

/** On SQLite the intake counts what it inserts (intake/intake.ts). On PostgreSQL the trigger stays. */
export const intakeCounts: Migration = {
  name: "0002-intake-counts",
  statements: ({ dialect }) => (dialect === "sqlite" ? ["drop trigger tests_received"] : []),
};
