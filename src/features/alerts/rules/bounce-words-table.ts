// What each class of bounce means, and what the sender should do.

import type { BounceClass } from "../../../analyzer/mail/reports/mail-class.ts";

/** suppress: never send there again; retry: the same message may be delivered later; fix: change something, then resend. */
export const bounceActions = ["suppress", "retry", "fix", "review", "none"] as const;
type BounceAction = (typeof bounceActions)[number];

type BounceWords = { readonly means: string; readonly do: BounceAction; readonly advice: string };

export const bounceWords: Readonly<Record<BounceClass, BounceWords>> = {
  user_unknown: {
    means: "mailbox does not exist",
    do: "suppress",
    advice: "Suppress it: remove the address from your list.",
  },
  host_unknown: {
    means: "no mail server for the domain",
    do: "suppress",
    advice: "Suppress it: remove the address from your list, unless its domain is misspelled.",
  },
  mailbox_full: {
    means: "mailbox full",
    do: "retry",
    advice: "Retry in a few days. Suppress the address if it stays full.",
  },
  disabled: { means: "mailbox disabled", do: "suppress", advice: "Suppress it: remove the address from your list." },
  too_big: {
    means: "message too large",
    do: "fix",
    advice: "Fix and resend: make the message smaller, or link to the file instead of attaching it.",
  },
  policy: {
    means: "rejected by the receiver's policy",
    do: "fix",
    advice: "Fix and resend: the receiver's reply says which rule was broken.",
  },
  authentication: {
    means: "authentication failed",
    do: "fix",
    advice: "Fix and resend: send this message to Assay as a test to check the sending domain's SPF, DKIM, and DMARC.",
  },
  reputation: {
    means: "poor sender reputation",
    do: "fix",
    advice: "Fix and resend: check blocklists for the sending IP and domain, and send less until they are delisted.",
  },
  content: {
    means: "classified as spam",
    do: "fix",
    advice: "Fix and resend: send this message to a seed inbox. Its report may show the cause.",
  },
  rate: { means: "sent too fast", do: "retry", advice: "Retry later, and send more slowly to this receiver." },
  system: {
    means: "receiving server error",
    do: "retry",
    advice: "Retry later. The problem is on the receiver's side.",
  },
  expired: {
    means: "not delivered in time",
    do: "retry",
    advice: "Retry later. Suppress the address if the receiver's servers stay unreachable.",
  },
  unknown: {
    means: "unknown reason",
    do: "review",
    advice: "Read the receiver's reply. Assay does not recognize the reason.",
  },
};

/** RFC 5965 §7.3: the reader took the message out of the spam. */
export const notSpam = "not-spam";
/** RFC 6591 §3.1: a receiver's report that a message failed authentication. It isn't a complaint by a person. */
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
    return { do: "none", advice: "Nothing to do yet. The sending server keeps trying." };
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
        "If you sent it, fix SPF, DKIM, or alignment for that mail. If you didn't, someone spoofed your domain, and your DMARC policy applied.",
    };
  return { do: "suppress", advice: "Suppress it: remove the address from your list, and check how it got there." };
}
