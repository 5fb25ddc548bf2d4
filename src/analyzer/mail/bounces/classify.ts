// Decides what a received message is: a test, or a bounce, complaint, report or automatic reply. Machine-readable parts
// are read before words. Bounces are recognized before automatic replies, because mail systems mark bounces as
// automatic.

import { toAsciiDomain } from "../headers/registrable-domain.ts";
import { isAutoReply } from "../mime/auto-reply.ts";
import {
  bodyOf,
  type Fields,
  isEmbedded,
  isReportOf,
  ownParts,
  type Part,
  readFields,
  readParts,
  textOf,
} from "../mime/parts.ts";
import type { MimeTree } from "../mime/tree.ts";
import type { Notice, Recognised } from "../reports/mail-class.ts";
import { readMailReports } from "../reports/mail-report.ts";
import { readBounce, readReturnPath } from "./bounce.ts";
import { addressesIn, addressIn, type Original, readOriginal } from "./notice-text.ts";
import { readSesNotification } from "./ses-notification.ts";

export function recognise(
  raw: Uint8Array,
  envelope: { readonly mailFrom: string | null; readonly rcptTo: readonly string[] },
  tree?: MimeTree,
): Recognised {
  const root = readParts(raw, tree);
  const returnPath = readReturnPath(root);
  // Without a recipient there was no session, so an empty return path isn't evidence.
  const isNullPath =
    returnPath === "" || (envelope.mailFrom === "" && envelope.rcptTo.length > 0 && returnPath === null);
  const complaint = readComplaint(root);
  if (complaint) return { kind: "complaint", notice: complaint };
  const report = readMailReports(root);
  if (report) return report;
  const notification = readSesNotification(root);
  if (notification) return notification;
  const bounce = readBounce(root, { isNullPath, rcptTo: envelope.rcptTo });
  if (bounce) return { kind: "bounce", notice: bounce };
  return { kind: isAutoReply(root, isNullPath) ? "auto-reply" : "test" };
}

// Reads what a complaint says: feedback reports of RFC 5965 and RFC 6591, and the formats of providers that don't use
// them.

const maxReportBytes = 65_536;

function readComplaint(root: Part): Notice | null {
  const parts = ownParts(root);
  const report = parts.find(({ type }) => type === "message/feedback-report") ?? findPlainReport(parts);
  const failure = report ? null : readFailureWords(parts);
  if (failure) return toNotice(failure.report, readOriginal(root, failure.quoted), "auth-failure");
  const feedbackType = report ? undefined : feedbackTypeOf(root);
  if (feedbackType === null) return null;
  const fields = readFields(report ? bodyOf(report, maxReportBytes) : new Uint8Array());
  return toNotice(fields, readOriginal(root, ""), feedbackType);
}

/** Gateways turn the machine-readable part into plain text. Next to the returned message it still counts. */
function findPlainReport(parts: readonly Part[]): Part | undefined {
  if (!parts.some(isEmbedded)) return undefined;
  return parts.find(
    (part) =>
      part.type === "text/plain" &&
      /^\s{0,20}(?:[\w-]{1,40}:[^\n]{0,300}\n){0,10}feedback-type:/i.test(textOf(part).slice(0, 4_000)),
  );
}

/** Sentences with which gateways report a DMARC failure to the domain's owner, without a machine-readable part. */
const failureSentences =
  /^\s{0,20}(?:a message claiming to be from you has failed the published dmarc policy for your domain|this is an? (?:email )?(?:spf\/dkim |dmarc )?authentication[- ]failure report for an e?-?mail message received from ip)/i;

/** The same facts under the field names of the machine-readable part (RFC 6591). */
function readFailureWords(parts: readonly Part[]): { readonly report: Fields; readonly quoted: string } | null {
  const first = parts.find(({ type }) => type === "text/plain");
  const text = first ? textOf(first).slice(0, maxReportBytes) : "";
  if (!failureSentences.test(text.slice(0, 1_000))) return null;
  const source = /\b(?:sender ip(?: address)?:|received from ip)\s{1,5}\[?([\da-f.:]{3,45})/i.exec(text)?.[1];
  const domain = /^\s{0,10}sender domain:\s{0,5}([\w.-]{1,253})/im.exec(text)?.[1];
  const lines = [
    "Feedback-Type: auth-failure",
    ...(source === undefined ? [] : [`Source-IP: ${source}`]),
    ...(domain === undefined ? [] : [`Reported-Domain: ${domain}`]),
  ];
  // Such a report quotes the returned headers in its text.
  const at = text.search(/^-{2,}.{0,20}copy of the headers/im);
  const quoted = at < 0 ? "" : text.slice(text.indexOf("\n", at) + 1);
  return { report: readFields(Buffer.from(lines.join("\r\n"))), quoted };
}

function feedbackTypeOf(root: Part): string | null {
  const embedded = ownParts(root).find(isEmbedded);
  const from = addressIn(root.fields.first("from") ?? "")?.toLowerCase() ?? "";
  const subject = root.fields.first("subject") ?? "";
  // Apple forwards "unsubscribe" without a report.
  if (root.fields.first("x-apple-unsubscribe")?.toLowerCase() === "true") return "opt-out";
  if (!embedded) return null;
  const isJunkReport = /^staff@hotmail\.com$/.test(from) && /^complaint about message from/i.test(subject);
  const isServiceReport = /^scomp@aol\.(?:net|com)$/.test(from) && /^client tos notification/i.test(subject);
  const isReport = isReportOf(root, "feedback-report");
  return isJunkReport || isServiceReport || isReport ? "abuse" : null;
}

function toNotice(report: Fields, original: Original, type?: string): Notice {
  const feedbackType = type ?? report.first("feedback-type")?.trim().toLowerCase().slice(0, 40) ?? "abuse";
  const addresses = recipientsOf(report, original);
  const cause = feedbackType === "auth-failure" ? "authentication" : "unknown";
  return {
    reportingMta: report.first("reporting-mta")?.replace(/^\s*[\w-]{1,20}\s{0,3};\s{0,3}/, "") ?? null,
    recipients: addresses.map((address) => ({
      address,
      status: null,
      action: null,
      class: cause,
      hard: false,
      diagnostic: null,
    })),
    feedbackType,
    sourceIp: sourceOf(report, original),
    originalMessageId: original.messageId,
    originalAssayId: original.assayId,
    originalDomain: original.domain ?? toAsciiDomain(report.first("reported-domain")?.trim() ?? ""),
  };
}

const maxRecipients = 100;

/** Taken from the report, or else from the returned message. Providers hide recipients there too. */
function recipientsOf(report: Fields, { fields, to }: Original): (string | null)[] {
  const named = ["original-rcpt-to", "removal-recipient", "original-recipient"].flatMap((name) => report.all(name));
  const returned = ["x-hmxmroriginalrecipient", "x-original-to", "delivered-to", "to"].map((name) =>
    fields?.first(name),
  );
  const addresses = [named, ...returned.map((value) => [value ?? ""])].map((values) => values.flatMap(addressesIn));
  const found = addresses.find((list) => list.length > 0) ?? [];
  return found.length > 0 ? [...new Set(found)].slice(0, maxRecipients) : [to];
}

function sourceOf(report: Fields, { fields }: Original): string | null {
  const value =
    report.first("source-ip") ??
    report.first("source") ??
    fields?.first("x-originating-ip") ??
    fields?.first("x-sid-pra-ip");
  return /[\da-f.:]{3,45}/i.exec(value?.replace(/^\[?ipv6:/i, "") ?? "")?.[0] ?? null;
}
