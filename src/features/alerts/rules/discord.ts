// Discord embeds. Quoted text from messages is in code spans, where Discord reads no markup, mentions or URLs. Within a
// sentence, markup is escaped. Mentions are turned off.

import { type AlertNotice, type KeptEvent, type Ping, type Rendered, shownAtOnce } from "./alert-event.ts";
import type { ChatNotice, Quote } from "./chat-notice.ts";
import { toChatNotice } from "./events.ts";
import { sentenceLength, titleLength, toCut, toName } from "./notice-text.ts";

/** discord.com/developers/docs/resources/message#embed-object-embed-limits and /resources/webhook#execute-webhook. */
const discordLimits = {
  content: 2_000,
  embeds: 10,
  title: 256,
  description: 4_096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1_024,
  /** For all embeds of a message together: titles, descriptions, names and values of fields. */
  total: 6_000,
} as const;

type Embed = {
  readonly title: string;
  readonly url: string;
  readonly color: number;
  readonly description: string;
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline: boolean }[];
  readonly timestamp: string;
};

const colors: Readonly<Record<ChatNotice["tone"], number>> = { worse: 0xc0392b, better: 0x27ae60, neutral: 0x7f8c8d };

/** Limit for all quotes of a message together. Titles, sentences and labels need less than the rest. */
const quotesLength = 3_500;
const shortQuote = 40;

export function renderDiscord({ events, more, baseUrl, notice }: AlertNotice): Rendered {
  if (notice !== undefined) return toRequest(escapeWithin(notice, sentenceLength), []);
  const shown = events.slice(0, shownAtOnce);
  const left = more + events.length - shown.length;
  const [only] = shown;
  if (left === 0 && shown.length === 1 && only) return toRequest("", [toWhole(only, baseUrl)]);
  const embeds = shown.map((kept) => toShort(kept, baseUrl));
  const rest = left > 0 ? `: these, and ${left} more at ${baseUrl}/alerts` : "";
  return toRequest(`${shown.length + left} alerts${rest}`, embeds);
}

export function renderDiscordPing({ alert }: Ping): Rendered {
  return toRequest(`Assay can reach this webhook: ${toCode(toName(alert.label), sentenceLength)}`, []);
}

function toWhole(kept: KeptEvent, baseUrl: string): Embed {
  const notice = toChatNotice(kept);
  const { quotes, says, advice } = notice;
  const most = Math.min(discordLimits.fieldValue, Math.floor(quotesLength / Math.max(1, quotes.length)));
  return {
    ...toFrame(kept, notice, baseUrl),
    description: [...says, advice]
      .filter((text) => text !== "")
      .map((text) => escapeWithin(text, sentenceLength))
      .join("\n"),
    fields: quotes.slice(0, discordLimits.fields).map((quote) => toField(quote, most)),
  };
}

/** Ten of these fit into one message. */
function toShort(kept: KeptEvent, baseUrl: string): Embed {
  const notice = toChatNotice(kept);
  return { ...toFrame(kept, notice, baseUrl), description: escapeWithin(notice.short, sentenceLength) };
}

function toFrame({ createdAt }: KeptEvent, { title, tone, path }: ChatNotice, baseUrl: string) {
  return {
    title: escapeWithin(title, titleLength),
    url: `${baseUrl}${path}`,
    color: colors[tone],
    timestamp: new Date(createdAt).toISOString(),
  };
}

function toField({ label, text }: Quote, most: number) {
  return { name: label, value: toCode(text, most), inline: text.length <= shortQuote };
}

/** A code span ends at the next backtick. */
function toCode(text: string, most: number): string {
  return `\`${toCut(text.replaceAll("`", "'"), most - 2)}\``;
}

/** Does not separate an escaped character from its backslash. */
function escapeWithin(text: string, most: number): string {
  const characters = [...text];
  let escaped = "";
  for (const [index, character] of characters.entries()) {
    const next = isMarkup(character, characters[index + 1]) ? `\\${character}` : character;
    if (escaped.length + next.length >= most) return `${escaped}…`;
    escaped += next;
  }
  return escaped;
}

/** Characters of markdown, mentions and timestamps (`<@…>`, `<t:…>`). */
const markup = new Set("\\`*_~|<>[]()#@");

/** A colon before a space is not part of a URL or emoji. */
function isMarkup(character: string, next: string | undefined): boolean {
  return markup.has(character) || (character === ":" && next !== " ");
}

function toRequest(content: string, embeds: readonly Embed[]): Rendered {
  const message = {
    ...(content === "" ? {} : { content }),
    ...(embeds.length === 0 ? {} : { embeds }),
    allowed_mentions: { parse: [] },
  };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(message) };
}
