import type { Migration } from "./migration.ts";

/** What became of an invitation that was sent by email. */
export const invitationMail: Migration = {
  name: "0025-invitation-mail",
  statements: ({ text, integer }) => [
    `alter table invitations add column mail_state ${text}`,
    `alter table invitations add column mail_problem ${text}`,
    `alter table invitations add column mailed_at ${integer}`,
  ],
};
