// One incoming message. MAIL begins it, RCPT adds recipients, DATA adds the content. It is stored or dropped as a whole.

import type { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import { Refusal } from "../errors.ts";
import { headerLength } from "../mail/headers/fields.ts";
import { type SmtpSession, sessionOfRecipients } from "../mail/session/session.ts";
import { isRehearsed, type RehearsalTag } from "../rehearsal/address.ts";
import type { Recipient } from "../tasks/intake/route-recipient.ts";
import type { RehearsalAnswer } from "../tasks/rehearsal/rehearsals.ts";
import { createDataReader, type DataReader } from "./data-reader.ts";
import { judgeMail, judgeRcpt, type Mail, type Rcpt } from "./envelope-commands.ts";
import type { Arrival } from "./front.ts";
import { isLocalClient, toClientReach } from "./login.ts";
import { type ReplyName, replies } from "./replies.ts";
import type { MailRoom } from "./room.ts";

export type Transaction = {
  readonly mail: Mail;
  readonly rcpts: Rcpt[];
  readonly recipients: Recipient[];
  /** All recipients ask for this. */
  rehearsal: RehearsalTag | null;
  /** Some recipients were deferred, because they need a message of their own. */
  hasOthers: boolean;
  readonly deadline: NodeJS.Timeout;
  /** From the 354 reply on. */
  reader: DataReader | null;
};

type Beginning = { readonly transaction: Transaction } | { readonly refusal: ReplyName };

export async function beginTransaction(
  command: Buffer,
  { config, hasRoom, visit }: MailRoom,
  onOverdue: () => void,
): Promise<Beginning> {
  const judged = judgeMail(command, config.smtpMaxMessageBytes);
  if (visit !== null) visit.reached = judged.ok ? "envelope" : judged.reply === "tooBig" ? "mail" : "ehlo";
  if (!judged.ok) return { refusal: judged.reply };
  const isThere = await hasRoom().catch(() => null);
  if (!isThere) return { refusal: isThere === null ? "notNow" : "noRoom" };
  const deadline = setTimeout(onOverdue, config.smtpTransactionMs).unref();
  const { value: mail } = judged;
  // Written without spreading, because this runs for each message.
  return {
    transaction: {
      mail,
      rcpts: [],
      recipients: [],
      rehearsal: null,
      hasOthers: false,
      deadline,
      reader: null,
    },
  };
}

/** Rejections are logged, because the sender's side often doesn't show why mail didn't arrive. */
export async function addRecipient(
  transaction: Transaction,
  command: Buffer,
  room: MailRoom,
  arrival: Arrival,
): Promise<ReplyName> {
  const { address: client } = arrival;
  const reply = await toRecipient(transaction, command, room, arrival);
  const [code, enhanced, sentence] = replies[reply];
  const { path: from } = transaction.mail;
  if (reply !== "recipientNoted")
    room.logRejection({
      ...{ client, from, command: command.toString(), reply: `${code} ${enhanced} ${sentence}` },
    });
  return reply;
}

async function toRecipient(
  transaction: Transaction,
  command: Buffer,
  { config, route, rehearsals, visit }: MailRoom,
  arrival: Arrival,
): Promise<ReplyName> {
  if (transaction.recipients.length >= config.smtpMaxRecipients) return "tooManyRecipients";
  const judged = judgeRcpt(command, transaction.mail);
  if (!judged.ok) return judged.reply;
  const routing = await route(judged.value.path).catch(() => null);
  if (routing === null) return "notNow";
  if (routing.outcome === "foreign") return "notOurs";
  if (routing.outcome === "unknown") return "noSuchInbox";
  if (routing.outcome === "full") return "monthIsFull";
  const { recipient } = routing;
  if (visit !== null && recipient.address !== visit.preparation.address) {
    visit.hadOthers = true;
    return "reserved";
  }
  const tag = rehearsals === null ? null : toTag(recipient, arrival);
  if (!fits(transaction, recipient, tag)) {
    transaction.hasOthers = true;
    return "rehearsedAlone";
  }
  transaction.rehearsal = tag;
  transaction.rcpts.push(judged.value);
  transaction.recipients.push(recipient);
  return "recipientNoted";
}

function toTag({ rehearsal }: Recipient, arrival: Arrival): RehearsalTag | null {
  if (rehearsal === undefined || !isRehearsed(rehearsal.setting, toClientReach(arrival))) return null;
  return rehearsal.tag;
}

/** SMTP has one reply for a message, so what is rehearsed has one recipient. */
function fits(
  { recipients, rehearsal }: Transaction,
  { address }: Recipient,
  tag: RehearsalTag | null,
): boolean {
  const [first] = recipients;
  if (first === undefined) return true;
  return tag === rehearsal && (tag === null || first.address.toLowerCase() === address.toLowerCase());
}

export function whyNoData(command: Buffer, transaction: Transaction | null): ReplyName | null {
  if (/\S\s+\S/.test(command.toString())) return "noParameters";
  if (transaction === null) return "needsMail";
  return transaction.recipients.length === 0 ? "needsRecipient" : null;
}

export function beginData(transaction: Transaction, { config, memory }: MailRoom): DataReader {
  transaction.reader = createDataReader({ maxBytes: config.smtpMaxMessageBytes, memory });
  return transaction.reader;
}

export type Keeping = {
  readonly arrival: Arrival;
  /** Resolves when the connection has ended. */
  readonly gone: Promise<void>;
};

/** Returns "kept" only when everything is on disk. What is rehearsed is also on disk, whatever the reply. */
export async function keepMessage(
  reader: DataReader,
  transaction: Transaction,
  whole: SmtpSession,
  room: MailRoom,
  { arrival, gone }: Keeping,
): Promise<ReplyName | RehearsalAnswer> {
  const { recipients, rehearsal, hasOthers } = transaction;
  const { receive, rehearsals, visit } = room;
  const read = readMessage(reader, room);
  if ("refusal" in read) return read.refusal;
  const { raw } = read;
  const [recipient] = recipients;
  const session = hasOthers ? sessionOfRecipients(whole, toAddresses(recipients)) : whole;
  try {
    if (rehearsal === null || rehearsals === null || recipient === undefined) {
      await receive({ raw, session, recipients });
      return "kept";
    }
    if (visit !== null) visit.hasMessage = true;
    return await rehearsals.answer({
      ...{ raw, session, recipients, tag: rehearsal, recipient, gone, release: reader.release },
      ...{ preparation: visit?.preparation ?? null, isLocal: isLocalClient(arrival) },
    });
  } catch (error) {
    reader.abandon(); // the code that failed to store it may still hold the bytes
    return whyNotStored(error, session, room);
  }
}

export function readMessage(
  reader: DataReader,
  { config, visit }: Pick<MailRoom, "config" | "visit">,
): { readonly raw: Uint8Array } | { readonly refusal: ReplyName } {
  if (visit !== null) visit.reached = "data";
  const heard = reader.heard();
  if (heard.outcome !== "message") return { refusal: heard.outcome };
  const longestHeader = config.smtpMaxHeaderBytes;
  const isTooLong = headerLength(heard.raw.subarray(0, longestHeader + 4)) > longestHeader;
  return isTooLong ? { refusal: "headerTooBig" } : { raw: heard.raw };
}

export function whyNotStored(
  error: unknown,
  { clientAddress: client }: SmtpSession,
  { log }: Pick<MailRoom, "log">,
): ReplyName {
  log.error("message could not be stored", { client }, error);
  return error instanceof Refusal && error.details.diskFull ? "diskFull" : "notNow";
}

function toAddresses(recipients: readonly Recipient[]): string[] {
  return recipients.map(({ address }) => address);
}

/** Forgets the message. */
export function dropTransaction({ deadline, reader }: Transaction): void {
  clearTimeout(deadline);
  reader?.release();
}

// Turns what a connection has received into the evidence that is stored with a message.

type Heard = Pick<SmtpSession, "connectedAt" | "dataStartedAt" | "dataEndedAt" | "transcript"> & {
  readonly arrival: Arrival;
  /** As sent. The library only has it in lower case. */
  readonly helo: string;
  readonly mail: Mail;
  readonly rcpts: readonly Rcpt[];
  readonly impatience: Pick<SmtpSession, "pipelining" | "earlyTalk" | "unawaited">;
};

type Library = Pick<
  SMTPConnection,
  | "remoteAddress"
  | "remotePort"
  | "hostNameAppearsAs"
  | "openingCommand"
  | "secure"
  | "tlsOptions"
  | "session"
  | "_xClient"
  | "_originalRemoteAddress"
>;

/**
 * Written field by field, because this runs for each message before its 250, and spreading objects costs ten times as much.
 */
export function toSession(library: Library, heard: Heard): SmtpSession {
  const { _xClient, _originalRemoteAddress } = library;
  const { arrival, mail, rcpts, impatience } = heard;
  const name = _xClient.get("NAME");
  return {
    source: "smtp",
    // XCLIENT may say that the address is unknown.
    clientAddress: _xClient.get("ADDR") === false ? null : library.remoteAddress,
    clientPort: toPort(library.remotePort),
    clientName: typeof name === "string" && name !== "" ? name : null,
    via: _xClient.has("ADDR") ? { how: "xclient", address: _originalRemoteAddress } : arrival.via,
    helo: library.hostNameAppearsAs ? heard.helo : null,
    protocol: toProtocol(library, mail),
    tls: toTls(library),
    mailFrom: mail.path,
    mailParameters: mail.parameters,
    rcptTo: rcpts.map(({ path }) => path),
    rcptParameters: rcpts.map(({ parameters }) => parameters),
    smtpUtf8: mail.smtpUtf8,
    pipelining: impatience.pipelining,
    earlyTalk: impatience.earlyTalk,
    unawaited: impatience.unawaited,
    connectedAt: heard.connectedAt,
    dataStartedAt: heard.dataStartedAt,
    dataEndedAt: heard.dataEndedAt,
    transcript: heard.transcript,
  };
}

/** A client that XCLIENT names came through a proxy, as with the PROXY header. */
export function toClient(
  { _xClient, remoteAddress, _originalRemoteAddress }: Library,
  arrival: Arrival,
): Arrival {
  if (!_xClient.has("ADDR")) return arrival;
  return { ...arrival, address: remoteAddress, via: { how: "xclient", address: _originalRemoteAddress } };
}

/** In EHLO or HELO. */
export function toHelloName(command: Buffer): string {
  return command.toString().trim().split(/\s+/)[1] ?? "";
}

/** As in Postfix, the name from XCLIENT stays until the client sends another. Null if XCLIENT gives none. */
export function takeXclientHelo(
  library: Pick<SMTPConnection, "_xClient" | "hostNameAppearsAs" | "openingCommand">,
): string | null {
  const helo = library._xClient.get("HELO");
  if (typeof helo !== "string" || helo === "") return null;
  library.hostNameAppearsAs = helo.toLowerCase();
  library.openingCommand = library._xClient.get("PROTO") === "SMTP" ? "HELO" : "EHLO";
  return helo;
}

/** XCLIENT may contain anything. */
function toPort(told: unknown): number | null {
  const port = Number(told);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

/** RFC 3848, and RFC 6531 §4.3 with SMTPUTF8. */
function toProtocol({ openingCommand, secure }: Library, { smtpUtf8 }: Mail): string {
  const word = smtpUtf8 ? "UTF8SMTP" : openingCommand === "EHLO" ? "ESMTP" : "SMTP";
  return secure ? `${word}S` : word;
}

function toTls({ tlsOptions, session }: Library): SmtpSession["tls"] {
  if (!tlsOptions) return null;
  const { version, name } = tlsOptions;
  return { version, cipher: name, serverName: session.servername || null };
}
