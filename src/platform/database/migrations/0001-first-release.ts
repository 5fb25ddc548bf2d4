import { alertTables, integrationTables } from "./first/alerts.ts";
import { auditTables } from "./first/audit.ts";
import { domainTables, seenSenderTables } from "./first/domains.ts";
import { feedbackTables } from "./first/feedback.ts";
import { hookTables } from "./first/hooks.ts";
import { mailReportTables, mailTables, sendTables, sightingTables } from "./first/mail-reports.ts";
import { monitorTables } from "./first/monitors.ts";
import { identityTables, peopleTables, secondFactorTables, shareTables } from "./first/people.ts";
import { rehearsalTables } from "./first/rehearsals.ts";
import { rollupTables } from "./first/rollups.ts";
import { kindRuleTables, streamTables } from "./first/streams.ts";
import { dnsRetryTables, examinationTables, removalTables } from "./first/test-extras.ts";
import { searchTables, testCountTables, testTables } from "./first/tests.ts";
import { unsubscribeTables } from "./first/unsubscribes.ts";
import { billingTables, installationTables, workspaceTables } from "./first/workspaces.ts";
import type { Migration } from "./migration.ts";

export const firstRelease: Migration = {
  name: "0001-first-release",
  // A table comes after those that it refers to.
  statements: (words) => [
    ...installationTables(words),
    ...workspaceTables(words),
    ...peopleTables(words),
    ...identityTables(words),
    ...secondFactorTables(words),
    ...billingTables(words),
    ...auditTables(words),
    ...testTables(words),
    ...testCountTables(words),
    ...searchTables(words),
    ...removalTables(words),
    ...examinationTables(words),
    ...dnsRetryTables(words),
    ...kindRuleTables(words),
    ...streamTables(words),
    ...rehearsalTables(words),
    ...unsubscribeTables(words),
    ...shareTables(words),
    ...rollupTables(words),
    ...hookTables(words),
    ...mailTables(words),
    ...mailReportTables(words),
    ...domainTables(words),
    ...seenSenderTables(words),
    ...feedbackTables(words),
    ...alertTables(words),
    ...sendTables(words),
    ...monitorTables(words),
    ...integrationTables(words),
    ...sightingTables(words),
  ],
};
