// What alerts need from the sender of mail (features/sending/work/alert-mailer.ts).

import type { Scope } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import type { WrittenEmail } from "../rules/email-page.ts";
import type { AlertMailKeys } from "../rules/mail-token.ts";

export type OutgoingAlertMail = WrittenEmail & {
  /** Named in the return path: the address that gets alerts, an invitation, or any ID. */
  readonly addressId: string;
  readonly to: string;
  /** Any ID. The same for each try. */
  readonly messageKey: string;
  /** For List-Unsubscribe. Null: the recipient isn't subscribed yet. */
  readonly unsubscribeUrl: string | null;
};

export type MailOutcome =
  | { readonly ok: true; readonly reply: string }
  | {
      readonly ok: false;
      readonly problem: string;
      /** The mail server's reply, if there was one. */
      readonly reply: string | null;
      /** It rejected the recipient for good. */
      readonly isHardBounce: boolean;
    };

/** `why` completes "ASSAY_… (…)". */
export type MissingSetting = { readonly setting: string; readonly why: string };

export type AlertMailer = {
  /** What must be set before alerts can be sent by email. */
  readonly missing: () => readonly MissingSetting[];
  /** The sender's address. Null if it is missing. */
  readonly from: () => string | null;
  readonly keys: AlertMailKeys;
  /** Resolves once the relay has accepted or rejected it. */
  readonly send: (scope: Scope, mail: OutgoingAlertMail, signal: AbortSignal) => Promise<MailOutcome>;
};

/** For one SMTP session. Less than a delivery's lease. */
export const mailDeadlineMs = 25_000;

export function requireMailer(mailer: Pick<AlertMailer, "missing">): void {
  const missing = mailer.missing();
  if (missing.length > 0) throw new Refusal("email_not_configured", toMissingWords(missing));
}

export function toMissingWords(missing: readonly MissingSetting[]): string {
  const listed = missing.map(({ setting, why }) => `${setting} (${why})`).join(", ");
  return `This server can't send email yet. Set it up under Settings > Server, or set ${listed}.`;
}
