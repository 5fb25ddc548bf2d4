import type { Migration } from "./migration.ts";

/** When alerts wait, and what a monitor's badge is called. */
export const expectedMail: Migration = {
  name: "0014-expected-mail",
  statements: ({ text }) => [
    `alter table alerts add column quiet_hours ${text}`,
    `alter table monitors add column badge_name ${text}`,
  ],
};
