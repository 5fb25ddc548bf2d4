// Mailgun: webhooks of events, and routes that post received mail. Both have a timestamp, a random token, and an HMAC of
// the two ("Securing Webhooks"). The signature doesn't cover the rest of the request, so only TLS protects that, and a
// token is taken once.

import { createHmac } from "node:crypto";
import type { Notice } from "../../../analyzer/mail/reports/mail-class.ts";
import { feedbackProviders } from "../../feedback/rules/providers.ts";
import { bytesOf, readForm, textOf } from "./form.ts";
import {
  type FeedbackEvent,
  type Fields,
  type HookCall,
  type HookProblem,
  type HookProviderFacts,
  type HookReading,
  isRecent,
  isSame,
  mediaTypeOf,
  readJson,
  refuse,
  toBounce,
  toComplaint,
  toDomain,
  toFields,
  toId,
  toMail,
  toMessageId,
  toText,
  toTime,
} from "./hook.ts";

/** Mailgun retries for 8 hours. */
const windowMs = 9 * 3_600_000;

export const mailgun = {
  label: feedbackProviders.mailgun,
  feedback: {
    hasPassword: false,
    steps: [
      "In Mailgun, open Send, then Sending, then Webhooks. Add your webhook’s URL for Permanent Failure, Spam Complaints, and Delivered Messages.",
      "Copy the HTTP webhook signing key from API Security, and paste it under “Set up”.",
    ],
  },
  mail: {
    name: "Mailgun",
    // It may encode each byte as three.
    growth: 3,
    path: "mime",
    hasPassword: false,
    steps: [
      "In Mailgun, open Receiving, and create a route that forwards to your webhook’s URL. It must end with “mime”, so that Mailgun posts the raw message.",
      "Copy the HTTP webhook signing key from API Security, and paste it under “Set up”.",
    ],
  },
  key: { from: "member", field: "signingKey", name: "HTTP webhook signing key", whyNot: () => null },
  proof: "token",
  proves: "signature of a timestamp and a token, not of the content",
  read: readMailgun,
} satisfies HookProviderFacts;

export function readMailgun(call: HookCall): HookReading {
  if (call.signingKey === null) return refuse("no_key");
  return call.purpose === "mail" ? readMail(call, call.signingKey) : readEvent(call, call.signingKey);
}

type Signed = {
  readonly timestamp: string | null;
  readonly token: string | null;
  /** Its own, and the main account's for an event of a subaccount. */
  readonly signatures: readonly (string | null)[];
};

function whyNotSigned({ timestamp, token, signatures }: Signed, key: string, nowMs: number) {
  const given = signatures.filter((one) => one !== null);
  if (timestamp === null || token === null || given.length === 0) return "no_signature";
  const expected = createHmac("sha256", key)
    .update(timestamp + token)
    .digest("hex");
  // Not `some`, which would stop at the first.
  const matching = given.filter((one) => isSame(one.toLowerCase(), expected));
  if (matching.length === 0) return "bad_signature" satisfies HookProblem;
  return isRecent(timestamp, nowMs, windowMs) ? null : "too_old";
}

function readEvent({ body, contentType, nowMs }: HookCall, key: string): HookReading {
  if (mediaTypeOf(contentType) !== "application/json") return refuse("wrong_type");
  const fields = toFields(readJson(body));
  const { timestamp, token, signature, ...others } = toFields(fields.signature);
  const signed = {
    timestamp: toId(timestamp) || null,
    token: toText(token),
    signatures: [toText(signature), toText(others["parent-signature"])],
  };
  const problem = whyNotSigned(signed, key, nowMs);
  if (problem !== null) return refuse(problem);
  const event = toEvent(toFields(fields["event-data"]), signed.token ?? "");
  const content = { kind: "feedback", events: event ? [event] : [], ignored: event ? 0 : 1 } as const;
  return { ok: true, isSigned: true, requestId: signed.token ?? "", content };
}

