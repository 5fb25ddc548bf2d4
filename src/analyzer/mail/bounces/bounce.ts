// Reads what a bounce says. The machine-readable part of RFC 3464 comes first, wherever it is outside embedded
// messages. Many mail systems write none; then the text of the notice is read.

import { isEmbedded, isReportOf, ownParts, type Part, textOf } from "../mime/parts.ts";
import type { Notice, NoticeRecipient } from "../reports/mail-class.ts";
import { classify, isHard } from "./classes.ts";
import { readDeliveryStatus, type StatusGroup } from "./delivery-status.ts";
import {
  addressesIn,
  addressIn,
  type Mention,
  type NoticeText,
  type Original,
  readMentions,
  readNoticeText,
  readOriginal,
} from "./notice-text.ts";
import { hasBounceSubject, hasDaemonHeader, looksLikeBounce, mayBeBounce } from "./signs.ts";

type BounceEnvelope = { readonly isNullPath: boolean; readonly rcptTo: readonly string[] };

const longestDiagnostic = 2_000;
/** Searching the text for causes often is slow. Further recipients are classified by their codes alone. */
const maxReadRecipients = 40;

type Reading = {
  readonly root: Part;
  readonly text: NoticeText;
  readonly original: Original;
  readonly mentions: readonly Mention[];
  readonly said: string;
};

export function readBounce(root: Part, envelope: BounceEnvelope): Notice | null {
  const statusPart = findStatusPart(root);
  if (statusPart) return readStandard(read(root, envelope), textOf(statusPart));
  const wrapped = findWrapped(root);
  if (wrapped) return readBounce(wrapped, envelope);
  const isReport = isReportOf(root, "delivery-status");
  if (!isReport && !mayBeBounce(root)) return null;
  const reading = read(root, envelope);
  const { text, mentions } = reading;
  const namesRecipient = mentions.some(({ isNamed }) => isNamed);
  const { isNullPath } = envelope;
  if (!isReport && !looksLikeBounce({ root, text, namesRecipient, isNullPath })) return null;
  const inWords = /^(?:final-recipient|action)\s?:/im.test(reading.said) ? reading.said : null;
  return inWords === null ? readWords(reading) : readStandard(reading, inWords);
}

function findStatusPart(root: Part): Part | undefined {
  return ownParts(root).find(({ type }) => /^message\/(?:global-)?delivery-status$/.test(type));
}

/**
 * A notice can wrap another: a mail system passes on what another one said. A person who attaches a notice isn't a mail
 * system.
 */
function findWrapped(root: Part): Part | undefined {
  if (!hasDaemonHeader(root) || !hasBounceSubject(root)) return undefined;
  const inner = ownParts(root).find(isEmbedded)?.parts[0];
  return inner && findStatusPart(inner) ? inner : undefined;
}

function read(root: Part, envelope: BounceEnvelope): Reading {
  const text = readNoticeText(root);
  const own = [
    ...envelope.rcptTo,
    ...["to", "from", "reply-to"].flatMap((name) => addressesIn(root.fields.first(name) ?? "")),
  ];
  return {
    root,
    text,
    original: readOriginal(root, text.quoted),
    mentions: readMentions(text.said, own),
    said: text.said.join("\n"),
  };
}

function readStandard(reading: Reading, statusText: string): Notice {
  const { reportingMta, recipients } = readDeliveryStatus(statusText);
  if (recipients.length === 0) return { ...readWords(reading), reportingMta };
  const seen = new Set<string>();
  const judged = recipients.map((group, index) => toRecipient(group, index, reading, recipients.length));
  const once = judged.filter(
    (recipient) => !seen.has(JSON.stringify(recipient)) && seen.add(JSON.stringify(recipient)),
  );
  return toNotice(reading, reportingMta, once);
}

