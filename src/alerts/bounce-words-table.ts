// What each class of bounce means, and what its sender does about it.

import type { BounceClass } from "../mail/reports/mail-class.ts";

/** suppress: never send there again; retry: the same message may be delivered later; fix: change something, then resend. */
export const bounceActions = ["suppress", "retry", "fix", "review", "none"] as const;
type BounceAction = (typeof bounceActions)[number];

type BounceWords = {
  readonly means: string;
  readonly do: BounceAction;
  readonly advice: string;
};

export const bounceWords: Readonly<Record<BounceClass, BounceWords>> = {
  user_unknown: {
    means: "no such mailbox",
    do: "suppress",
    advice: "Suppress it: take the address off your list.",
  },
  host_unknown: {
    means: "no server takes mail for the domain",
    do: "suppress",
    advice: "Suppress it: take the address off your list, unless its domain is misspelled.",
  },
  mailbox_full: {
    means: "the mailbox is full",
    do: "retry",
    advice: "Retry in a few days. Suppress the address if it stays full.",
  },
  disabled: {
    means: "the mailbox is disabled",
    do: "suppress",
    advice: "Suppress it: take the address off your list.",
  },
  too_big: {
    means: "the message is too big",
    do: "fix",
    advice: "Fix and resend: make the message smaller, or send a link instead of the attachment.",
  },
  policy: {
    means: "a policy of the receiver",
    do: "fix",
    advice: "Fix and resend: the receiver's answer says which rule was broken.",
  },
  authentication: {
    means: "authentication failed",
    do: "fix",
    advice: "Fix and resend: check SPF, DKIM and DMARC of the sending domain with a test of this message.",
  },
  reputation: {
    means: "the sender's reputation",
    do: "fix",
    advice:
      "Fix and resend: check blocklists for the sending IP and domain, and send less until it is delisted.",
  },
  content: {
    means: "content taken for spam",
    do: "fix",
    advice: "Fix and resend: send this message to a seed inbox, and its report says why.",
  },
  rate: { means: "sent too fast", do: "retry", advice: "Retry, and send more slowly to this receiver." },
  system: {
    means: "a problem at the receiver",
    do: "retry",
    advice: "Retry later: the problem is at the receiver.",
  },
  expired: {
    means: "not deliverable in time",
    do: "retry",
    advice: "Retry later. Suppress the address if the receiver's servers stay unreachable.",
  },
  unknown: {
    means: "no clear reason",
    do: "review",
    advice: "Read the receiver's answer: it gives no reason that we recognize.",
  },
};

/** RFC 5965 §7.3: the reader took the message out of the spam. */
export const notSpam = "not-spam";
/** RFC 6591 §3.1: a receiver's report that a message failed authentication. Nobody complained. */
export const authenticationFailure = "auth-failure";

type BounceFacts = {
  readonly kind: "bounce" | "complaint";
  readonly feedbackType: string | null;
  readonly recipient: { readonly class: BounceClass; readonly action: string | null } | undefined;
};

/** What to do about one recipient of a bounce or complaint. */
export function adviceOf({ kind, feedbackType, recipient }: BounceFacts): Pick<BounceWords, "do" | "advice"> {
  if (kind === "complaint") return complaintAdvice(feedbackType);
  if (recipient?.action === "delayed")
    return { do: "none", advice: "Nothing to do yet: the sending server keeps trying." };
  if (recipient?.action === "delivered" || recipient?.action === "relayed")
    return { do: "none", advice: "Nothing to do." };
  return bounceWords[recipient?.class ?? "unknown"];
}

function complaintAdvice(feedbackType: string | null): Pick<BounceWords, "do" | "advice"> {
  if (feedbackType === notSpam) return { do: "none", advice: "Nothing to do." };
  if (feedbackType === authenticationFailure)
    return {
      do: "fix",
      advice:
        "If you sent it, fix SPF, DKIM or alignment of that mail stream. If you didn't, somebody spoofed your domain, and your DMARC policy applied.",
    };
  return {
    do: "suppress",
    advice: "Suppress it: take the address off your list, and check how it got onto it.",
  };
}
