// Mailjet: the Event API, one event or a list of them. Mailjet signs nothing. It sends a user name and password that are
// part of the URL, so these are all that shows who sent the request.

import type { BounceClass, Notice } from "../../../analyzer/mail/reports/mail-class.ts";
import { feedbackProviders } from "../../feedback/rules/providers.ts";
import {
  type FeedbackEvent,
  type Fields,
  type HookCall,
  type HookProviderFacts,
  type HookReading,
  mediaTypeOf,
  mostEvents,
  readJson,
  refuse,
  toBounce,
  toComplaint,
  toFields,
  toId,
  toText,
  toTime,
} from "./hook.ts";

export const mailjet = {
  label: feedbackProviders.mailjet,
  feedback: {
    hasPassword: true,
    steps: [
      "In Mailjet, open Account, then Event notifications (webhooks). Enter your webhook’s URL, including the user name and password in it, for Bounce, Blocked, Spam, and Sent.",
    ],
  },
  mail: null,
  key: { from: "none" },
  proof: "password",
  proves: "only the URL and its password",
  read: readMailjet,
} satisfies HookProviderFacts;

export function readMailjet({ body, contentType }: HookCall): HookReading {
  if (mediaTypeOf(contentType) !== "application/json") return refuse("wrong_type");
  const json = readJson(body);
  const list = Array.isArray(json) ? json : [json];
  if (list.length > mostEvents) return refuse("too_many");
  const objects = list.map(toFields);
  if (objects.length === 0 || objects.some(({ event }) => toText(event) === null)) return refuse("unreadable");
  const events = objects.flatMap((one) => toEvent(one) ?? []);
  const content = { kind: "feedback", events, ignored: objects.length - events.length } as const;
  return { ok: true, isSigned: false, requestId: "", content };
}

const kinds: Readonly<Record<string, FeedbackEvent["kind"]>> = Object.assign(Object.create(null), {
  bounce: "bounce",
  blocked: "bounce",
  spam: "complaint",
  sent: "delivered",
});

function toEvent(fields: Fields): FeedbackEvent | null {
  const event = toText(fields.event) ?? "";
  const kind = kinds[event];
  const about = toText(fields.error_related_to);
  // Mailjet didn't try to deliver these.
  if (kind === undefined || (event === "blocked" && about === "mailjet")) return null;
  const message = toId(fields.Message_GUID) || toId(fields.mj_message_id) || toId(fields.MessageID);
  // An event has no ID.
  const id = [event, toId(fields.time), message, toText(fields.email)].join(" ");
  const notice = kind === "delivered" ? null : toNotice(kind, fields);
  return { id, kind, count: 1, at: toTime(fields.time), domain: null, notice };
}

/** "Possible values for errors", where their words alone don't say it. */
const classOfError: Readonly<Record<string, BounceClass>> = Object.assign(Object.create(null), {
  "user unknown": "user_unknown",
  "mailbox inactive": "disabled",
  "quota exceeded": "mailbox_full",
  "invalid domain": "host_unknown",
  "no mail host": "host_unknown",
  "relay/access denied": "policy",
  greylisted: "rate",
  "sender blocked": "reputation",
  "content blocked": "content",
  "policy issue": "policy",
  "system issue": "system",
  "protocol issue": "system",
  "connection issue": "system",
});

function toNotice(kind: "bounce" | "complaint", fields: Fields): Notice {
  const address = toText(fields.email);
  if (kind === "complaint") return toComplaint({ address, diagnostic: toText(fields.source) });
  const error = toText(fields.error);
  const diagnostic = [error, toText(fields.comment)].filter((part) => part !== null).join(": ") || null;
  const texts = [toText(fields.comment) ?? "", error ?? ""];
  const listed = classOfError[error?.toLowerCase() ?? ""];
  return toBounce({ address, texts, diagnostic, toClass: (found) => listed ?? found });
}
