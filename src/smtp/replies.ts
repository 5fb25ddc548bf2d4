// The one table of SMTP refusals: code, enhanced status, sentence. RFC 3463 gives the enhanced codes their meaning.

import type { SMTPServerError } from "smtp-server";

export const replies = {
  notOurs: [550, "5.7.1", "This server takes mail for its own seed domains only"],
  noSuchInbox: [550, "5.1.1", "No such seed inbox"],
  tooManyRecipients: [452, "4.5.3", "Too many recipients"],
  tooManyFromYou: [421, "4.7.0", "Too many connections from your address"],
  tooBig: [552, "5.3.4", "Message is larger than this server takes"],
  noRoom: [451, "4.3.2", "Too much is waiting or the disk is short; try again later"],
  notNow: [451, "4.3.0", "Could not be kept; try again later"],
} as const;

export function refuse(reply: keyof typeof replies): SMTPServerError {
  const [code, enhanced, sentence] = replies[reply];
  return Object.assign(new Error(`${enhanced} ${sentence}`), { responseCode: code });
}
