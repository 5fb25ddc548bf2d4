// How a message came in, and what that way can't know about the sender's session. Only our own listener sees it. What a
// trusted server recorded in the message counts as known, but as recorded by that server.

import type { Recorded } from "../mail/headers/recorded-verdicts.ts";
import type { Door, InboundProvider, RecordedVerdicts, SmtpSession } from "../mail/session/session.ts";
import { toVisible } from "../visible-text.ts";

export type Entrance = {
  readonly kind: "smtp" | "upload" | Door["kind"];
  /** The address of the mailbox that it was read from. */
  readonly mailbox: string | null;
  readonly provider: InboundProvider | null;
  /** The server whose record of the sender's session is used. */
  readonly recordedBy: string | null;
  readonly unknown: readonly UnknownPart[];
  /** What the provider says that it found. Absent if it says nothing, and in older reports. */
  readonly verdicts?: RecordedVerdicts;
};

export const unknownParts = ["session", "tls", "client", "helo", "sender", "recipients", "bytes"] as const;
type UnknownPart = (typeof unknownParts)[number];

type Said = Pick<SmtpSession, "source" | "door" | "clientAddress" | "helo" | "mailFrom">;

/** `session`: with what a trusted server recorded, if there is a record. */
export function toEntrance(session: Said, recorded: Pick<Recorded, "by"> | null): Entrance {
  const { source, door } = session;
  if (source === "smtp") return { kind: "smtp", mailbox: null, provider: null, recordedBy: null, unknown: [] };
  const isUnknown: Readonly<Record<UnknownPart, boolean>> = {
    session: true,
    tls: true,
    client: session.clientAddress === null,
    helo: session.helo === null,
    sender: session.mailFrom === null,
    // A mailbox shows only headers, which may name other addresses.
    recipients: door === undefined || door.kind === "imap",
    bytes: true,
  };
  return {
    kind: door?.kind ?? "upload",
    mailbox: door?.kind === "imap" ? door.mailbox : null,
    provider: door?.kind === "webhook" ? door.provider : null,
    recordedBy: recorded?.by ?? null,
    unknown: unknownParts.filter((part) => isUnknown[part]),
    ...(door?.kind === "webhook" && door.recorded && { verdicts: door.recorded }),
  };
}

const providerNames: Readonly<Record<InboundProvider, string>> = {
  cloudflare: "Cloudflare",
  ses: "Amazon SES",
  mailgun: "Mailgun",
  postmark: "Postmark",
  sendgrid: "SendGrid",
};

/** A sentence without its period. */
export function toEntranceWords({ kind, mailbox, provider }: Entrance): string {
  if (kind === "smtp") return "Received over SMTP";
  if (kind === "lmtp") return "Came by LMTP from your mail server";
  if (kind === "imap") return `Read from the mailbox ${mailbox ?? ""} by IMAP`;
  if (kind === "webhook") return `Posted by ${provider === null ? "a provider" : providerNames[provider]}`;
  return "Uploaded, not received";
}

const partWords: Readonly<Record<UnknownPart, string>> = {
  session: "the sender’s SMTP commands and their timing",
  tls: "whether and how that connection was encrypted",
  client: "the sending server’s IP address",
  helo: "its HELO name",
  sender: "the envelope sender",
  recipients: "the envelope recipients",
  bytes: "the line endings as sent",
};

/** In the order of `unknown`. */
export function toUnknownWords({ unknown }: Pick<Entrance, "unknown">): string[] {
  return unknown.map((part) => partWords[part]);
}

const recordable = ["client", "helo", "sender"] as const;

/** A sentence about what is known from a record, without its period. Null if nothing was recorded. */
export function toRecordWords({ kind, recordedBy, unknown }: Entrance): string | null {
  if (recordedBy === null) return null;
  // By these ways the envelope's sender comes with the message, and not from a record.
  const parts = kind === "lmtp" || kind === "webhook" ? (["client", "helo"] as const) : recordable;
  const known = parts.filter((part) => !unknown.includes(part));
  const names = known.map((part) => shortWords[part]);
  return names.length === 0 ? null : `Recorded by ${recordedBy}: ${names.join(", ")}`;
}

const shortWords = { client: "IP address", helo: "HELO name", sender: "envelope sender" } as const;

/** What the provider found, in its own words, without a period. Null if it said nothing. */
export function toVerdictWords({ provider, verdicts = {} }: Entrance): string | null {
  const said = (["spf", "dkim", "dmarc", "spam", "virus"] as const).flatMap((method) => {
    const verdict = verdicts[method];
    return verdict === undefined
      ? []
      : [`${methodWords[method]} ${toVisible(verdict.replaceAll("_", " ")).toLowerCase()}`];
  });
  return said.length === 0 || provider === null
    ? null
    : `Recorded by ${providerNames[provider]}, not checked by Assay: ${said.join(", ")}`;
}

const methodWords = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC", spam: "spam", virus: "virus" } as const;
