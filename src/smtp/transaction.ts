// One incoming message. MAIL begins it, RCPT adds recipients, DATA adds the content. It is stored or dropped as a whole.

import type { Config } from "../config.ts";
import { Refusal } from "../errors.ts";
import { headerLength } from "../mail/headers/fields.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import type { Log } from "../system/log.ts";
import type { HeardMessage } from "../tasks/intake/receive-message.ts";
import type { Recipient, Routing } from "../tasks/intake/route-recipient.ts";
import { createDataReader, type DataReader } from "./data-reader.ts";
import { judgeMail, judgeRcpt, type Mail, type Rcpt } from "./envelope-commands.ts";
import type { MessageMemory } from "./message-memory.ts";
import type { ReplyName } from "./replies.ts";

/** Shared by all messages. */
export type MailRoom = {
  readonly config: Config;
  readonly log: Log;
  readonly now: () => number;
  readonly memory: MessageMemory;
  readonly hasRoom: () => Promise<boolean>;
  readonly route: (address: string) => Promise<Routing>;
  /** Resolves when the message is flushed to disk. */
  readonly receive: (message: HeardMessage) => Promise<void>;
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

export async function addRecipient(
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
