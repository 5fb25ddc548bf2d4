// Slack Block Kit messages. Text from messages is only in plain_text objects, where Slack reads no markup, mentions or URLs.
// The only mrkdwn object is the link, which contains only our own text. `text`, which notifications show, is escaped
// (docs.slack.dev/messaging/formatting-message-text#escaping).

import { type AlertNotice, type KeptEvent, type Ping, type Rendered, shownAtOnce } from "./alert-event.ts";
import type { Quote } from "./chat-notice.ts";
import { toChatNotice } from "./events.ts";
import { sentenceLength, toCut, toName } from "./notice-text.ts";

/** docs.slack.dev/reference/block-kit/blocks: header, section, context; /reference/surfaces for their number. */
const slackLimits = {
  blocks: 50,
  headerText: 150,
  sectionText: 3_000,
  fields: 10,
  fieldText: 2_000,
  contextElements: 10,
  contextText: 3_000,
  /** docs.slack.dev/reference/methods/chat.postMessage#truncating: the recommended limit. */
  text: 4_000,
} as const;

type PlainText = { readonly type: "plain_text"; readonly text: string; readonly emoji: false };
type Mrkdwn = { readonly type: "mrkdwn"; readonly text: string; readonly verbatim: true };
type Block =
  | { readonly type: "header"; readonly text: PlainText }
  | { readonly type: "section"; readonly text: PlainText }
  | { readonly type: "section"; readonly fields: readonly PlainText[] }
  | { readonly type: "context"; readonly elements: readonly [Mrkdwn] };

export function renderSlack({ events, more, baseUrl, notice }: AlertNotice): Rendered {
  if (notice !== undefined) return toRequest(notice, [section(notice), link(baseUrl, "/alerts")]);
  const shown = events.slice(0, shownAtOnce);
  const left = more + events.length - shown.length;
  const [only] = shown;
  return left === 0 && shown.length === 1 && only ? renderOne(only, baseUrl) : renderSeveral(shown, left, baseUrl);
}

export function renderSlackPing({ baseUrl, alert }: Ping): Rendered {
  const words = `Assay can reach this webhook: ${toName(alert.label)}`;
  return toRequest(words, [section(words), link(baseUrl, "/alerts")]);
}

function renderOne(kept: KeptEvent, baseUrl: string): Rendered {
  const notice = toChatNotice(kept);
  const { title, says, quotes, advice, path } = notice;
  return toRequest(title, [
    { type: "header", text: plain(title, slackLimits.headerText) },
    ...says.map(section),
    ...(quotes.length > 0 ? [toFields(quotes)] : []),
    ...(advice === "" ? [] : [section(advice)]),
    link(baseUrl, path, kept.createdAt),
  ]);
}

function renderSeveral(shown: readonly KeptEvent[], left: number, baseUrl: string): Rendered {
  const title = `${shown.length + left} alerts`;
  return toRequest(title, [
    { type: "header", text: plain(title, slackLimits.headerText) },
    ...shown.flatMap((kept) => {
      const notice = toChatNotice(kept);
      return [
        section(`${notice.title}\n${toCut(notice.short, sentenceLength)}`),
        link(baseUrl, notice.path, kept.createdAt),
      ];
    }),
    ...(left > 0 ? [section(`and ${left} more`), link(baseUrl, "/alerts")] : []),
  ]);
}

function toFields(quotes: readonly Quote[]): Block {
  const fields = quotes
    .slice(0, slackLimits.fields)
    .map(({ label, text }) => plain(`${label}\n${text}`, slackLimits.fieldText));
  return { type: "section", fields };
}

function section(text: string): Block {
  return { type: "section", text: plain(text, slackLimits.sectionText) };
}

function plain(text: string, most: number): PlainText {
  return { type: "plain_text", text: toCut(text, most), emoji: false };
}

function link(baseUrl: string, path: string, at?: number): Block {
  const when = at === undefined ? "" : ` · ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const text = `<${escapeText(`${baseUrl}${path}`).replaceAll("|", "%7C")}|Open in Assay>${when}`;
  return { type: "context", elements: [{ type: "mrkdwn", text, verbatim: true }] };
}

function toRequest(summary: string, blocks: readonly Block[]): Rendered {
  const text = toCut(escapeText(summary), slackLimits.text);
  const message = { text, mrkdwn: false, unfurl_links: false, unfurl_media: false, blocks };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(message) };
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