const kinds: Readonly<Record<string, FeedbackEvent["kind"]>> = Object.assign(Object.create(null), {
  failed: "bounce",
  complained: "complaint",
  delivered: "delivered",
});

function toEvent(fields: Fields, token: string): FeedbackEvent | null {
  const kind = kinds[toText(fields.event) ?? ""];
  if (kind === undefined || (kind === "bounce" && !isFinal(fields))) return null;
  const headers = toFields(toFields(fields.message).headers);
  const sender = toText(toFields(fields.envelope).sender);
  const domain = toDomain(toText(headers.from)) ?? toDomain(sender);
  const notice = kind === "delivered" ? null : toNotice(kind, fields, headers);
  // A bounce can have the ID of its delivery.
  const id = `${kind} ${toId(fields.id) || token}`;
  return { id, kind, count: 1, at: toTime(fields.timestamp), domain, notice };
}

/** Mailgun tries again after a temporary failure, and never tries an address that it suppresses. */
function isFinal({ severity, reason }: Fields): boolean {
  return severity !== "temporary" && !(toText(reason) ?? "").startsWith("suppress-");
}

function toNotice(kind: "bounce" | "complaint", fields: Fields, headers: Fields): Notice {
  const about = {
    address: toText(fields.recipient),
    sourceIp: toText(toFields(fields.envelope)["sending-ip"]),
    originalMessageId: toMessageId(headers["message-id"]),
  };
  if (kind === "complaint") return toComplaint(about);
  const status = toFields(fields["delivery-status"]);
  const [message, description] = [toText(status.message), toText(status.description)];
  const words = message ?? description ?? "";
  const code = toId(status.code);
  // The reply code is in a separate field, and often in the message too.
  const reply = /^[45]\d\d$/.test(code) && !/^\s*[45]\d\d\b/.test(words) ? `${code} ${words}` : words;
  const texts = [reply, description ?? ""];
  return toBounce({ ...about, status: toText(status["enhanced-code"]), texts, diagnostic: words || null });
}

function readMail({ body, contentType, nowMs }: HookCall, key: string): HookReading {
  const mediaType = mediaTypeOf(contentType);
  if (mediaType !== "multipart/form-data" && mediaType !== "application/x-www-form-urlencoded")
    return refuse("wrong_type");
  const form = readForm(body, contentType);
  if (form === null) return refuse("unreadable");
  const token = textOf(form, "token");
  const signed = { timestamp: textOf(form, "timestamp"), token, signatures: [textOf(form, "signature")] };
  const problem = whyNotSigned(signed, key, nowMs);
  if (problem !== null) return refuse(problem);
  const raw = bytesOf(form, "body-mime");
  if (raw === undefined) return refuse("not_raw");
  const recipient = textOf(form, "recipient");
  const rcptTo = recipient === null || recipient === "" ? [] : [recipient];
  const content = toMail({ raw, mailFrom: textOf(form, "sender"), rcptTo, recorded: readVerdicts(raw) });
  return { ok: true, isSigned: true, requestId: token ?? "", content };
}

const verdictFields = /^x-mailgun-(spf|dkim-check-result|sflag):[ \t]{0,20}([\w-]{1,40})/gim;
const longestHeader = 65_536;

const receivedLine = /^received:/im;

/** Mailgun writes what it found above its own Received field. Below that, the sender could have written the same. */
function readVerdicts(raw: Buffer) {
  const end = raw.indexOf("\r\n\r\n");
  const all = raw.toString("latin1", 0, Math.min(end < 0 ? longestHeader : end, longestHeader));
  const received = all.search(receivedLine);
  const headers = received < 0 ? "" : all.slice(0, received);
  const found: { spf?: string; dkim?: string; spam?: string } = {};
  for (const [, name = "", value = ""] of headers.matchAll(verdictFields)) {
    const key = names[name.toLowerCase()];
    if (key !== undefined) found[key] ??= value;
  }
  return found;
}

const names: Readonly<Record<string, "spf" | "dkim" | "spam">> = {
  spf: "spf",
  "dkim-check-result": "dkim",
  sflag: "spam",
};
