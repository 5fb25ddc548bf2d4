// Amazon SES reports bounces and complaints as JSON, which its notification service mails as plain text. The field
// names are from its developer guide ("Amazon SNS notification contents").

import { isJsonObject, type JsonObject, parseJsonObject } from "../../json.ts";
import { toFromDomain } from "../headers/registrable-domain.ts";
import { bodyOf, type Part, textOf } from "../mime/parts.ts";
import type { Notice, NoticeRecipient } from "../reports/mail-class.ts";
import { decodeCharset } from "../text/decoding.ts";
import { classify, isHard } from "./classes.ts";

type SesNotice = { readonly kind: "bounce" | "complaint"; readonly notice: Notice };

const maxRecipients = 100;

export function readSesNotification(root: Part): SesNotice | null {
  if (root.type !== "text/plain" || !beginsWithObject(root)) return null;
  const text = textOf(root).trimStart();
  if (!/^\{\s{0,20}"(?:notificationType|eventType)"/.test(text)) return null;
  const fields = readObject(text);
  return fields && readSesEvent(fields);
}

/** Null if it is about something else. */
export function readSesEvent(fields: JsonObject): SesNotice | null {
  const type = fields.notificationType ?? fields.eventType;
  if (!toObject(fields.mail).messageId) return null;
  if (type === "Bounce") return { kind: "bounce", notice: readBounce(fields) };
  return type === "Complaint" ? { kind: "complaint", notice: readComplaint(fields) } : null;
}

/**
 * Lines longer than SMTP allows are wrapped in transit, even inside words and strings: by a line end alone, by a line
 * end and a space, or by sendmail's "!", a line end and a space. The footer that follows has no brace.
 */
function readObject(text: string): JsonObject | null {
  const object = text.slice(0, text.lastIndexOf("}") + 1);
  return (
    parseJsonObject(object) ??
    parseJsonObject(text.split(/\r?\n/, 1)[0] ?? "") ??
    parseJsonObject(object.replace(/!\r?\n /g, "")) ??
    parseJsonObject(object.replace(/\r?\n /g, "")) ??
    parseJsonObject(object.replace(/\r?\n/g, ""))
  );
}

/** Looks only at the beginning, because every ordinary message passes through here. */
function beginsWithObject(root: Part): boolean {
  const beginning = decodeCharset(bodyOf(root, 1_000), root.parameter("charset"), true);
  return beginning.trimStart().startsWith("{");
}

function readBounce(fields: JsonObject): Notice {
  const bounce = toObject(fields.bounce);
  const recipients = toList(bounce.bouncedRecipients).map((told): NoticeRecipient => {
    const action = toText(told.action) ?? "failed";
    const diagnostic = toText(told.diagnosticCode)?.replace(/^smtp;\s{0,3}/, "") ?? null;
    const texts = [diagnostic ?? "", toText(bounce.bounceSubType)?.replace("MailboxFull", "mailbox full") ?? ""];
    const verdict = classify({ status: toText(told.status), texts });
    const hard = isHard(verdict, action);
    return {
      address: toText(told.emailAddress),
      status: verdict.status,
      action,
      class: verdict.class,
      hard,
      diagnostic,
    };
  });
  const reportingMta = toText(bounce.reportingMTA)?.replace(/^dns;\s{0,3}/, "") ?? null;
  return { ...ofMail(fields), reportingMta, recipients, feedbackType: null };
}

function readComplaint(fields: JsonObject): Notice {
  const complaint = toObject(fields.complaint);
  const recipients = toList(complaint.complainedRecipients).map(
    (told): NoticeRecipient => ({
      address: toText(told.emailAddress),
      status: null,
      action: null,
      class: "unknown",
      hard: false,
      diagnostic: null,
    }),
  );
  return {
    ...ofMail(fields),
    reportingMta: null,
    recipients,
    feedbackType: toText(complaint.complaintFeedbackType) ?? "abuse",
  };
}

function ofMail(
  fields: JsonObject,
): Pick<Notice, "sourceIp" | "originalMessageId" | "originalAssayId" | "originalDomain"> {
  const mail = toObject(fields.mail);
  const header = toList(mail.headers).find(
    ({ name }) => typeof name === "string" && name.toLowerCase() === "x-assay-id",
  );
  const { from } = toObject(mail.commonHeaders);
  const first: unknown = Array.isArray(from) ? from[0] : from;
  const messageId = toText(toObject(mail.commonHeaders).messageId) ?? toText(mail.messageId);
  return {
    sourceIp: toText(mail.sourceIp),
    originalMessageId: messageId?.replace(/^<|>$/g, "") ?? null,
    originalAssayId: toText(header?.value),
    originalDomain: toFromDomain(toText(first) ?? toText(mail.source) ?? ""),
  };
}

function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function toList(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.slice(0, maxRecipients).map(toObject) : [];
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, 2_000) : null;
}
