// Postmark: webhooks of bounces, complaints and deliveries, and the inbound webhook. Postmark signs nothing. It sends a user
// name and password that are part of the URL, so these are all that shows who sent the request ("Webhooks overview").

import type { BounceClass, Notice } from "../../../analyzer/mail/reports/mail-class.ts";
import { feedbackProviders } from "../../feedback/rules/providers.ts";
import {
  type FeedbackEvent,
  type Fields,
  type HookCall,
  type HookProviderFacts,
  type HookReading,
  mediaTypeOf,
  readJson,
  refuse,
  toBounce,
  toComplaint,
  toDate,
  toDomain,
  toFields,
  toId,
  toMail,
  toMessageId,
  toText,
} from "./hook.ts";

export const postmark = {
  label: feedbackProviders.postmark,
  feedback: {
    hasPassword: true,
    steps: [
      "In Postmark, open your server and message stream, then Webhooks. Add a webhook with your webhook’s URL, including the user name and password in it.",
      "Select Bounce, Spam complaint, and Delivery.",
    ],
  },
  mail: {
    name: "Postmark",
    // It posts a message as JSON, next to its parts.
    growth: 4,
    hasPassword: true,
    steps: [
      "In Postmark, open your server and its inbound stream, then Settings. Enter your webhook’s URL, including the user name and password in it.",
      "Check “Include raw email content in JSON payload”.",
    ],
  },
  key: { from: "none" },
  proof: "password",
  proves: "only the URL and its password",
  read: readPostmark,
} satisfies HookProviderFacts;

export function readPostmark({ purpose, body, contentType }: HookCall): HookReading {
  if (mediaTypeOf(contentType) !== "application/json") return refuse("wrong_type");
  const json = readJson(body);
  if (json === null) return refuse("unreadable");
  return purpose === "mail" ? readMail(toFields(json)) : readEvent(toFields(json));
}

function readEvent(fields: Fields): HookReading {
  if (toText(fields.RecordType) === null) return refuse("unreadable");
  const event = toEvent(fields);
  const content = { kind: "feedback", events: event ? [event] : [], ignored: event ? 0 : 1 } as const;
  return { ok: true, isSigned: false, requestId: "", content };
}

function toEvent(fields: Fields): FeedbackEvent | null {
  const { RecordType: type } = fields;
  const messageId = toId(fields.MessageID);
  if (type === "Delivery") {
    const id = `delivered ${messageId} ${toId(fields.Recipient)}`;
    const at = toDate(fields.DeliveredAt);
    return { id, kind: "delivered", count: 1, at, domain: null, notice: null };
  }
  const isComplaint = type === "SpamComplaint" || fields.Type === "SpamComplaint";
  const listed = classOfType[toText(fields.Type) ?? ""];
  if (type !== "Bounce" && type !== "SpamComplaint") return null;
  if (!isComplaint && listed === undefined) return null;
  const kind = isComplaint ? "complaint" : "bounce";
  const at = toDate(fields.BouncedAt);
  const domain = toDomain(toText(fields.From));
  const notice = toNotice(fields, isComplaint ? null : (listed ?? "unknown"));
  // Postmark's examples all have the same ID, and each real bounce has its own.
  return { id: `${kind} ${toId(fields.ID)} ${messageId}`, kind, count: 1, at, domain, notice };
}

/** "Bounce types". Types that aren't listed are no bounces: automatic replies, or mail that wasn't sent. */
const classOfType: Readonly<Record<string, BounceClass>> = Object.assign(Object.create(null), {
  HardBounce: "unknown",
  SoftBounce: "unknown",
  Transient: "unknown",
  Unknown: "unknown",
  DnsError: "host_unknown",
  SpamNotification: "content",
  VirusNotification: "content",
  BadEmailAddress: "user_unknown",
  Blocked: "reputation",
  DMARCPolicy: "authentication",
});

/** A transient one is tried again. */
function actionOf(type: unknown): string {
  return type === "Transient" ? "delayed" : "failed";
}

/** `listed`: null for a complaint. */
function toNotice(fields: Fields, listed: BounceClass | null): Notice {
  const id = toMessageId(fields.MessageID);
  // Postmark's MessageID becomes the Message-ID at its own host, unless the sender keeps theirs.
  const about = { address: toText(fields.Email), originalMessageId: id === null ? null : `${id}@mtasv.net` };
  if (listed === null) return toComplaint(about);
  const diagnostic = toText(fields.Details) ?? toText(fields.Description);
  return toBounce({
    ...about,
    texts: [diagnostic ?? ""],
    action: actionOf(fields.Type),
    diagnostic,
    toClass: (found) => (found === "unknown" ? listed : found),
  });
}

function readMail(fields: Fields): HookReading {
  const messageId = toId(fields.MessageID);
  if (messageId === "") return refuse("unreadable");
  const { RawEmail: raw } = fields;
  if (typeof raw !== "string" || raw === "") return refuse("not_raw");
  const recipient = toText(fields.OriginalRecipient);
  const content = toMail({ raw: Buffer.from(raw), rcptTo: recipient === null ? [] : [recipient] });
  return { ok: true, isSigned: false, requestId: messageId, content };
}
