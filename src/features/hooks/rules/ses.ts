// Amazon SES by SNS: bounces, complaints and deliveries ("Amazon SNS notification contents", "Contents of event data"), and
// received mail ("Contents of notifications for Amazon SES email receiving").

import { isJsonObject } from "../../../analyzer/json.ts";
import { readSesEvent } from "../../../analyzer/mail/bounces/ses-notification.ts";
import type { RecordedVerdicts } from "../../../analyzer/mail/session/doors.ts";
import { feedbackProviders } from "../../feedback/rules/providers.ts";
import {
  type FeedbackEvent,
  type FetchCertificate,
  type Fields,
  type HookCall,
  type HookContent,
  type HookProblem,
  type HookProviderFacts,
  type HookReading,
  readJson,
  refuse,
  toDate,
  toDomain,
  toFields,
  toId,
  toMail,
  toText,
} from "./hook.ts";
import {
  isCertificateUrl,
  isOfTopic,
  isSignedBy,
  isTopicArn,
  readSnsMessage,
  type SnsMessage,
  toConfirmationUrl,
} from "./sns.ts";

/** SNS retries for an hour at most, and its timestamp is that of the first attempt. */
const windowMs = 75 * 60_000;
const aheadMs = 5 * 60_000;

const toTopic = [
  "In Amazon SNS, create a standard topic, and enter its ARN under “Set up”.",
  "Create a subscription for the topic: protocol HTTPS, your webhook’s URL, raw message delivery off. Assay confirms it automatically.",
];

export const ses = {
  label: feedbackProviders.ses,
  feedback: {
    hasPassword: false,
    steps: [
      ...toTopic,
      "In Amazon SES, open your identity, then Notifications. Select the topic for bounces, complaints, and deliveries.",
    ],
  },
  mail: {
    name: "Amazon SES",
    // SNS carries 256 KB.
    growth: 0,
    limit: "up to 150 KB",
    hasPassword: false,
    steps: [
      ...toTopic,
      "In Amazon SES, add a receipt rule with the action “Publish to SNS topic” and the encoding Base64. SES bounces messages over 150 KB.",
    ],
  },
  key: {
    from: "member",
    field: "topicArn",
    name: "ARN of the SNS topic",
    whyNot: (arn) =>
      isTopicArn(arn) ? null : "must be the ARN of an SNS topic, like arn:aws:sns:us-east-1:123456789012:name",
  },
  proof: "signature",
  proves: "signature of the whole request",
  read: (call, { fetchCertificate }) => readSes(call, fetchCertificate),
} satisfies HookProviderFacts;

export async function readSes(call: HookCall, fetchCertificate: FetchCertificate): Promise<HookReading> {
  const { topicArn, nowMs } = call;
  if (topicArn === null) return refuse("no_key");
  const message = readSnsMessage(call.body);
  if (message === null || message.id === "") return refuse("unreadable");
  if (!isOfTopic(message, topicArn)) return refuse("wrong_topic");
  if (message.at < nowMs - windowMs || message.at > nowMs + aheadMs) return refuse("too_old");
  if (!isCertificateUrl(message.certificateUrl)) return refuse("bad_signature");
  const pem = await fetchCertificate(message.certificateUrl);
  if (pem === null) return refuse("no_certificate");
  if (!isSignedBy(message, pem, nowMs)) return refuse("bad_signature");
  const content = toContent(message, topicArn, call.purpose);
  if (typeof content === "string") return refuse(content);
  return { ok: true, isSigned: true, requestId: message.id, content };
}

function toContent(message: SnsMessage, topicArn: string, purpose: HookCall["purpose"]): HookContent | HookProblem {
  if (message.type === "SubscriptionConfirmation")
    return { kind: "confirmation", url: toConfirmationUrl(topicArn, message.token) };
  const fields = toFields(readJson(Buffer.from(message.message)));
  if (message.type === "UnsubscribeConfirmation") return nothing;
  if (purpose === "mail") return readMail(fields);
  const events = readEvents(fields, message);
  // SES posts a plain sentence when it is set up.
  return events === null ? nothing : { kind: "feedback", events, ignored: 0 };
}

const nothing: HookContent = { kind: "feedback", events: [], ignored: 1 };

function readEvents(fields: Fields, message: SnsMessage): FeedbackEvent[] | null {
  const mail = toFields(fields.mail);
  const domain = readFromDomain(mail);
  const type = fields.notificationType ?? fields.eventType;
  if (type === "Delivery") {
    const { recipients, timestamp } = toFields(fields.delivery);
    const count = Array.isArray(recipients) ? Math.min(Math.max(recipients.length, 1), 1_000) : 1;
    const id = `delivered ${message.id}`;
    return [{ id, kind: "delivered", count, at: toDate(timestamp), domain, notice: null }];
  }
  const found = isJsonObject(fields) ? readSesEvent(fields) : null;
  if (found === null) return null;
  const said = toFields(fields[found.kind]);
  const id = `${found.kind} ${toId(said.feedbackId) || message.id}`;
  // A complaint lists everyone who may have made it, because receivers hide who did.
  const count = found.kind === "complaint" ? 1 : Math.max(found.notice.recipients.length, 1);
  return [{ id, kind: found.kind, count, at: toDate(said.timestamp), domain, notice: found.notice }];
}

/** `source` is the envelope's sender, which may be at another domain. Some configurations leave the headers out. */
function readFromDomain({ commonHeaders, source }: Fields): string | null {
  const { from } = toFields(commonHeaders);
  const author = Array.isArray(from) ? toText(from[0]) : null;
  return toDomain(author) ?? toDomain(toText(source));
}

function readMail(fields: Fields): HookContent | HookProblem {
  if (fields.notificationType !== "Received") return nothing;
  const [mail, receipt] = [toFields(fields.mail), toFields(fields.receipt)];
  const { content } = fields;
  if (typeof content !== "string") return "not_raw";
  const encoding = toText(toFields(receipt.action).encoding)?.toUpperCase() === "BASE64" ? "base64" : "utf8";
  const rcptTo = Array.isArray(receipt.recipients) ? receipt.recipients.flatMap((one) => toText(one) ?? []) : [];
  return toMail({
    raw: Buffer.from(content, encoding),
    mailFrom: typeof mail.source === "string" ? mail.source.slice(0, 1_000) : null,
    rcptTo: rcptTo.slice(0, 100),
    receivedAt: toDate(mail.timestamp),
    trusted: ["amazonses.com"],
    recorded: readVerdicts(receipt),
  });
}

function readVerdicts(receipt: Fields): RecordedVerdicts {
  const verdicts = (["spf", "dkim", "dmarc", "spam", "virus"] as const).flatMap((name) => {
    const status = toText(toFields(receipt[`${name}Verdict`]).status);
    return status === null ? [] : [[name, status.slice(0, 40)] as const];
  });
  return Object.fromEntries(verdicts);
}
