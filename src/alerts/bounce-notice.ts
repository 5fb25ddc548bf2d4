// A bounce or a complaint in words. Anybody can write one and send it to a seed address, which whoever is called at
// night must know; so it is said when nothing of ours vouches for it.

import { bounceClasses } from "../mail/recognised.ts";
import type { BounceData } from "./alert-event.ts";
import { adviceOf, authenticationFailure, bounceWords, notSpam } from "./bounce-words-table.ts";
import type { ChatNotice, Quote } from "./chat-notice.ts";
import { toName, toQuote } from "./shown-text.ts";

type Bounce = BounceData["bounce"];
type Recipient = Bounce["recipients"][number];

const unvouched = "Its return path bears no token of ours, so anybody may have made it up.";

export function bounceNotice({ bounce }: BounceData): ChatNotice {
  const [first] = bounce.recipients;
  const others = bounce.recipients.length - 1;
  const words = bounce.kind === "complaint" ? complaintWords(bounce) : toBounceWords(first);
  return {
    ...words,
    says: [
      ...(others > 0 ? [`And ${others} more ${others === 1 ? "recipient" : "recipients"}.`] : []),
      ...(bounce.authenticated ? [] : [unvouched]),
    ],
    quotes: [
      ...(first === undefined ? [] : recipientQuotes(first)),
      ...quoteIf("Kind of complaint", bounce.feedbackType),
      ...quoteIf("Reported by", bounce.reportingMta),
      ...quoteIf("Message-ID", bounce.originalMessageId),
    ],
    short: `Recipient: ${toName(first?.address ?? "(hidden)")}`,
    // The page that lists them all.
    path: "/settings/arrivals",
  };
}

type Words = Pick<ChatNotice, "title" | "tone" | "advice">;

function complaintWords({ feedbackType }: Bounce): Words {
  const { advice } = adviceOf({ kind: "complaint", feedbackType, recipient: undefined });
  if (feedbackType === notSpam)
    return { title: "A reader took your mail out of the spam", tone: "better", advice };
  if (feedbackType === authenticationFailure)
    return { title: "A message failed authentication (DMARC failure report)", tone: "worse", advice };
  return { title: "A reader complained about your mail", tone: "worse", advice };
}

function toBounceWords(recipient: Recipient | undefined): Words {
  const bounceClass = bounceClasses.find((known) => known === recipient?.class) ?? "unknown";
  const { means } = bounceWords[bounceClass];
  const action = recipient?.action ?? null;
  const { advice } = adviceOf({
    kind: "bounce",
    feedbackType: null,
    recipient: { class: bounceClass, action },
  });
  if (action === "delayed") return { title: `Delivery delayed: ${means}`, tone: "neutral", advice };
  if (action === "delivered" || action === "relayed")
    return { title: "Delivered, as the receiver reports", tone: "better", advice };
  return { title: `${recipient?.hard ? "Hard bounce" : "Bounce"}: ${means}`, tone: "worse", advice };
}

function recipientQuotes({ address, status, diagnostic }: Recipient): Quote[] {
  return [
    toQuote("Recipient", address ?? "(hidden)"),
    ...quoteIf("Status", status),
    ...quoteIf("Answer", diagnostic),
  ];
}

function quoteIf(label: string, text: string | null): Quote[] {
  return text === null ? [] : [toQuote(label, text)];
}
