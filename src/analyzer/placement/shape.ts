// Signs of spam in the shape of a message, in any language: who handed it over, what its headers claim, and how its text
// looks. Each is a fact that open filters also use, and each has a row in weights.json with its source.

import type { KnownFacts } from "../checks/facts.ts";
import { freemailProviderOf } from "../checks/freemail-table.ts";
import type { Hop } from "../mail/headers/delivery-path.ts";
import { toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import type { Message } from "../mail/mime/message.ts";

type Shaped = {
  readonly message: Message;
  readonly facts: Partial<KnownFacts>;
  /** The beginning of the message's own text. */
  readonly text: string;
  /** First value of each header. */
  readonly fields: ReadonlyMap<string, string>;
  readonly hops: readonly Hop[];
  /** The hop by which a saved message left its sender's network, as a receiver recorded it. */
  readonly border: Hop | null;
  readonly domain: string | null;
};

export function toShaped(message: Message, facts: Partial<KnownFacts>, text: string): Shaped {
  const fields = new Map<string, string>();
  for (const { key, value } of message.headers) if (!fields.has(key)) fields.set(key, value);
  const hops = facts.received?.known ? facts.received.value.hops : [];
  // Findings judge our own session, because there DNS is asked.
  const border = hops.at(-1)?.trusted ? null : (hops.findLast(isBorder) ?? null);
  const domain = message.from.list[0]?.domain?.toLowerCase() ?? null;
  return { message, facts, text, fields, hops, border, domain };
}

export const shapeSigns = {
  "message-id-added": isMessageIdAdded,
  "greets-as-sender": ({ border, domain }) => {
    const helo = border?.helo?.toLowerCase() ?? "";
    return border?.name === null && helo !== "" && (helo === domain || freemailProviderOf(helo) !== null);
  },
  "greets-as-address": ({ border }) => numbered.test(border?.helo ?? ""),
  "date-ahead": ({ message: { date }, hops }) => {
    const last = hops.findLast(({ at }) => at !== null)?.at ?? null;
    return date?.reading.ok === true && last !== null && date.reading.date.at - last > farAheadMs;
  },
  "false-outlook": ({ message: { messageId }, fields }) => {
    const mailer = `${fields.get("x-mailer") ?? ""} ${fields.get("x-mimeole") ?? ""}`;
    const isExpress = mailer.includes("Outlook Express") && !fields.has("x-mimeole");
    return isExpress || (outlookId.test(messageId ?? "") && !mailer.includes("Microsoft"));
  },
  "bare-priority": ({ fields }) =>
    (fields.has("x-msmail-priority") && !fields.has("x-mimeole")) ||
    (fields.has("x-priority") && !fields.has("x-mailer") && !fields.has("user-agent")),
  "high-priority": ({ fields }) =>
    /^\s*[12]\b/.test(fields.get("x-priority") ?? "") ||
    /high/i.test(`${fields.get("importance") ?? ""}${fields.get("x-msmail-priority") ?? ""}`),
  "nameless-sender": ({ message: { from } }) =>
    from.list.length > 0 && from.list.every(({ name, domain }) => !name && domain !== null),
  "numbered-sender": ({ message: { from } }) => /^(?:\D*\d){3,5}\D*$/.test(from.list[0]?.local ?? ""),
  "reply-to-free-mailbox": ({ message: { replyTo }, domain }) => {
    const reply = replyTo.list[0]?.domain?.toLowerCase();
    return reply !== undefined && domain !== null && reply !== domain && freemailProviderOf(reply) !== null;
  },
  "exclaiming-subject": ({ message: { subject } }) => /[!！]/.test(subject ?? ""),
  exclaiming: ({ text }) => /[!！][^!！]*[!！][^!！]*[!！]/.test(text),
  "free-mailbox-in-text": ({ text, message: { to, cc } }) =>
    text.includes("@") &&
    (withoutAll(text, [...to.list, ...cc.list]).match(/@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g) ?? []).some(
      (host) => freemailProviderOf(host.slice(1)) !== null,
    ),
  "numbered-host": ({ facts: { links } }) =>
    links?.known === true &&
    links.value.list.some(({ host }) => host !== null && /\d{3}/.test(host) && !isAddress(host)),
  "images-undescribed": ({ facts: { images } }) => {
    const pictures = images?.known === true ? images.value.list.filter(({ place }) => place === "img") : [];
    return pictures.length > 0 && pictures.every(({ alt }) => alt === null);
  },
  "short-page-alone": ({ message: { text, html } }) =>
    text === null && html !== null && html.decodedBytes < shortPageBytes,
  quoting: ({ message: { text } }) => /^ {0,2}>/m.test(text?.text.slice(0, quoteLength) ?? ""),
} satisfies Record<string, (shaped: Shaped) => boolean>;

const farAheadMs = 3 * 3_600_000;
const shortPageBytes = 1_500;
const quoteLength = 8_000;

/** An IPv4 address, or the name that an access provider made of one. */
const numbered = /(?:^|\D)(?:\d{1,3}[._-]){3}\d{1,3}(?:\D|$)/;

/** Outlook and Outlook Express make Message-IDs of this form. */
const outlookId = /^\s*<?[\da-f]{12}\$[\da-f]{8}\$[\da-f]{8}@/i;

/** Microsoft's servers hand over to each other by public addresses and under several domains. */
const isInternal = /\.(?:prod\.outlook|prod\.exchangelabs|outlook\.office365)\.com\.?$/i;

/** The author's own computer, after a login (RFC 3848). */
const isSubmission = /^(?:e?smtps?a|asmtp)\b/i;

function isBorder({ reach, helo, name, by, with: protocol }: Hop): boolean {
  const client = name ?? helo;
  if (reach !== "public" || client === null || isInternal.test(helo ?? client) || isSubmission.test(protocol ?? ""))
    return false;
  return by === null || organizationOf(client) !== organizationOf(by);
}

/** A server on the way writes its own name into the Message-ID that it adds, or the number it gave the message. */
function isMessageIdAdded({ message: { messageId }, hops, border, domain }: Shaped): boolean {
  const bare = (messageId ?? "").trim().replace(/^<|>$/g, "");
  const at = bare.lastIndexOf("@");
  const [local, host] = [bare.slice(0, Math.max(0, at)), bare.slice(at + 1)];
  if (at < 0 || host === "" || (domain !== null && organizationOf(host) === organizationOf(domain))) return false;
  return (
    border?.by?.toLowerCase() === host.toLowerCase() ||
    hops.some(({ reach, id }) => reach === "public" && id !== null && id.length > 5 && local.includes(id))
  );
}

/** Mail often repeats the recipient's own address. */
function withoutAll(text: string, recipients: readonly { readonly address: string }[]): string {
  return recipients.reduce((rest, { address }) => (address ? rest.replaceAll(address, " ") : rest), text);
}

function organizationOf(host: string): string {
  return toRegistrableDomain(host.toLowerCase().replace(/\.$/, ""));
}

function isAddress(host: string): boolean {
  return /^\[?(?:\d{1,3}\.){3}\d{1,3}\]?$/.test(host);
}
