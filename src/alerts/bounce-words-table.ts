// What each class of bounce means, and what its sender does about it.

import type { BounceClass } from "../mail/recognised.ts";

export type BounceWords = { readonly means: string; readonly advice: string };

export const bounceWords: Readonly<Record<BounceClass, BounceWords>> = {
  user_unknown: { means: "no such mailbox", advice: "Take the address off your list." },
  host_unknown: {
    means: "no server takes mail for the domain",
    advice: "Look for a misspelt domain; else take the address off your list.",
  },
  mailbox_full: {
    means: "the mailbox is full",
    advice: "Try again in some days, and take the address off your list if it stays full.",
  },
  disabled: { means: "the mailbox is closed", advice: "Take the address off your list." },
  too_big: { means: "the message is too big", advice: "Send less, or a link in place of the attachment." },
  policy: { means: "a rule of the receiver's", advice: "The receiver's answer says which rule." },
  authentication: {
    means: "authentication failed",
    advice: "Check SPF, DKIM and DMARC of the sending domain, best with a test of this message.",
  },
  reputation: {
    means: "the sender's reputation",
    advice: "See whether the sending address or domain is on a blocklist, and send less until it is off.",
  },
  content: {
    means: "taken for spam by its content",
    advice: "Send this message to a seed inbox: its report says why.",
  },
  rate: { means: "sent too fast", advice: "Send more slowly to this receiver." },
  system: { means: "trouble at the receiver's", advice: "Nothing of yours; it can be sent again later." },
  expired: {
    means: "not deliverable in time",
    advice: "See whether the receiver's servers can be reached; else take the address off your list.",
  },
  unknown: { means: "for a reason that is not plain", advice: "Read the receiver's answer." },
};
