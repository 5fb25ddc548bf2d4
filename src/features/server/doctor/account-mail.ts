// Whether the running server can send mail about accounts. Someone who waits for a reset link can't see why none comes.

import { listMissingForMail } from "../../sending/work/alert-mailer.ts";
import { readMetrics } from "./own-server.ts";
import { createHeading, type Examination } from "./row.ts";

const figure = /^assay_account_email_failing ([01])$/m;

export const examineAccountMail: Examination = async (patient) => {
  const heading = createHeading("account-mail", "Account email");
  const missing = listMissingForMail(patient.config);
  if (missing.length > 0)
    return [
      heading.grey(
        "Password resets and invitations are not sent by email.",
        `To send them, set up email under Settings > Server, or set ${missing.map(({ setting }) => setting).join(", ")}.`,
      ),
    ];
  const [, isFailing] = figure.exec((await readMetrics(patient)) ?? "") ?? [];
  if (isFailing === undefined) return [heading.grey("Unknown, because Assay's web server does not respond.")];
  if (isFailing === "1")
    return [
      heading.red(
        "The last email about an account (a password reset, a changed password, or an invitation) could not be sent.",
        "Look for “account email not sent” in the log. It names the reason.",
      ),
    ];
  return [heading.green("Password resets and invitations are sent by email. No problem is known.")];
};
