// The one table of our SMTP replies: code, enhanced status (RFC 3463, RFC 5248), sentence. Replies that the library
// gives by itself get their enhanced status here too: its own knows one for each code, and 421 means more than one thing.

type Reply = readonly [code: number, enhanced: string, sentence: string];

export const replies = {
  senderNoted: [250, "2.1.0", "Sender noted"],
  recipientNoted: [250, "2.1.5", "Recipient noted"],
  kept: [250, "2.6.0", "Kept"],

  notOurs: [550, "5.7.1", "This server takes mail for its own seed domains only"],
  noSuchInbox: [550, "5.1.1", "No such seed inbox"],
  monthIsFull: [552, "5.2.2", "This workspace has received the tests that its plan allows this month"],
  tooManyRecipients: [452, "4.5.3", "Too many recipients for one message"],
  tooBig: [552, "5.3.4", "Message is larger than this server takes"],
  headerTooBig: [552, "5.3.4", "Header section is larger than this server takes"],
  noMemory: [452, "4.3.1", "Too much is arriving at once; try again later"],
  diskFull: [452, "4.3.1", "The disk is full; try again later"],
  noRoom: [451, "4.3.2", "Too much is waiting or the disk is short; try again later"],
  notNow: [451, "4.3.0", "Could not be kept; try again later"],

  badSender: [501, "5.1.7", "That is no sender address; MAIL FROM:<address> is expected"],
  badRecipient: [501, "5.1.3", "That is no recipient address; RCPT TO:<address> is expected"],
  needsUtf8: [553, "5.6.7", "An address outside ASCII needs SMTPUTF8"],
  notUtf8: [501, "5.5.2", "The command is not in UTF-8"],
  badParameter: [501, "5.5.4", "A parameter has no such value"],
  unknownParameter: [555, "5.5.4", "A parameter is not known here"],
  noParameters: [501, "5.5.4", "The command takes no parameters"],
  mailTwice: [503, "5.5.1", "A message has been begun already"],
  needsMail: [503, "5.5.1", "MAIL comes first"],
  needsRecipient: [503, "5.5.1", "RCPT comes first"],
  notImplemented: [502, "5.5.1", "Not implemented here"],
  lineTooLong: [500, "5.5.2", "Line too long"],

  tooMany: [421, "4.3.2", "Too many connections; try again later"],
  tooManyFromYou: [421, "4.7.0", "Too many connections from your address; try again later"],
  tooFast: [450, "4.7.0", "Too many messages from your address; try again later"],
  tooManyErrors: [421, "4.7.0", "Too many errors"],
  tooManyCommands: [421, "4.7.0", "Too many commands without a message"],
  overdue: [421, "4.4.2", "This takes too long"],
  stopping: [421, "4.3.2", "The server is stopping; try again later"],
} as const satisfies Record<string, Reply>;

export type ReplyName = keyof typeof replies;

/** A reply in the library's words; as it is where RFC 2034 §3 wants no status. */
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
  return "4.5.1"; // talks before it may, or speaks another protocol
}

const byCode: Readonly<Record<number, string>> = {
  214: "2.0.0",
  220: "2.0.0",
  221: "2.0.0",
  250: "2.0.0",
  252: "2.0.0",
  451: "4.3.0",
  500: "5.5.1",
  501: "5.5.4",
  503: "5.5.1",
  550: "5.7.0",
};
