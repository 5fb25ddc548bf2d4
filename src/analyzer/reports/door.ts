// The door of a message, and what can't be known about its sender's session. Only our own listener sees that. What a
// trusted server recorded in the message counts as known, but as recorded by that server.

import type { Recorded } from "../mail/headers/recorded-verdicts.ts";
import {
  type DoorKind,
  doors,
  hasOwnSession,
  type RecordedVerdicts,
  type SentPart,
  sentParts,
} from "../mail/session/doors.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import { toVisible } from "../visible-text.ts";

export type ReportedDoor = {
  readonly kind: DoorKind;
  /** The address of the mailbox that it was read from. */
  readonly mailbox: string | null;
  readonly provider: string | null;
  /** How texts name the provider. Absent in older reports. */
  readonly providerName?: string;
  /** The server whose record of the sender's session is used. */
  readonly recordedBy: string | null;
  readonly unknown: readonly SentPart[];
  /** What the provider says that it found. Absent if it says nothing, and in older reports. */
  readonly verdicts?: RecordedVerdicts;
};

type Said = Pick<SmtpSession, "door" | "clientAddress" | "helo" | "mailFrom" | "rcptTo">;

/** `session`: with what a trusted server recorded, if there is a record. */
export function toReportedDoor(session: Said, recorded: Pick<Recorded, "by"> | null): ReportedDoor {
  const { door, clientAddress: client, helo, mailFrom: sender, rcptTo } = session;
  const { knows } = doors[door.kind];
  const said: Readonly<Partial<Record<SentPart, string | null>>> = {
    client,
    helo,
    sender,
    recipients: rcptTo[0] ?? null,
  };
  const isUnknown = (part: SentPart) => knows[part] === "no" || said[part] === null;
  return {
    kind: door.kind,
    mailbox: "mailbox" in door ? door.mailbox : null,
    provider: "provider" in door ? door.provider : null,
    ...("provider" in door && door.providerName !== undefined && { providerName: door.providerName }),
    recordedBy: recorded?.by ?? null,
    unknown: hasOwnSession(session) ? [] : sentParts.filter(isUnknown),
    ...("recorded" in door && door.recorded && { verdicts: door.recorded }),
  };
}

/** A sentence without its period. */
export function toDoorWords({ kind, mailbox, providerName }: ReportedDoor): string {
  return doors[kind].says({ mailbox, provider: providerName ?? null });
}

const partWords: Readonly<Record<SentPart, string>> = {
  session: "the sender’s SMTP commands and their timing",
  tls: "whether and how that connection was encrypted",
  client: "the sending server’s IP address",
  helo: "its HELO name",
  sender: "the envelope sender",
  recipients: "the envelope recipients",
  bytes: "the line endings as sent",
};

/** In the order of `unknown`. */
export function toUnknownWords({ unknown }: Pick<ReportedDoor, "unknown">): string[] {
  return unknown.map((part) => partWords[part]);
}

/** A sentence about what is known from a record, without its period. Null if nothing was recorded. */
export function toRecordWords({ kind, recordedBy, unknown }: ReportedDoor): string | null {
  if (recordedBy === null) return null;
  const known = recordable.filter((part) => doors[kind].knows[part] === "told" && !unknown.includes(part));
  const names = known.map((part) => shortWords[part]);
  return names.length === 0 ? null : `Recorded by ${recordedBy}: ${names.join(", ")}`;
}

const recordable = ["client", "helo", "sender"] as const;
const shortWords = { client: "IP address", helo: "HELO name", sender: "envelope sender" } as const;

/** What the provider found, in its own words, without a period. Null if it said nothing. */
export function toVerdictWords({ providerName = "a provider", verdicts = {} }: ReportedDoor): string | null {
  const said = (["spf", "dkim", "dmarc", "spam", "virus"] as const).flatMap((method) => {
    const verdict = verdicts[method];
    return verdict === undefined
      ? []
      : [`${methodWords[method]} ${toVisible(verdict.replaceAll("_", " ")).toLowerCase()}`];
  });
  return said.length === 0 ? null : `Recorded by ${providerName}, not checked by Assay: ${said.join(", ")}`;
}

const methodWords = { spf: "SPF", dkim: "DKIM", dmarc: "DMARC", spam: "spam", virus: "virus" } as const;
