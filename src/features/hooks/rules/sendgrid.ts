// Twilio SendGrid: the Event Webhook and the Inbound Parse Webhook. Both are signed in the same way: ECDSA over the
// timestamp and the body as sent ("Getting Started with the Event Webhook Security Features", "Securing your Inbound Parse
// Webhooks"). Inbound Parse is signed only if a security policy is attached to it.

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { toPlainAddress } from "../../../analyzer/addresses.ts";
import type { Notice } from "../../../analyzer/mail/reports/mail-class.ts";
import type { RecordedVerdicts } from "../../../analyzer/mail/session/doors.ts";
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
  mediaTypeOf,
  mostEvents,
  readJson,
  refuse,
  toBounce,
  toComplaint,
  toFields,
  toId,
  toMail,
  toMessageId,
  toText,
  toTime,
} from "./hook.ts";

const hourMs = 3_600_000;
/** SendGrid retries events for a day, and mail for three. Whether a retry has a new timestamp isn't documented. */
const windowsMs = { feedback: 25 * hourMs, mail: 73 * hourMs } as const;

/** Base64 of a P-256 public key, as SendGrid shows it, or the same as PEM. Undefined if it isn't one. */
export function readPublicKey(text: string): KeyObject | undefined {
  const base64 = text.replace(/-----[A-Z ]{1,40}-----|\s/g, "");
  try {
    const key = createPublicKey({ key: Buffer.from(base64, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
}

export const sendgrid = {
  label: feedbackProviders.sendgrid,
  feedback: {
    hasPassword: false,
    steps: [
      "In SendGrid, open Settings, then Mail Settings, then Event Webhooks. Create a webhook with your webhook’s URL.",
      "Select Bounced, Spam Reports, and Delivered.",
      "Turn on Signed Event Webhook, and paste the verification key under “Set up”.",
    ],
  },
  mail: {
    name: "SendGrid",
    growth: 1,
    hasPassword: true,
    steps: [
      "In SendGrid, open Settings, then Inbound Parse. Add your host with your webhook’s URL.",
      "Check “POST the raw, full MIME message”.",
      "Optional: attach a security policy with a signature to the host, and paste its public key under “Set up”. Then only signed requests are accepted.",
    ],
  },
  key: {
    from: "member",
    field: "signingKey",
    name: "Verification key",
    whyNot: (key) =>
      readPublicKey(key) ? null : "must be the verification key that SendGrid shows, which begins with MFkw",
  },
  proof: "signature",
  proves: "signature of the whole request; for received mail only if you attach a security policy",
  read: readSendgrid,
} satisfies HookProviderFacts;

export function readSendgrid(call: HookCall): HookReading {
  const { purpose, signingKey } = call;
  if (signingKey === null && purpose === "feedback") return refuse("no_key");
  const problem = signingKey === null ? null : whyNotSigned(call, signingKey);
  if (problem !== null) return refuse(problem);
  return purpose === "mail" ? readMail(call) : readEvents(call);
}

function whyNotSigned(call: HookCall, signingKey: string): HookProblem | null {
  const signature = call.header("x-twilio-email-event-webhook-signature");
  const timestamp = call.header("x-twilio-email-event-webhook-timestamp");
  if (signature === null || timestamp === null) return "no_signature";
  const key = readPublicKey(signingKey);
  const signed = Buffer.concat([Buffer.from(timestamp), call.body]);
  if (key === undefined || !verify("sha256", signed, key, Buffer.from(signature, "base64"))) return "bad_signature";
  return isRecent(timestamp, call.nowMs, windowsMs[call.purpose]) ? null : "too_old";
}

function readEvents({ body, contentType }: HookCall): HookReading {
  if (mediaTypeOf(contentType) !== "application/json") return refuse("wrong_type");
  const list = readJson(body);
  if (!Array.isArray(list)) return refuse("unreadable");
  if (list.length > mostEvents) return refuse("too_many");
  const events = list.flatMap((one) => toEvent(toFields(one)) ?? []);
  const content = { kind: "feedback", events, ignored: list.length - events.length } as const;
  return { ok: true, isSigned: true, requestId: "", content };
}

/** `dropped` means that SendGrid didn't try, and `deferred` that it will try again. */
function toEvent(fields: Fields): FeedbackEvent | null {
  const kind = kinds[toText(fields.event) ?? ""];
  const id = toId(fields.sg_event_id);
  if (kind === undefined || id === "") return null;
  const notice = kind === "delivered" ? null : toNotice(kind, fields);
  return { id, kind, count: 1, at: toTime(fields.timestamp), domain: null, notice };
}

const kinds: Readonly<Record<string, FeedbackEvent["kind"]>> = Object.assign(Object.create(null), {
  bounce: "bounce",
  spamreport: "complaint",
  delivered: "delivered",
});

function toNotice(kind: "bounce" | "complaint", fields: Fields): Notice {
  const about = { address: toText(fields.email), originalMessageId: toMessageId(fields["smtp-id"]) };
  if (kind === "complaint") return toComplaint(about);
  const diagnostic = toText(fields.reason);
  return toBounce({ ...about, status: toText(fields.status), texts: [diagnostic ?? ""], diagnostic });
}

function readMail({ body, contentType, signingKey }: HookCall): HookReading {
  if (mediaTypeOf(contentType) !== "multipart/form-data") return refuse("wrong_type");
  const form = readForm(body, contentType);
  if (form === null) return refuse("unreadable");
  const raw = bytesOf(form, "email");
  if (raw === undefined) return refuse(form.has("headers") ? "not_raw" : "unreadable");
  const envelope = toFields(readJson(bytesOf(form, "envelope") ?? Buffer.alloc(0)));
  const to = Array.isArray(envelope.to) ? envelope.to : [];
  const content = toMail({
    raw,
    mailFrom: typeof envelope.from === "string" ? envelope.from.slice(0, 1_000) : null,
    rcptTo: to.flatMap((one) => toText(one) ?? []).slice(0, 100),
    clientAddress: toPlainAddress(textOf(form, "sender_ip") ?? "") ?? null,
    recorded: readVerdicts(textOf(form, "SPF"), textOf(form, "dkim")),
  });
  return { ok: true, isSigned: signingKey !== null, requestId: "", content };
}

/** `dkim` is in the form {@example.com : pass}. */
function readVerdicts(spf: string | null, dkim: string | null): RecordedVerdicts {
  const signatures = dkim?.replace(/^\{|\}$/g, "").trim() ?? "";
  return {
    ...(spf !== null && spf !== "" && { spf: spf.slice(0, 40) }),
    ...(signatures !== "" && { dkim: signatures.slice(0, 300) }),
  };
}