function toRecipient(group: StatusGroup, index: number, reading: Reading, count: number): NoticeRecipient {
  const { mentions, original, said } = reading;
  const mention =
    mentions.find(({ address }) => address.toLowerCase() === group.address?.toLowerCase()) ??
    (mentions.length === count ? mentions[index] : undefined);
  const action = group.action ?? actionOf(reading);
  const command = /\(in reply to [\w ]{1,20} command\)/.exec(mention?.lines.replace(/\s+/g, " ") ?? "")?.[0] ?? "";
  const nearest = group.diagnostic === null ? "" : `${group.diagnostic} ${command}`;
  const texts = index < maxReadRecipients ? [nearest, mention?.lines ?? "", count === 1 ? said : ""] : [];
  const diagnostic = group.diagnostic ?? (mention ? oneLine(mention.lines) : null);
  const described = { address: group.address ?? mention?.address ?? original.to, action, diagnostic };
  const recipient = judge(described, group.status, texts);
  // A program on the last host said this about itself, so it says nothing about the address.
  return group.isProgram && recipient.class === "user_unknown"
    ? { ...recipient, class: "system", hard: false }
    : recipient;
}

function readWords(reading: Reading): Notice {
  const { root, mentions, original, said } = reading;
  const failed = root.fields.all("x-failed-recipients").flatMap(addressesIn);
  const action = actionOf(reading);
  const addresses = failed.length > 0 ? failed : mentions.map(({ address }) => address);
  const named = addresses.length > 0 ? addresses : [original.to];
  const recipients = named.slice(0, 100).map((address, index) => {
    const lines = mentions.find((mention) => mention.address.toLowerCase() === address?.toLowerCase())?.lines ?? "";
    const texts = index < maxReadRecipients ? [lines, said] : [];
    return judge({ address, action, diagnostic: oneLine(lines === "" ? said : lines) }, null, texts);
  });
  return toNotice(reading, reportingMtaIn(said), recipients);
}

function judge(
  described: Pick<NoticeRecipient, "address" | "action" | "diagnostic">,
  status: string | null,
  texts: readonly string[],
): NoticeRecipient {
  if (described.action !== "failed" && described.action !== "delayed")
    return { ...described, status, class: "unknown", hard: false };
  const verdict = classify({ status, texts });
  const isWaiting = described.action === "delayed" && (verdict.class === "unknown" || verdict.class === "system");
  const bounceClass = isWaiting ? "expired" : verdict.class;
  return {
    ...described,
    status: verdict.status,
    class: bounceClass,
    hard: isHard({ ...verdict, class: bounceClass }, described.action),
  };
}

const delayWords =
  /will (?:continue|keep|be) (?:to )?(?:try|retr|attempt)|no need to re-?send|do not need to re-?send|this is a warning message only|only a notification about a delay|transient non-fatal|delivery (?:has been )?delayed|a message is delayed|still (?:trying|being attempted)/i;

function actionOf({ root, said }: Reading): string {
  const subject = root.fields.first("subject") ?? "";
  return /\bdelay/i.test(subject) || delayWords.test(said.slice(0, 4_000)) ? "delayed" : "failed";
}

function reportingMtaIn(said: string): string | null {
  const sentence =
    /(?:mail system at host|generating server:|reporting-mta:\s{0,3}dns;|qmail-send program at|mail server (?:at|on)|agent v?[\w.]{1,20} at|james mail server at|status notification from host)\s{1,4}([\w.-]{1,253})/i;
  return sentence.exec(said.slice(0, 16_000))?.[1]?.replace(/\.$/, "") ?? null;
}

function toNotice(reading: Reading, reportingMta: string | null, recipients: readonly NoticeRecipient[]): Notice {
  const { messageId, assayId, domain } = reading.original;
  return {
    reportingMta,
    recipients,
    feedbackType: null,
    sourceIp: null,
    originalMessageId: messageId,
    originalAssayId: assayId,
    originalDomain: domain,
  };
}

function oneLine(text: string): string | null {
  const line = text.replace(/\s+/g, " ").trim().slice(0, longestDiagnostic);
  return line === "" ? null : line;
}

/** The return path: the address that a mail system's notice goes to. */
export function readReturnPath(root: Part): string | null {
  const path = root.fields.first("return-path");
  return path === null ? null : (addressIn(path) ?? "");
}
