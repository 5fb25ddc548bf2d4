// One incoming message. MAIL begins it, RCPT adds recipients, DATA adds the content. It is stored or dropped as a whole.

import { headerLength } from "../../../analyzer/mail/headers/fields.ts";
import type { RehearsalTag } from "../../../analyzer/mail/headers/rehearsal-address.ts";
import { type SmtpSession, sessionOfRecipients } from "../../../analyzer/mail/session/session.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import { isRehearsed } from "../../people/rules/rehearsal-setting.ts";
import type { RehearsalAnswer, Reply } from "../rules/answers.ts";
import type { Recipient } from "../work/route-recipient.ts";
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
  /** All recipients ask for this. Null after the message was answered. */
  rehearsal: RehearsalTag | null;
  /** Some recipients were deferred, because they need a message of their own, or answered as they ask. */
  hasOthers: boolean;
  readonly deadline: NodeJS.Timeout;
  /** From the 354 reply on. */
  reader: DataReader | null;
};

type Beginning = { readonly transaction: Transaction } | { readonly refusal: ReplyName };

export async function beginTransaction(
  command: Buffer,
  { config, hasRoom, whyNoRoom, noteDeferred, visit }: MailRoom,
  onOverdue: () => void,
): Promise<Beginning> {
  const judged = judgeMail(command, config.smtpMaxMessageBytes);
  if (visit !== null) visit.reached = judged.ok ? "envelope" : judged.reply === "tooBig" ? "mail" : "ehlo";
  if (!judged.ok) return { refusal: judged.reply };
  const isThere = await hasRoom().catch(() => null);
  if (!isThere) {
    const reason = isThere === null ? "database_unavailable" : await whyNoRoom();
    noteDeferred(reason);
    return { refusal: isThere === null ? "notNow" : reason === "disk_full" ? "diskFull" : "noRoom" };
  }
  const deadline = setTimeout(onOverdue, config.smtpTransactionMs).unref();
  const { value: mail } = judged;
  // Written without spreading, because this runs for each message.
  return {
    transaction: { mail, rcpts: [], recipients: [], rehearsal: null, hasOthers: false, deadline, reader: null },
  };
}

/** Rejections are logged, because the sender's side often doesn't show why mail didn't arrive. */
export async function addRecipient(
  transaction: Transaction,
  command: Buffer,
  room: MailRoom,
  arrival: Arrival,
): Promise<ReplyName | Reply> {
  const { address: client } = arrival;
  const reply = await toRecipient(transaction, command, room, arrival);
  const { path: from } = transaction.mail;
  if (reply !== "recipientNoted") {
    const words = typeof reply === "object" ? [reply.code, ...reply.lines] : replies[reply];
    room.logRejection({ client, from, command: command.toString(), reply: words.join(" ") });
  }
  return reply;
}

async function toRecipient(
  transaction: Transaction,
  command: Buffer,
  { config, route, rehearsals, visit, noteDeferred }: MailRoom,
  arrival: Arrival,
): Promise<ReplyName | Reply> {
  if (transaction.recipients.length >= config.smtpMaxRecipients) return "tooManyRecipients";
  const judged = judgeRcpt(command, transaction.mail);
  if (!judged.ok) return judged.reply;
  const routing = await route(judged.value.path, arrival.address).catch(() => null);
  if (routing === null) {
    noteDeferred("database_unavailable");
    return "notNow";
  }
  if (routing.outcome === "foreign") return "notOurs";
  if (routing.outcome === "unknown") return "noSuchInbox";
  if (routing.outcome === "full") return "monthIsFull";
  if (routing.outcome === "spent" || routing.outcome === "slowed") return routing.outcome;
  if (routing.outcome === "crowded") {
    noteDeferred("workspace_backlog_full", { workspaceId: routing.workspaceId });
    return "workspaceBusy";
  }
  const { recipient } = routing;
  if (recipient.isOneTime && transaction.recipients.some(({ isOneTime }) => isOneTime)) return "oneTimeAlone";
  if (visit !== null && isReserved(visit, recipient, rehearsals)) return "reserved";
  return join(transaction, judged.value, recipient, { rehearsals, arrival });
}

