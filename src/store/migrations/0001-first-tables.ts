import { alertTables } from "./first/alerts.ts";
import { billingTables } from "./first/billing.ts";
import { domainTables } from "./first/domains.ts";
import { installationTables } from "./first/installation.ts";
import { integrationTables } from "./first/integrations.ts";
import { mailTables } from "./first/mail.ts";
import { mailReportTables } from "./first/mail-reports.ts";
import { peopleTables } from "./first/people.ts";
import { rollupTables } from "./first/rollups.ts";
import { searchTables } from "./first/search.ts";
import { seenSenderTables } from "./first/seen-senders.ts";
import { sendTables } from "./first/sends.ts";
import { shareTables } from "./first/shares.ts";
import { sightingTables } from "./first/sightings.ts";
import { testCountTables } from "./first/test-counts.ts";
import { testTables } from "./first/tests.ts";
import { workspaceTables } from "./first/workspaces.ts";
import type { Migration } from "./migration.ts";

export const firstTables: Migration = {
  name: "0001-first-tables",
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
