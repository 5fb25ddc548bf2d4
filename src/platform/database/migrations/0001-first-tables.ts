import { alertTables, integrationTables } from "./first/alerts.ts";
import { domainTables, seenSenderTables } from "./first/domains.ts";
import { mailReportTables, mailTables, sendTables, sightingTables } from "./first/mail-reports.ts";
import { rollupTables, searchTables, testCountTables, testTables } from "./first/tests.ts";
import { billingTables, installationTables, peopleTables, shareTables, workspaceTables } from "./first/workspaces.ts";
import type { Migration } from "./migration.ts";

export const firstTables: Migration = {
  name: "0001-first-tables",
  // Databases with it exist, and differ only in the planner's costs of this function.
  formerly: {
    dialect: "postgres",
    checksum: "c3d70aaf9a28f2070d79d93e88e50cc6942a98ec38ad545347c6b058817b0860",
    repair: "alter function trigrams_of(text, text) cost 5000",
  },
  statements: (words) => [
    ...installationTables(words),
    ...workspaceTables(words),
    ...peopleTables(words),
    ...billingTables(words),
    ...testTables(words),
    ...testCountTables(words),
    ...searchTables(words),
    ...mailTables(words),
    ...mailReportTables(words),
    ...shareTables(words),
    ...rollupTables(words),
    ...domainTables(words),
    ...seenSenderTables(words),
    ...alertTables(words),
    ...sendTables(words),
    ...integrationTables(words),
    ...sightingTables(words),
  ],
};
