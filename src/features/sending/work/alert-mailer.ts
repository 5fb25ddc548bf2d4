// Sends alerts and mail about accounts through the relay, signed (src/decisions.md, "Alerts"). Bounces come back to a return
// path at a seed domain, where our own listener reads them. Without a public seed domain they go to the sender's address.

import MailComposer from "nodemailer/lib/mail-composer";
import { type OwnSender, readOwnSender } from "../../../analyzer/mail/headers/own-sender.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import { type AlertMailKeys, toAlertMessageId, toAlertReturnPath } from "../../alerts/rules/mail-token.ts";
import type { AlertMailer, MailOutcome, MissingSetting, OutgoingAlertMail } from "../../alerts/work/mailer.ts";
import { readFirstWorkspaceScope } from "../../people/rows/workspaces.ts";
import type { SignOutgoing } from "./signing-keys.ts";
import { type MailTransport, TransportFailure } from "./transports.ts";

type AlertMailerTerms = {
  readonly config: Pick<Config, "alertFrom" | "baseUrl" | "seedDomains">;
  readonly system: Pick<System, "now">;
  readonly keys: AlertMailKeys;
  readonly sign: SignOutgoing;
  /** Used only if it is a relay. */
  readonly road: MailTransport;
};

export function createAlertMailer(terms: AlertMailerTerms): AlertMailer {
  const { config, keys, road } = terms;
  return {
    missing: () => listMissing(config, road.transport === "relay"),
    from: () => readSender(config)?.address ?? null,
    keys,
    send: async (scope, mail, signal) => {
      const [sender, bounceDomain] = [readSender(config), findPublicDomain(config)];
      if (sender === null) throw new Error("There is no sender for alert mail.");
      const mailFrom = bounceDomain === null ? sender.address : toAlertReturnPath(mail.addressId, bounceDomain, keys);
      const raw = await signForAny(scope, sender.domain, await compose(mail, sender, terms), terms.sign);
      const mark = { sendId: null, workspaceId: scope.workspaceId, label: null };
      try {
        return { ok: true, reply: await road.deliver({ mark, mailFrom, rcptTo: mail.to, raw }, signal) };
      } catch (error) {
        return toFailure(error);
      }
    },
  };
}

function readSender(config: AlertMailerTerms["config"]): OwnSender | null {
  const domain = findPublicDomain(config);
  const text = config.alertFrom ?? (domain === null ? null : `Assay <alerts@${domain}>`);
  const reading = text === null ? null : readOwnSender(text);
  return reading?.ok ? reading.sender : null;
}

/** The default seed domain exists only on this machine. */
function findPublicDomain({ seedDomains }: Pick<Config, "seedDomains">): string | null {
  return seedDomains.find((domain) => domain !== "localhost" && !domain.endsWith(".localhost")) ?? null;
}

/** What a server with these settings lacks to send mail to people. */
export function listMissingForMail(
  config: AlertMailerTerms["config"] & Pick<Config, "sendSmtpUrl">,
): readonly MissingSetting[] {
  return listMissing(config, config.sendSmtpUrl !== null);
}

function listMissing(config: AlertMailerTerms["config"], hasRelay: boolean): MissingSetting[] {
  return [
    ...(hasRelay ? [] : [{ setting: "ASSAY_SEND_SMTP_URL", why: "the relay that delivers the mail" }]),
    ...(config.baseUrl === null ? [{ setting: "ASSAY_BASE_URL", why: "the web address for links in the mail" }] : []),
    ...(readSender(config) === null ? [{ setting: "ASSAY_ALERT_FROM", why: "the sender’s address" }] : []),
  ];
}

async function compose(
  { to, subject, text, html, messageKey, unsubscribeUrl }: OutgoingAlertMail,
  sender: OwnSender,
  { keys, system }: AlertMailerTerms,
): Promise<Uint8Array> {
  const composer = new MailComposer({
    from: { name: sender.name ?? "Assay", address: sender.address },
    to,
    subject,
    date: new Date(system.now()),
    messageId: `<${toAlertMessageId(messageKey, sender.domain, keys)}>`,
    text: withLineEnds(text),
    html: withLineEnds(html),
    headers: {
      // RFC 3834 §5, and Exchange's own field for the same.
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(unsubscribeUrl === null ? {} : toUnsubscribeFields(unsubscribeUrl)),
    },
    textEncoding: "quoted-printable",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await composer.compile().build();
}

/** RFC 8058 §3.1: one click needs HTTPS. */
function toUnsubscribeFields(url: string): Record<string, string> {
  const field = { "List-Unsubscribe": `<${url}>` };
  return url.startsWith("https://") ? { ...field, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : field;
}

/** RFC 5321 §2.3.8. */
function withLineEnds(text: string): string {
  return text.replace(/\r\n|\r|\n/g, "\r\n");
}

/** With the workspace's keys. Without one for the sender's domain, with those of the server's first workspace. */
async function signForAny(scope: Scope, domain: string, message: Uint8Array, sign: SignOutgoing): Promise<Uint8Array> {
  const signed = await sign(scope, domain, message);
  if (signed !== message) return signed;
  const first = await readFirstWorkspaceScope(scope);
  return first === undefined ? message : await sign(first, domain, message);
}

function toFailure(error: unknown): MailOutcome {
  if (!(error instanceof TransportFailure))
    return { ok: false, problem: `Internal error: ${messageOf(error)}`, reply: null, isHardBounce: false };
  const { rejection } = error;
  return {
    ok: false,
    problem: error.message,
    reply: rejection?.reply ?? null,
    isHardBounce: rejection?.isRecipient ?? false,
  };
}
