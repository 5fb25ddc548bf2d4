// Rehearsals in words, for the app and the terminal.

import {
  parseRehearsalTag,
  type RehearsalTag,
  toChosenReply,
  toProbe,
  toRate,
  toReceiver,
} from "../../analyzer/mail/headers/rehearsal-address.ts";
import type { Rehearsal } from "./contract.ts";

type Attempt = Rehearsal["attempts"][number];

const receiverNames: Readonly<Record<string, string>> = {
  gmail: "Gmail",
  outlook: "Outlook.com",
  yahoo: "Yahoo",
  icloud: "iCloud",
  strict: "a strict receiver",
};

const probeNames: Readonly<Record<string, string>> = {
  greylist: "greylisting",
  "no-tls": "no STARTTLS",
  "bad-cert": "wrong certificate",
  slow: "slow reply",
  drop: "dropped connection",
  full: "mailbox full",
  size: "size limit",
};

export function toRehearsalName(tag: RehearsalTag): string {
  const receiver = toReceiver(tag);
  if (receiver !== null) return `Rehearsal of ${receiverNames[receiver]}`;
  const probe = toProbe(tag);
  if (probe !== null) return `Sender probe: ${probeNames[probe]}`;
  const reply = toChosenReply(tag);
  if (reply === null) return `Chosen rate: ${toRate(tag)} a minute`;
  return `Chosen reply: ${reply.code} ${reply.enhanced} to the ${reply.to}`;
}

/** Whether a test may have a rehearsal. Its label is the part of its address after the plus sign. */
export function asksForRehearsal(label: string | null): boolean {
  return parseRehearsalTag(label) !== null;
}

const outcomes = {
  accepted: "Accepted",
  deferred: "Deferred",
  refused: "Rejected",
  dropped: "Connection dropped",
} as const;

const reached = {
  ehlo: "Left after EHLO",
  "handshake-failed": "Broke off the TLS handshake",
  handshake: "Left after the TLS handshake",
  mail: "Refused at MAIL",
  envelope: "Left before the end of the message",
  data: "Refused after the whole message",
} as const;

export function toAttemptOutcome(attempt: Attempt): string {
  if (attempt.kind === "connection") return attempt.reached === null ? "" : reached[attempt.reached];
  const outcome = attempt.outcome === null ? "" : outcomes[attempt.outcome];
  return attempt.hungUp ? `${outcome}, but the sender hung up first` : outcome;
}

const specials = {
  "no-tls": "no STARTTLS offered",
  "bad-cert": "wrong certificate",
  size: "small size limit",
} as const;

/** How the connection differed, or whether it was encrypted. */
export function toAttemptConnection({ tls, special }: Attempt): string {
  return [tls ?? "no TLS", special === null ? null : specials[special]].filter(Boolean).join(", ");
}
