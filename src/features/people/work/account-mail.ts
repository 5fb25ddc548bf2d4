// Sends mail about accounts, through the same relay and from the same sender as alerts. Links in it have the configured base
// URL and never a request's host. What couldn't be sent is logged, counted, and shown by the server check, because the
// person who waits for it learns nothing.

import type { Role } from "../../../platform/contract/roles.ts";
import { inWorkspace, type Scope, type WorkspaceStore } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import { readWorkspaceName, removeConfirmationMail } from "../../alerts/rows/addresses.ts";
import type { WrittenEmail } from "../../alerts/rules/email-page.ts";
import { countMail } from "../../alerts/work/mail-limits.ts";
import { type AlertMailer, type MailOutcome, mailDeadlineMs, requireMailer } from "../../alerts/work/mailer.ts";
import { readMember, updateInvitationMail } from "../rows/memberships.ts";
import { readFirstWorkspaceId } from "../rows/workspaces.ts";
import {
  renderInvitation,
  renderPasswordChanged,
  renderPasswordReset,
  renderTestMail,
  type WaysIn,
} from "../rules/account-mail.ts";
import { type InvitationMailState, links, mailedResetLifeMs, toLink } from "../rules/links.ts";

type AccountMailTerms = {
  readonly config: Pick<Config, "baseUrl">;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly store: Pick<Store, "read">;
  readonly mailer: Pick<AlertMailer, "missing" | "from" | "send">;
  /** Called for each one. A rejected recipient isn't the server's failure. */
  readonly onOutcome: (isFailing: boolean) => void;
};

type Account = { readonly id: string; readonly email: string };

type MailedInvitation = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly inviter: string | null;
  readonly secret: string;
};

/** `address`: the client's. */
type PasswordChange = { readonly address: string; readonly ways: WaysIn };

type InvitationMail = { readonly mail_state: InvitationMailState; readonly mail_problem: string | null };

export type AccountMail = {
  readonly isReady: () => boolean;
  /** Refuses with the missing settings. */
  readonly require: () => void;
  readonly sendReset: (to: Account, secret: string, signal: AbortSignal) => Promise<MailOutcome>;
  readonly sendChanged: (to: Account, change: PasswordChange, signal: AbortSignal) => Promise<MailOutcome>;
  /** To a member. */
  readonly sendTest: (
    store: Pick<WorkspaceStore, "read" | "write">,
    userId: string | null,
  ) => Promise<{ readonly to: string; readonly from: string; readonly outcome: MailOutcome }>;
  /** Also notes in its row what became of it. */
  readonly sendInvitation: (
    store: Pick<WorkspaceStore, "read" | "write">,
    invitation: MailedInvitation,
  ) => Promise<InvitationMail>;
};

/** Few relays accept such an address (analyzer/mail/headers/own-sender.ts). */
const notAscii = /[^\0-\x7f]/;
const unwritable = {
  ok: false,
  problem: "This server can't send email to an address with letters outside ASCII before the @.",
  reply: null,
  isHardBounce: true,
} as const;

/** The page of the web app that asks for a reset link. */
const forgotPath = "/forgot-password";

export function createAccountMail(terms: AccountMailTerms): AccountMail {
  const { config, system, store, mailer, onOutcome } = terms;
  const readBase = () => config.baseUrl ?? "";

  async function send(scope: Scope, mail: OutgoingMail, signal: AbortSignal): Promise<MailOutcome> {
    const { what, to, id, ...written } = mail;
    const outgoing = { ...written, to, addressId: id, messageKey: id, unsubscribeUrl: null };
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(mailDeadlineMs)]);
    const outcome = notAscii.test(to)
      ? unwritable
      : await mailer.send(scope, outgoing, deadline).catch((error: unknown): MailOutcome => {
          system.log.error("account email failed", { what, id }, error);
          return { ...unwritable, problem: "Internal error. See the server's log.", isHardBounce: false };
        });
    if (!outcome.ok) system.log.warn("account email not sent", { what, to, problem: outcome.problem });
    onOutcome(!outcome.ok && !outcome.isHardBounce);
    return outcome;
  }

  /** An account belongs to no workspace. Its mail is signed with the keys of the server's first one. */
  async function sendToAccount(what: string, to: string, written: WrittenEmail, signal: AbortSignal) {
    const scope = inWorkspace(store.read, (await readFirstWorkspaceId(store.read)) ?? "");
    const id = createId("delivery", system.now(), system.random(16));
    return await send(scope, { ...written, what, to, id }, signal);
  }

  return {
    isReady: () => mailer.missing().length === 0,
    require: () => requireMailer(mailer),
    sendReset: async ({ email }, secret, signal) => {
      const baseUrl = readBase();
      const link = toLink("passwordReset", baseUrl, secret);
      const written = renderPasswordReset({ baseUrl, email, link, lifeMs: mailedResetLifeMs });
      return await sendToAccount("password reset", email, written, signal);
    },
    sendChanged: async ({ email }, change, signal) => {
      const written = renderPasswordChanged({ baseUrl: readBase(), email, at: system.now(), forgotPath, ...change });
      return await sendToAccount("password changed", email, written, signal);
    },
    sendTest: async ({ read, write }, userId) => {
      requireMailer(mailer);
      const member = userId === null ? undefined : await readMember(read, userId);
      if (member === undefined)
        throw new Refusal("conflict", "This token belongs to no person. Log in, or use a token that a person created.");
      const { email } = member;
      const id = await write((scope) => countMail(scope, "test", email, system));
      const written = renderTestMail({ baseUrl: readBase(), email });
      const outcome = await sendToAccount("test", email, written, new AbortController().signal);
      // Only messages that arrive fill a mailbox.
      if (!outcome.ok) await write((scope) => removeConfirmationMail(scope, id));
      return { to: email, from: mailer.from() ?? "", outcome };
    },
    sendInvitation: async ({ read, write }, { id, email, role, inviter, secret }) => {
      const baseUrl = readBase();
      const written = renderInvitation({
        baseUrl,
        email,
        role,
        inviter,
        lifeMs: links.invitation.lifeMs,
        link: toLink("invitation", baseUrl, secret),
        workspace: await readWorkspaceName(read),
      });
      const mail = { ...written, what: "invitation", to: email, id };
      const outcome = await send(read, mail, new AbortController().signal);
      const became: InvitationMail = outcome.ok
        ? { mail_state: "sent", mail_problem: null }
        : { mail_state: "failed", mail_problem: outcome.problem };
      await write((scope) => updateInvitationMail(scope, id, became));
      return became;
    },
  };
}

type OutgoingMail = WrittenEmail & {
  /** For the log. */
  readonly what: string;
  readonly to: string;
  readonly id: string;
};
