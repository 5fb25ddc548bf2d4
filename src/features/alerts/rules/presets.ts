// Webhooks of services that take JSON of their own. Text from messages is only where the service reads no markup, or is
// escaped.

import { escapeMarkup } from "../../../analyzer/visible-text.ts";
import {
  type AlertNotice,
  type AlertPreset,
  type KeptEvent,
  type Ping,
  type PresetCredentials,
  type PresetTarget,
  type Rendered,
  shownAtOnce,
} from "./alert-event.ts";
import type { ChatNotice } from "./chat-notice.ts";
import { alertEvents, isOver, toChatNotice, toIncident } from "./events.ts";
import { toCut, toName } from "./notice-text.ts";

type Preset = {
  /** Where its server is, if there is only one. */
  readonly url: string | null;
  /** Whether several events are combined in one message. Otherwise each has its own. */
  readonly gathers: boolean;
  readonly render: (message: Message, credentials: PresetCredentials) => Rendered;
};

/** One thing that happened, or a sentence for the people who read it. */
type Item = ChatNotice & { readonly link: string; readonly at: number; readonly kept: KeptEvent | null };
type Message = { readonly title: string; readonly items: readonly Item[]; readonly link: string };

export const presets: Readonly<Record<AlertPreset, Preset>> = {
  ntfy: { url: null, gathers: true, render: toNtfy },
  teams: { url: null, gathers: true, render: toTeams },
  "google-chat": { url: null, gathers: true, render: toGoogleChat },
  telegram: { url: "https://api.telegram.org", gathers: true, render: toTelegram },
  pagerduty: { url: "https://events.pagerduty.com/v2/enqueue", gathers: false, render: toPagerDuty },
};

export function renderPreset({ preset, credentials }: PresetTarget, told: AlertNotice): Rendered {
  return presets[preset].render(toMessage(told), credentials);
}

export function renderPresetPing({ preset, credentials }: PresetTarget, ping: Ping): Rendered {
  const words = `Assay can reach this webhook: ${toName(ping.alert.label)}`;
  return presets[preset].render(toSentenceMessage(words, ping), credentials);
}

function toMessage(told: AlertNotice): Message {
  const { events, more, baseUrl, notice } = told;
  if (notice !== undefined) return toSentenceMessage(notice, told);
  const shown = events.slice(0, shownAtOnce).map((kept): Item => {
    const words = toChatNotice(kept);
    return { ...words, link: `${baseUrl}${words.path}`, at: kept.createdAt, kept };
  });
  const left = more + events.length - shown.length;
  const [only] = shown;
  if (only && shown.length === 1 && left === 0) return { title: only.title, items: shown, link: only.link };
  const title = `${shown.length + left} alerts`;
  return { title: left > 0 ? `${title} (${left} not shown)` : title, items: shown, link: `${baseUrl}/alerts` };
}

function toSentenceMessage(words: string, { baseUrl, now }: Pick<AlertNotice, "baseUrl" | "now">): Message {
  const link = `${baseUrl}/alerts`;
  const item: Item = {
    title: words,
    tone: "neutral",
    says: [],
    quotes: [],
    advice: "",
    short: words,
    path: "/alerts",
    link,
    at: now,
    kept: null,
  };
  return { title: words, items: [item], link };
}

/** The lines below the title. Of several, one line each. */
function toLines({ items }: Message): string[] {
  const [only] = items;
  if (items.length !== 1 || only === undefined)
    return items.flatMap(({ title, short, link }) => [title, short, link, ""]);
  const quotes = only.quotes.map(({ label, text }) => `${label}: ${text}`);
  return [...only.says, ...quotes, only.advice].filter((line) => line !== "");
}

