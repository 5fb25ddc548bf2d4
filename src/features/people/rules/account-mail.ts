// Emails about accounts: a reset link, a changed password, an invitation. Names in an invitation were chosen by someone whom
// its reader may not know, so they are bounded and can carry no link. So are those of connected logins, which a person
// who had the account before may have chosen.

import { toPlural } from "../../../analyzer/count-words.ts";
import type { Role } from "../../../platform/contract/roles.ts";
import { toEmail, toSubject, type WrittenEmail, withoutDomains } from "../../alerts/rules/email-page.ts";
import { toName } from "../../alerts/rules/notice-text.ts";

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
    footer: ["If you didn’t ask for this, ignore this message. Your password stays as it is.", toOrigin(baseUrl)],
  });
}

/** What leads into an account, or is needed to log in to it, besides its password. */
export type WaysIn = {
  /** `issuer`: its label, or its URL if this server no longer uses it. */
  readonly logins: readonly { readonly issuer: string; readonly email: string | null }[];
  readonly passkeys: number;
  readonly apps: number;
  readonly tokens: number;
};

const mostLogins = 10;

/** An empty list if there are none. */
function explainWaysIn({ logins, passkeys, apps, tokens }: WaysIn): string[] {
  const named = logins.slice(0, mostLogins).map(({ issuer, email }) => {
    const label = `“${withoutDomains(toName(issuer))}”`;
    return email === null ? label : `${label} as ${withoutDomains(toName(email))}`;
  });
  if (logins.length > mostLogins) named.push(`and ${logins.length - mostLogins} more`);
  const factors = [
    ...(passkeys > 0 ? [toPlural(passkeys, "passkey", "passkeys")] : []),
    ...(apps > 0 ? [toPlural(apps, "authenticator app", "authenticator apps")] : []),
  ].join(" or ");
  const opens = logins.length === 1 ? "This login also opens" : "These logins also open";
  const ask = `If ${passkeys + apps === 1 ? "it isn’t yours, ask your administrator to remove it" : "none of them is yours, ask your administrator to remove them"}.`;
  const still = tokens === 1 ? "works" : "work";
  const says = [
    ...(named.length > 0 ? [`${opens} the account: ${named.join(", ")}.`] : []),
    ...(factors === "" ? [] : [`Logging in with the password also takes a second factor: ${factors}. ${ask}`]),
    ...(tokens > 0 ? [`${toPlural(tokens, "API token", "API tokens")} of the account still ${still}.`] : []),
  ];
  if (says.length === 0) return [];
  const account = named.length > 0 || factors !== "" ? ["Account"] : [];
  const places = [...account, ...(tokens > 0 ? ["API tokens"] : [])];
  const where = places.map((place) => `Settings → ${place}`).join(" and ");
  return [...says, `Remove what you don’t recognize under ${where}.`];
}

export function renderPasswordChanged({
  baseUrl,
  email,
  at,
  address,
  forgotPath,
  ways,
}: FromServer & {
  readonly ways: WaysIn;
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
      "All other sessions of the account ended.",
      ...explainWaysIn(ways),
      "If you didn’t change it, reset your password now, and tell your administrator.",
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
  const inviter = invitation.inviter === null ? "The administrator" : withoutDomains(toName(invitation.inviter));
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

export function renderTestMail({ baseUrl, email }: FromServer): WrittenEmail {
  return toEmail({
    subject: "Test message from Assay",
    title: "Email works",
    intro: [`Assay can send email to ${email}. Alerts, invitations, and password resets are sent in the same way.`],
    sections: [],
    action: { url: `${baseUrl}/settings/server`, words: "Open the settings" },
    footer: [toOrigin(baseUrl)],
  });
}

function toOrigin(baseUrl: string): string {
  return `Sent by the Assay server at ${baseUrl}.`;
}
