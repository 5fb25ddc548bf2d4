// One incoming message. MAIL begins it, RCPT adds recipients, DATA adds the content. It is stored or dropped as a whole.

import type { SMTPConnection } from "smtp-server/lib/smtp-connection.js";
import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { headerLength } from "../mail/headers/fields.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import type { Log, LogFields } from "../system/log.ts";
import type { ReceivedMessage } from "../tasks/intake/receive-message.ts";
import type { Recipient, Routing } from "../tasks/intake/route-recipient.ts";
import { createDataReader, type DataReader } from "./data-reader.ts";
import { judgeMail, judgeRcpt, type Mail, type Rcpt } from "./envelope-commands.ts";
import type { Arrival } from "./front.ts";
import type { MessageMemory } from "./message-memory.ts";
import { type ReplyName, replies } from "./replies.ts";

/** Shared by all messages. */
export type MailRoom = {
  readonly config: Config;
  readonly log: Log;
  readonly logRejection: (fields: LogFields) => void;
  readonly now: () => number;
  readonly memory: MessageMemory;
  readonly hasRoom: () => Promise<boolean>;
  readonly route: (address: string) => Promise<Routing>;
  /** Resolves when the message is flushed to disk. */
  readonly receive: (message: ReceivedMessage) => Promise<void>;
};

export type Transaction = {
  readonly mail: Mail;
  readonly rcpts: Rcpt[];
  readonly recipients: Recipient[];
  readonly deadline: NodeJS.Timeout;
  /** From the 354 reply on. */
  reader: DataReader | null;
};

type Beginning = { readonly transaction: Transaction } | { readonly refusal: ReplyName };

export async function beginTransaction(
  command: Buffer,
  { config, hasRoom }: MailRoom,
  onOverdue: () => void,
): Promise<Beginning> {
  const judged = judgeMail(command, config.smtpMaxMessageBytes);
  if (!judged.ok) return { refusal: judged.reply };
  const isThere = await hasRoom().catch(() => null);
  if (!isThere) return { refusal: isThere === null ? "notNow" : "noRoom" };
  const deadline = setTimeout(onOverdue, config.smtpTransactionMs).unref();
  return { transaction: { mail: judged.value, rcpts: [], recipients: [], deadline, reader: null } };
}

/** Rejections are logged, because the sender's side often doesn't show why mail didn't arrive. */
export async function addRecipient(
  transaction: Transaction,
  command: Buffer,
  room: MailRoom,
  { address: client }: Pick<Arrival, "address">,
): Promise<ReplyName> {
  const reply = await toRecipient(transaction, command, room);
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
  { config, route }: MailRoom,
): Promise<ReplyName> {
  if (transaction.recipients.length >= config.smtpMaxRecipients) return "tooManyRecipients";
  const judged = judgeRcpt(command, transaction.mail);
  if (!judged.ok) return judged.reply;
  const routing = await route(judged.value.path).catch(() => null);
  if (routing === null) return "notNow";
  if (routing.outcome === "foreign") return "notOurs";
  if (routing.outcome === "unknown") return "noSuchInbox";
  if (routing.outcome === "full") return "monthIsFull";
  transaction.rcpts.push(judged.value);
  transaction.recipients.push(routing.recipient);
  return "recipientNoted";
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

/** Returns "kept" only when everything is on disk. */
export async function keepMessage(
  reader: DataReader,
  { recipients }: Transaction,
  session: SmtpSession,
  { config, receive, log }: MailRoom,
): Promise<ReplyName> {
  const heard = reader.heard();
  if (heard.outcome !== "message") return heard.outcome;
  const { raw } = heard;
  const longestHeader = config.smtpMaxHeaderBytes;
  if (headerLength(raw.subarray(0, longestHeader + 4)) > longestHeader) return "headerTooBig";
  try {
    await receive({ raw, session, recipients });
    return "kept";
  } catch (error) {
    reader.abandon(); // the code that failed to store it may still hold the bytes
    log.error("message could not be stored", { client: session.clientAddress }, error);
    return error instanceof Refusal && error.details.diskFull ? "diskFull" : "notNow";
  }
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