function toJson(body: object, headers: Readonly<Record<string, string>> = {}): Rendered {
  return { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

// docs.ntfy.sh/publish/#publish-as-json: posted to the server's root, with the topic in the body.

/** In bytes. A longer message becomes an attachment. */
const ntfyMessageBytes = 4_096;
const ntfyTitleLength = 200;
const ntfyTags = { worse: "warning", better: "white_check_mark", neutral: "information_source" } as const;

/** Null if the path is not a topic. */
export function readNtfyTopic(url: string): { readonly server: string; readonly topic: string } | null {
  const { origin, pathname } = new URL(url);
  const [, base = "", topic = ""] = /^(.*\/)([-\w]{1,64})\/?$/.exec(pathname) ?? [];
  return topic === "" ? null : { server: `${origin}${base}`, topic };
}

function toNtfy(message: Message, { topic = "", token }: PresetCredentials): Rendered {
  const tone = worstTone(message);
  const text = toLines(message).join("\n").trim();
  return toJson(
    {
      topic,
      title: toCut(message.title, ntfyTitleLength),
      message: toCutBytes(text === "" ? message.title : text, ntfyMessageBytes),
      priority: tone === "worse" ? 4 : 3,
      tags: [ntfyTags[tone]],
      click: message.link,
      actions: [{ action: "view", label: "Open in Assay", url: message.link }],
    },
    token === undefined ? {} : { authorization: `Bearer ${token}` },
  );
}

function worstTone({ items }: Message): ChatNotice["tone"] {
  const tones = new Set(items.map(({ tone }) => tone));
  return tones.has("worse") ? "worse" : tones.has("neutral") ? "neutral" : "better";
}

function toCutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  // A streaming decoder leaves out the character that the cut splits.
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, most - 3), { stream: true })}…`;
}

// Teams: the webhook of a workflow takes Adaptive Cards (learn.microsoft.com, "Create incoming webhooks with Workflows").
// A TextBlock reads Markdown, a RichTextBlock doesn't. A message may have 28 KB.

const teamsTextLength = 800;

function toTeams({ title, items, link }: Message): Rendered {
  const run = (text: string, more: object = {}) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text: toCut(text, teamsTextLength), ...more }],
  });
  const [only] = items;
  const isOne = items.length === 1 && only !== undefined;
  const body = [
    run(title, { weight: "bolder", size: "medium" }),
    ...(isOne
      ? [
          ...only.says.map((text) => run(text)),
          ...only.quotes.map(({ label, text }) => run(`${label}: ${text}`, { fontType: "monospace" })),
          ...(only.advice === "" ? [] : [run(only.advice)]),
        ]
      : items.flatMap((item) => [run(item.title, { weight: "bolder" }), run(item.short)])),
  ];
  const card = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body,
    actions: [{ type: "Action.OpenUrl", title: "Open in Assay", url: link }],
    msteams: { width: "Full" },
  };
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card };
  return toJson({ type: "message", attachments: [attachment] });
}

// Google Chat: cards (developers.google.com/workspace/chat/api/reference/rest/v1/cards). Text in a card may have HTML
// tags.

const chatTextLength = 1_000;

function toGoogleChat({ title, items, link }: Message): Rendered {
  const paragraph = (text: string) => ({ textParagraph: { text: escapeMarkup(toCut(text, chatTextLength)) } });
  const button = { buttonList: { buttons: [{ text: "Open in Assay", onClick: { openLink: { url: link } } }] } };
  const [only] = items;
  const isOne = items.length === 1 && only !== undefined;
  const widgets = isOne
    ? [
        ...only.says.map(paragraph),
        ...only.quotes.map(({ label, text }) => ({
          decoratedText: {
            topLabel: escapeMarkup(label),
            text: escapeMarkup(toCut(text, chatTextLength)),
            wrapText: true,
          },
        })),
        ...(only.advice === "" ? [] : [paragraph(only.advice)]),
      ]
    : items.flatMap((item) => [paragraph(item.title), paragraph(item.short)]);
  const card = { header: { title: toCut(title, chatTextLength) }, sections: [{ widgets: [...widgets, button] }] };
  return toJson({ fallbackText: toCut(title, chatTextLength), cardsV2: [{ cardId: "assay", card }] });
}

// core.telegram.org/bots/api#sendmessage: without parse_mode, so that no text is markup.

const telegramTextLength = 4_096;

/** The token is in the path, and so the whole URL is a secret. */
export function toTelegramUrl(server: string, botToken: string): string {
  return `${server.endsWith("/") ? server.slice(0, -1) : server}/bot${botToken}/sendMessage`;
}

function toTelegram(message: Message, { chatId = "" }: PresetCredentials): Rendered {
  const lines = [message.title, "", ...toLines(message)].join("\n").trim();
  const link = `\n\n${message.link}`;
  return toJson({
    chat_id: chatId,
    text: toCut(lines, telegramTextLength - link.length) + link,
    link_preview_options: { is_disabled: true },
  });
}

// PagerDuty Events API v2 (developer.pagerduty.com/docs/send-alert-event). A domain has one incident, which its recovery
// resolves.

const summaryLength = 1_024;
const detailLength = 1_000;

function toPagerDuty({ title, items: [item], link }: Message, { routingKey = "" }: PresetCredentials): Rendered {
  const kept = item?.kept ?? null;
  const frame = { routing_key: routingKey, dedup_key: kept === null ? "assay:ping" : `assay:${toIncident(kept)}` };
  if (kept !== null && isOver(kept)) return toJson({ ...frame, event_action: "resolve" });
  return toJson({
    ...frame,
    event_action: "trigger",
    client: "Assay",
    client_url: link,
    links: [{ href: link, text: "Open in Assay" }],
    payload: {
      summary: toCut(title, summaryLength),
      source: toSource(kept, link),
      severity: toSeverity(kept, item?.tone ?? "neutral"),
      timestamp: new Date(item?.at ?? 0).toISOString(),
      class: kept?.event.type ?? "alert.ping",
      custom_details: toDetails(item),
    },
  });
}

function toSource(kept: KeptEvent | null, link: string): string {
  return kept?.event.type === "domain.drift" ? kept.event.data.domain.domain : new URL(link).host;
}

function toSeverity(kept: KeptEvent | null, tone: ChatNotice["tone"]): "error" | "warning" | "info" {
  if (tone !== "worse") return "info";
  return kept !== null && alertEvents[kept.event.type].isGrave ? "error" : "warning";
}

function toDetails(item: Item | undefined): Record<string, string> {
  if (item === undefined) return {};
  const says = item.says.join(" ");
  return Object.fromEntries([
    ...(says === "" ? [] : [["Summary", says]]),
    ...item.quotes.map(({ label, text }) => [label, toCut(text, detailLength)]),
    ...(item.advice === "" ? [] : [["What to do", item.advice]]),
  ]);
}
