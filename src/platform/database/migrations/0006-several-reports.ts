import type { Migration } from "./migration.ts";

/** A message may contain several reports. Each has a row of tests, but only the first has the message. */
export const severalReports: Migration = {
  name: "0006-several-reports",
  statements: ({ text }) => [`alter table mail_reports add column message_of ${text}`],
};
