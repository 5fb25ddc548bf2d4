// The published limits of the chat services and how they read text, written down a second time: what a message of ours
// must hold, whoever wrote what is in it.

import { expect } from "vitest";

type Json = Record<string, unknown>;
type SlackBlock = { type: string; text?: SlackText; fields?: SlackText[]; elements?: SlackText[] };
type SlackText = { type: string; text: string; emoji?: boolean; verbatim?: boolean };

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;

/** Line breaks are ours. */
function expectPlain(text: string): void {
  expect(text.replaceAll("\n", "")).not.toMatch(hidden);
}

export function expectSlackMessage(body: string, baseUrl: string): void {
  const message = JSON.parse(body) as Json & { text: string; blocks: SlackBlock[] };
  expect(Object.keys(message).sort()).toEqual(["blocks", "mrkdwn", "text", "unfurl_links", "unfurl_media"]);
  expect(message).toMatchObject({ mrkdwn: false, unfurl_links: false, unfurl_media: false });
  expectBetween(message.text, 1, 4_000);
  // Slack reads <…> and nothing else as mentions and links here.
  expect(message.text).not.toMatch(/[<>]/);
  expectPlain(message.text);
  expect(message.blocks.length).toBeGreaterThan(0);
  expect(message.blocks.length).toBeLessThanOrEqual(50);
  for (const block of message.blocks) expectSlackBlock(block, baseUrl);
}

function expectSlackBlock(block: SlackBlock, baseUrl: string): void {
  if (block.type === "header") expectSlackText(block.text, 150);
  else if (block.type === "context") {
    expect(block.elements).toHaveLength(1);
    expectSlackLink(block.elements?.[0], baseUrl);
  } else {
    expect(block.type).toBe("section");
    expect([block.text, block.fields].filter((part) => part !== undefined)).toHaveLength(1);
    if (block.text) expectSlackText(block.text, 3_000);
    if (block.fields) expectBetween(block.fields, 1, 10);
    for (const field of block.fields ?? []) expectSlackText(field, 2_000);
  }
}

function expectSlackText(text: SlackText | undefined, most: number): void {
  expect(text).toMatchObject({ type: "plain_text", emoji: false });
  expectBetween(text?.text ?? "", 1, most);
  expectPlain(text?.text ?? "");
}

/** The one place where Slack reads markup holds a link to us and a time. */
function expectSlackLink(text: SlackText | undefined, baseUrl: string): void {
  expect(text).toMatchObject({ type: "mrkdwn", verbatim: true });
  const [, address = ""] = /^<([^|<>]+)\|Open in Assay>(?: · [\d-]{10} [\d:]{5} UTC)?$/.exec(text?.text ?? "") ?? [];
  expect(address).toMatch(
    /\/((?:tests|monitors|streams)\/[\w%.~-]+|domains\/[\w%.~-]+(?:#feedback)?|feedback\/bounces|alerts)$/,
  );
  expect(address.startsWith(`${baseUrl}/`)).toBe(true);
}

type DiscordEmbed = {
  title: string;
  url: string;
  color: number;
  description: string;
  timestamp: string;
  fields?: { name: string; value: string; inline: boolean }[];
};

export function expectDiscordMessage(body: string, baseUrl: string): void {
  const message = JSON.parse(body) as Json & { content?: string; embeds?: DiscordEmbed[] };
  const known = ["allowed_mentions", "content", "embeds"];
  expect(Object.keys(message).filter((key) => !known.includes(key))).toEqual([]);
  expect(message.allowed_mentions).toEqual({ parse: [] });
  const { content, embeds } = message;
  expect(content ?? embeds).toBeDefined();
  if (content !== undefined) {
    expectBetween(content, 1, 2_000);
    expectNoDiscordMarkup(content.replaceAll(`${baseUrl}/alerts`, ""));
  }
  if (embeds !== undefined) expectBetween(embeds, 1, 10);
  for (const embed of embeds ?? []) expectDiscordEmbed(embed, baseUrl);
  const texts = (embeds ?? []).flatMap(({ title, description, fields }) => [
    title,
    description,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
  ]);
  expect(texts.join("").length).toBeLessThanOrEqual(6_000);
}

function expectDiscordEmbed(embed: DiscordEmbed, baseUrl: string): void {
  expect(embed.url.startsWith(`${baseUrl}/`)).toBe(true);
  expect(new URL(embed.url).pathname).toMatch(/^\/((?:tests|domains|monitors|streams)\/[\w%.~-]+|feedback\/bounces)$/);
  expect(new Date(embed.timestamp).toISOString()).toBe(embed.timestamp);
  expect(embed.color).toBeLessThanOrEqual(0xffffff);
  expectBetween(embed.title, 1, 256);
  expectBetween(embed.description, 1, 4_096);
  expect((embed.fields ?? []).length).toBeLessThanOrEqual(25);
  for (const text of [embed.title, embed.description]) expectNoDiscordMarkup(text);
  for (const { name, value } of embed.fields ?? []) {
    expectBetween(name, 1, 256);
    expect(name).toMatch(/^[A-Z][\w -]*$/);
    expectBetween(value, 1, 1_024);
    expect(value).toMatch(/^`[^`]+`$/);
    expectPlain(value);
  }
}

/** Without what is escaped and what stands in code spans, nothing is left that Discord reads. */
function expectNoDiscordMarkup(text: string): void {
  expectPlain(text);
  const read = text.replace(/\\[^0-9A-Za-z\s]/g, "").replace(/`[^`]*`/g, "");
  expect(read).not.toMatch(/[\\`*_~|<>[\]()#@]|:\/\/|:\w+:/);
}

function expectBetween({ length }: { readonly length: number }, least: number, most: number): void {
  expect(length).toBeGreaterThanOrEqual(least);
  expect(length).toBeLessThanOrEqual(most);
}
