// Emails about accounts: a reset link, a changed password, an invitation. Names in an invitation were chosen by someone whom
// its reader may not know, so they are bounded and can carry no link.

import { toEmail, toSubject, type WrittenEmail, withoutDomains } from "../alerts/email-page.ts";
import { toName } from "../alerts/notice-text.ts";
import type { Role } from "./roles.ts";

type FromServer = {
  /** Our server's web address, without a trailing slash. */
  readonly baseUrl: string;
  /** The account's address, or the one that is invited. */
  readonly email: string;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;

export function renderPasswordReset({
  baseUrl,
  email,
  link,
  lifeMs,
}: FromServer & { readonly link: string; readonly lifeMs: number }): WrittenEmail {
  return toEmail({
    subject: "Reset your Assay password",
    title: "Reset your password",
    intro: [
      `Someone asked to reset the password of the Assay account ${email}. If that was you, choose a new password.`,
      `The link works once, for ${lifeMs / minuteMs} minutes. If your account has a second factor, you still need it to log in.`,
    ],
    sections: [],
    action: { url: link, words: "Choose a new password" },
    footer: [
      "If you didn’t ask for this, ignore this message. Your password stays as it is.",
      toOrigin(baseUrl),
    ],
  });
}

export function renderPasswordChanged({
  baseUrl,
  email,
  at,
  address,
  forgotPath,
}: FromServer & {
  readonly at: number;
  /** The client that changed it. */
  readonly address: string;
  readonly forgotPath: string;
}): WrittenEmail {
  const when = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return toEmail({
    subject: "Your Assay password was changed",
    title: "Your password was changed",
    intro: [
      `The password of the Assay account ${email} was changed on ${when}, from the IP address ${address}.`,
      "All other sessions of the account ended. API tokens still work.",
      "If this was you, there is nothing to do. If it wasn’t, reset your password now, revoke API tokens that you don’t recognize, and tell your administrator.",
    ],
    sections: [],
    action: { url: `${baseUrl}${forgotPath}`, words: "Reset your password" },
    footer: [toOrigin(baseUrl)],
  });
}

type Invitation = FromServer & {
  readonly link: string;
  readonly workspace: string;
  /** Null: the server's operator. */
  readonly inviter: string | null;
  readonly role: Role;
  readonly lifeMs: number;
};

export function renderInvitation(invitation: Invitation): WrittenEmail {
  const { baseUrl, email, link, role, lifeMs } = invitation;
  const workspace = withoutDomains(toName(invitation.workspace));
  const inviter =
    invitation.inviter === null ? "The administrator" : withoutDomains(toName(invitation.inviter));
  return toEmail({
    subject: toSubject(`Invitation to the Assay workspace “${workspace}”`),
    title: "You’re invited to a workspace",
    intro: [
      `${inviter} invited ${email} to the workspace “${workspace}” in Assay, as ${role === "owner" ? "an owner" : "a member"}. Assay tests whether email reaches the inbox.`,
      `The link works once, for ${lifeMs / dayMs} days. To join, choose a password, or enter the one that you already have in Assay.`,
    ],
    sections: [],
    action: { url: link, words: "Open the invitation" },
    footer: ["If you didn’t expect this, ignore this message. You won’t be added.", toOrigin(baseUrl)],
  });
}

function toOrigin(baseUrl: string): string {
  return `Sent by the Assay server at ${baseUrl}.`;
}
