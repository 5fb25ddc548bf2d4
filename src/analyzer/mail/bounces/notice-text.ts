// Reads the text of a notice: what the mail system itself says, apart from the message that it returns, and which
// recipients it names.

import { toFromDomain } from "../headers/registrable-domain.ts";
import { bodyOf, type Fields, isEmbedded, ownParts, type Part, readFields, textOf } from "../mime/parts.ts";
import { htmlToText } from "../text/decoding.ts";
import { originalFollows } from "./notice-tables.ts";

// Addresses in the text of a notice.

// The local part is bounded to keep the search linear. The domain may lack dots, because notices cut and hide
// addresses.
const address = /[\w!#$%&'*+/=?^`{|}~.-]{1,128}@[a-z\d](?:[a-z\d.-]{0,252})/gi;
const wideAddress = /[^\s<>()[\]:;,"@]{1,128}@[^\s<>()[\]:;,"@]{1,253}/;

export function addressesIn(text: string): string[] {
  return (text.match(address) ?? []).map(trimAddress).filter((found) => found.length > 2);
}

/** The one address of a field: `rfc822; ann@b.example`, `LOCAL;<ann@b.example>`, `utf-8; añn@b.example`. */
export function addressIn(value: string): string | null {
  const behindType = value.replace(/^\s*[\w-]{1,30}\s{0,5};/, "");
  const found = wideAddress.exec(/<([^<>]{1,400})>/.exec(behindType)?.[1] ?? behindType);
  return found ? trimAddress(found[0]) : null;
}

function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function trimAddress(text: string): string {
  const bare = text.replace(/^(?:mailto:|rfc822;|['"`=.])+/i, "");
  return bare.slice(0, lengthWithoutTail(bare));
}

function lengthWithoutTail(text: string): number {
  let end = text.length;
  while (end > 0 && ".'-`".includes(text[end - 1] ?? "")) end--;
  return end;
}

export type NoticeText = {
  /** The mail system's own lines. */
  readonly said: readonly string[];
  /** The returned message after them. Empty when the text quotes none. */
  readonly quoted: string;
};

/** A recipient that the text names, with the lines about it. */
export type Mention = {
  readonly address: string;
  readonly lines: string;
  /** The address is where recipients are listed, not somewhere in a sentence. */
  readonly isNamed: boolean;
};

const maxNoticeLength = 65_536;
const maxLines = 2_000;
const maxMentions = 100;
const maxLinesAbout = 12;

export function readNoticeText(root: Part): NoticeText {
  const texts = ownParts(root).filter(({ type }) => type === "text/plain" || type === "text/html" || type === "text");
  const plain = texts.filter(({ type }) => type !== "text/html");
  const chosen = (plain.some((part) => textOf(part).trim() !== "") ? plain : texts).slice(0, 8);
  const whole = chosen
    .map((part) => textOf(part).slice(0, maxNoticeLength))
    .join("\n")
    .slice(0, maxNoticeLength);
  const text = /<html\b|<body\b/i.test(whole.slice(0, 2_000)) ? htmlToText(whole) : whole;
  return splitLines(text.split(/\r\n|\n|\r/, maxLines));
}

function splitLines(lines: readonly string[]): NoticeText {
  const marked = lines.findIndex((line, index) => index > 0 && line.length < 200 && isMark(lines, index));
  const at = marked < 0 ? lines.length : marked;
  const isHeading = marked >= 0 && !headerLine.test(lines[marked] ?? "");
  return { said: lines.slice(0, at), quoted: lines.slice(at + (isHeading ? 1 : 0)).join("\n") };
}

const headerLine = /^[\w-]{1,60}:/;
/**
 * Header fields that people don't type into a message. A block of fields with one of these is a returned header
 * section.
 */
const transportField = /^(?:return-path|received|message-id|mime-version|dkim-signature|x-mailer):/i;

function isMark(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (!headerLine.test(line))
    return originalFollows.test(line.toLowerCase().trim()) && !/recipient|address/i.test(line);
  for (const next of lines.slice(index, index + 30)) {
    if (transportField.test(next)) return true;
    if (!headerLine.test(next) && !/^[ \t]+\S/.test(next)) return false;
  }
  return false;
}

const namingWords =
  /(?:^\s{0,20}to|rcpt to|final-recipient|original-recipient|failed recipients?|failed addresse?s?|recipients?(?: address(?:es)?)?|addressed to|deliver\w{0,4} (?:message |mail )?to|sent to|message to|mail to|e-?mail to|to the address|for|addresse?e?|user|rcpt|address(?:es)?|mailbox|account|list|empf[aä]nger|destinataire|destinatario|destinat[aá]rio|odbiorca|получатель|адрес|宛先|収件人|收件人)(?: \S{1,30}){0,2}? ?[:=]{0,2} ?(?:rfc822;|smtp:|mailto:)?\s{0,3}[[<("'«“]{0,3}$/i;
/** Contact addresses for help. */
const office =
  /^(?:post-?master|mailer-daemon|abuse|support|help-?desk|admin\w{0,12}|webmaster|hostmaster|noreply|no-reply|root|info|[\w.-]{1,60}-(?:ctl|request|admin|owner|help|subscribe|unsubscribe))@/i;

/** `own` are addresses that the notice can't be about: it was sent to them or from them. */
export function readMentions(said: readonly string[], own: readonly string[]): Mention[] {
  const found = said.flatMap((line, index) => addressesOf(line).map((place) => ({ ...place, index })));
  const foreign = found.filter(({ address }) => !own.some((one) => isSameAddress(one, address)));
  const clear = foreign.filter(({ isNamed, address }) => isNamed && !office.test(address));
  const named = clear.length > 0 ? clear : foreign.filter(({ address }) => !office.test(address)).slice(0, 1);
  const mentions = new Map<string, { address: string; lines: string; isNamed: boolean }>();
  for (const { address, index } of named) {
    const key = address.toLowerCase();
    const lines = linesAbout(
      said,
      index,
      named.map((other) => (other.address.toLowerCase() === key ? -1 : other.index)),
    );
    const before = mentions.get(key);
    if (before) before.lines = `${before.lines}\n${lines}`.slice(0, 4_000);
    else if (mentions.size < maxMentions) mentions.set(key, { address, lines, isNamed: clear.length > 0 });
  }
  return [...mentions.values()];
}

/** An address counts as named if it begins a line or follows a word that introduces recipients. */
function addressesOf(line: string): { address: string; isNamed: boolean }[] {
  const text = line.slice(0, 1_000);
  if (
    !text.includes("@") ||
    /^\s*(?:message-id|from|reply-to|sender|return-path|in-reply-to|references)\s?:|<<<|>>> ?mail from/i.test(text)
  )
    return [];
  return addressesIn(text)
    .slice(0, 10)
    .map((address) => {
      const before = text.slice(0, text.indexOf(address));
      return {
        address,
        isNamed:
          /^[\s*•·<>"'([>|-]{0,20}(?:\d{1,3}[.)] )?[<"'([]{0,3}$/.test(before) || namingWords.test(before.slice(-80)),
      };
    })
    .filter(({ address }) => !isMessageId(text, address));
}

/** Identifiers in angle brackets look like addresses. */
function isMessageId(line: string, address: string): boolean {
  return /(?:message-?id|\bid\b)\s{0,3}[:=(]?\s{0,3}<?$/i.test(line.slice(0, line.indexOf(address)));
}

/** The line and what belongs to it, up to an empty line or the next recipient. */
function linesAbout(said: readonly string[], index: number, others: readonly number[]): string {
  const lines = [said[index] ?? ""];
  for (let next = index + 1; next < said.length && lines.length < maxLinesAbout; next++) {
    const line = (said[next] ?? "").trim();
    if (line === "" || others.includes(next)) break;
    lines.push(line);
  }
  return lines.join("\n");
}

export function hasReturnedMessage(root: Part, { quoted }: NoticeText): boolean {
  return (
    /^(?:received|message-id|from|subject|return-path|date)\s?:/im.test(quoted.slice(0, 4_000)) ||
    ownParts(root).some((part) => isEmbedded(part) || /-headers$/.test(part.type))
  );
}

// The message that a notice is about, as far as the notice returns it: whole, only its headers, or quoted in the text.

export type Original = {
  readonly messageId: string | null;
  readonly assayId: string | null;
  readonly to: string | null;
  /** The domain in its From header. */
  readonly domain: string | null;
  readonly fields: Fields | null;
};

const maxHeaderPartBytes = 65_536;

/** `quoted` is the text after the notice's own words. */
export function readOriginal(root: Part, quoted: string): Original {
  const fields = returnedFields(root) ?? (quoted === "" ? null : readFields(Buffer.from(quoted.trimStart())));
  const answered = root.fields.first("in-reply-to") ?? root.fields.first("references");
  return {
    messageId: toMessageId(fields?.first("message-id") ?? null) ?? toMessageId(answered),
    assayId: cut(fields?.first("x-assay-id") ?? null),
    to: fields === null ? null : addressIn(fields.first("to") ?? ""),
    domain: toFromDomain(fields?.first("from") ?? ""),
    fields,
  };
}

/** The last such part, because a gateway that wraps another's notice puts its own text first. */
function returnedFields(root: Part): Fields | null {
  const parts = ownParts(root);
  const whole = parts.findLast(isEmbedded);
  if (whole) return whole.parts[0]?.fields ?? null;
  const headers = parts.findLast(({ type }) => /^(?:text|message)\/(?:rfc822|global)-headers$/.test(type));
  return headers ? readFields(bodyOf(headers, maxHeaderPartBytes)) : null;
}

function toMessageId(value: string | null): string | null {
  if (value === null) return null;
  const bracketed = /<([^<>\s]{1,900})>/.exec(value)?.[1];
  return bracketed ?? cut(/^\S{1,900}/.exec(value.trim())?.[0] ?? null);
}

function cut(value: string | null): string | null {
  return value === null || value.trim() === "" ? null : value.trim().slice(0, 998);
}
