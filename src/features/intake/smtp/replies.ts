// All our SMTP replies: code, enhanced status (RFC 3463, RFC 5248), text. The library's own replies also get their enhanced
// status here, because it has only one for each code, and 421 has several meanings.

type Reply = readonly [code: number, enhanced: string, sentence: string];

export const replies = {
  senderNoted: [250, "2.1.0", "Sender OK"],
  recipientNoted: [250, "2.1.5", "Recipient OK"],
  kept: [250, "2.6.0", "Message accepted"],

  notOurs: [550, "5.7.1", "Relaying denied; this server accepts mail only for its seed domains"],
  noSuchInbox: [550, "5.1.1", "No such seed address"],
  spent: [550, "5.1.1", "This test address has already received its message"],
  slowed: [451, "4.7.1", "Too many messages from your network to test addresses; try again later"],
  oneTimeAlone: [452, "4.5.3", "A message can have only one test address; send to this one in another message"],
  monthIsFull: [552, "5.2.2", "This workspace has reached the monthly test limit of its plan"],
  rehearsedAlone: [452, "4.5.3", "A rehearsal has one recipient; send to this one in another message"],
  reserved: [451, "4.7.1", "This connection is reserved for a sender probe; try again later"],
  tooManyRecipients: [452, "4.5.3", "Too many recipients"],
  tooBig: [552, "5.3.4", "Message too large"],
  headerTooBig: [552, "5.3.4", "Message headers too large"],
  noMemory: [452, "4.3.1", "Insufficient memory; try again later"],
  diskFull: [452, "4.3.1", "Insufficient disk space; try again later"],
  workspaceBusy: [452, "4.2.2", "Too many messages to this workspace are waiting for analysis; try again later"],
  noRoom: [451, "4.3.2", "Server busy or low on disk space; try again later"],
  notNow: [451, "4.3.0", "Message could not be stored; try again later"],

  badSender: [501, "5.1.7", "Invalid sender address; expected MAIL FROM:<address>"],
  badRecipient: [501, "5.1.3", "Invalid recipient address; expected RCPT TO:<address>"],
  needsUtf8: [553, "5.6.7", "Non-ASCII address requires SMTPUTF8"],
  notUtf8: [501, "5.5.2", "Command is not valid UTF-8"],
  badParameter: [501, "5.5.4", "Invalid parameter value"],
  unknownParameter: [555, "5.5.4", "Parameter not recognized"],
  noParameters: [501, "5.5.4", "No parameters allowed"],
  mailTwice: [503, "5.5.1", "Sender already specified"],
  needsMail: [503, "5.5.1", "Need MAIL command first"],
  needsRecipient: [503, "5.5.1", "Need RCPT command first"],
  notImplemented: [502, "5.5.1", "Command not implemented"],
  lineTooLong: [500, "5.5.2", "Line too long"],

  tooMany: [421, "4.3.2", "Too many connections; try again later"],
  tooManyFromYou: [421, "4.7.0", "Too many connections from your address or network; try again later"],
  tooFast: [450, "4.7.0", "Too many messages from your address; try again later"],
  tooManyErrors: [421, "4.7.0", "Too many errors"],
  tooManyCommands: [421, "4.7.0", "Too many commands without a message"],
  crowded: [421, "4.3.2", "Too many connections and no message on yours; try again later"],
  tooSlow: [421, "4.4.2", "Message arrives too slowly; try again later"],
  overdue: [421, "4.4.2", "Session timed out"],
  stopping: [421, "4.3.2", "Server shutting down; try again later"],
} as const satisfies Record<string, Reply>;

export type ReplyName = keyof typeof replies;

/** Adds the enhanced status to a reply of the library, unless RFC 2034 §3 does not allow one. */
export function withEnhancedStatus(code: number, lines: readonly string[]): readonly string[] {
  const enhanced = enhancedStatusOf(code, lines[0] ?? "");
  return enhanced === undefined ? lines : lines.map((line) => `${enhanced} ${line}`);
}

function enhancedStatusOf(code: number, sentence: string): string | undefined {
  if (code === 421) return ofClosing(sentence);
  return byCode[code];
}

function ofClosing(sentence: string): string {
  if (/timeout/i.test(sentence)) return "4.4.2";
  if (/too many/i.test(sentence)) return "4.7.0";
  return "4.5.1"; // speaks before the greeting, or uses another protocol
}

const byCode: Readonly<Record<number, string>> = {
  214: "2.0.0",
  220: "2.0.0",
  221: "2.0.0",
  250: "2.0.0",
  235: "2.7.0",
  252: "2.0.0",
  451: "4.3.0",
  500: "5.5.1",
  501: "5.5.4",
  503: "5.5.1",
  504: "5.5.4",
  538: "5.7.11",
  550: "5.7.0",
};