/** Unless the address asks for a reply to RCPT, or needs a separate message. */
function join(
  transaction: Transaction,
  rcpt: Rcpt,
  recipient: Recipient,
  { rehearsals, arrival }: Pick<MailRoom, "rehearsals"> & { readonly arrival: Arrival },
): ReplyName | Reply {
  const tag = rehearsals === null ? null : toTag(recipient, arrival);
  const isFirst = transaction.recipients.length === 0;
  const chosen = tag === null ? null : (rehearsals?.refuse(recipient, tag, isFirst) ?? null);
  if (chosen !== null || !fits(transaction, recipient, tag)) {
    transaction.hasOthers = true;
    return chosen ?? "rehearsedAlone";
  }
  transaction.rehearsal = tag;
  transaction.rcpts.push(rcpt);
  transaction.recipients.push(recipient);
  return "recipientNoted";
}

/** Other mail on a prepared connection. The probe's workspace chose the worse connection, but others didn't. */
function isReserved(
  visit: NonNullable<MailRoom["visit"]>,
  { address, workspaceId }: Recipient,
  rehearsals: MailRoom["rehearsals"],
): boolean {
  const { client, preparation, hasMessage, isOver } = visit;
  if (address === preparation.address) return false;
  const isOthers = workspaceId !== preparation.workspaceId;
  if (!isOver && !hasMessage) rehearsals?.putBackPreparation(client, preparation, isOthers);
  visit.isOver = true;
  return isOthers;
}

function toTag({ rehearsal }: Recipient, arrival: Arrival): RehearsalTag | null {
  if (rehearsal === undefined || !isRehearsed(rehearsal.setting, toClientReach(arrival))) return null;
  return rehearsal.tag;
}

/** SMTP has one reply for a message, so what is rehearsed has one recipient. */
function fits({ recipients, rehearsal }: Transaction, { address }: Recipient, tag: RehearsalTag | null): boolean {
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

type Keeping = {
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
    const isPrepared = visit !== null && !visit.isOver;
    if (isPrepared) visit.hasMessage = true;
    const answer = await rehearsals.answer({
      raw,
      session,
      recipients,
      tag: rehearsal,
      recipient,
      gone,
      release: reader.release,
      preparation: isPrepared ? visit.preparation : null,
      isLocal: isLocalClient(arrival),
    });
    transaction.rehearsal = null;
    return answer;
  } catch (error) {
    reader.abandon(); // the code that failed to store it may still hold the bytes
    return whyNotStored(error, session, room);
  }
}

function readMessage(
  reader: DataReader,
  { limits, visit, noteDeferred }: Pick<MailRoom, "limits" | "visit" | "noteDeferred">,
): { readonly raw: Uint8Array } | { readonly refusal: ReplyName } {
  if (visit !== null) visit.reached = "data";
  const heard = reader.heard();
  if (heard.outcome === "noMemory") noteDeferred("memory_full");
  if (heard.outcome !== "message") return { refusal: heard.outcome };
  const longestHeader = limits.headerBytes;
  const isTooLong = headerLength(heard.raw.subarray(0, longestHeader + 4)) > longestHeader;
  return isTooLong ? { refusal: "headerTooBig" } : { raw: heard.raw };
}

export function whyNotStored(
  error: unknown,
  { clientAddress: client }: SmtpSession,
  { log, noteDeferred }: Pick<MailRoom, "log" | "noteDeferred">,
): ReplyName {
  // Two messages to an address that takes one came at the same time.
  if (error instanceof Refusal && error.code === "conflict") return "spent";
  const { diskFull: isFull, isDamaged } = error instanceof Refusal ? error.details : {};
  // What is refused has one known reason for all messages. Anything else is a bug.
  if (!(error instanceof Refusal)) log.error("message could not be stored", { client }, error);
  const reason = isFull ? "disk_full" : isDamaged ? "database_damaged" : "not_stored";
  noteDeferred(reason, { problem: messageOf(error) });
  return isFull ? "diskFull" : "notNow";
}

function toAddresses(recipients: readonly Recipient[]): string[] {
  return recipients.map(({ address }) => address);
}

/** Forgets the message. */
export function dropTransaction(
  { deadline, reader, rehearsal, recipients: [recipient] }: Transaction,
  rehearsals: MailRoom["rehearsals"],
): void {
  clearTimeout(deadline);
  reader?.release();
  if (rehearsal !== null && recipient !== undefined) rehearsals?.giveBack(recipient);
}
