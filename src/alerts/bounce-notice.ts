// A bounce or a complaint in words. Anybody can write one and send it to a seed address, which whoever is called at
// night must know; so it is said when nothing of ours vouches for it.

import { bounceClasses } from "../mail/recognised.ts";
import type { BounceData } from "./alert-event.ts";
import { type BounceWords, bounceWords } from "./bounce-words-table.ts";
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

/** RFC 5965 §7.3: the reader took the message out of the spam. */
const goodNews = "not-spam";
/** RFC 6591 §3.1: a receiver's report that a message failed authentication. Nobody complained. */
const authenticationFailure = "auth-failure";

function complaintWords({ feedbackType }: Bounce): Words {
  if (feedbackType === goodNews)
    return {
      title: "A reader took your mail out of the spam",
      tone: "better",
      advice: "Nothing is to be done.",
    };
  if (feedbackType === authenticationFailure)
    return {
      title: "A message failed authentication (DMARC failure report)",
      tone: "worse",
      advice:
        "If you sent it, fix SPF, DKIM or alignment of that mail stream. If you didn't, somebody spoofed your domain, and your DMARC policy applied.",
    };
  return {
    title: "A reader complained about your mail",
    tone: "worse",
    advice: "Take the reader off your list, and see how they came onto it.",
  };
}

function toBounceWords(recipient: Recipient | undefined): Words {
  const { means, advice } = recipient ? wordsOf(recipient) : bounceWords.unknown;
  if (recipient?.action === "delayed")
    return {
      title: `Delivery delayed: ${means}`,
      tone: "neutral",
      advice: "The sending server tries on by itself.",
    };
  if (recipient?.action === "delivered" || recipient?.action === "relayed")
    return { title: "Delivered, as the receiver reports", tone: "better", advice: "Nothing is to be done." };
  const kind = recipient?.hard ? "Hard bounce" : "Bounce";
  return { title: `${kind}: ${means}`, tone: "worse", advice };
}

function wordsOf(recipient: Recipient): BounceWords {
  return bounceWords[bounceClasses.find((known) => known === recipient.class) ?? "unknown"];
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
