// What each service gets, in its documented format.

import { describe, expect, test } from "vitest";
import { type AlertEvent, type AlertPreset, alertPresets } from "../../../../src/features/alerts/rules/alert-event.ts";
import { readNtfyTopic, toTelegramUrl } from "../../../../src/features/alerts/rules/presets.ts";
import { renderMessage, renderPing } from "../../../../src/features/alerts/rules/render.ts";
import { aBounce, aDrift, aLowScore, at, baseUrl, told } from "./events.ts";

const credentials = { topic: "mail", token: "tk_secret", chatId: "-100123", routingKey: "r".repeat(32) };
const render = (preset: AlertPreset, events: readonly AlertEvent[], more = 0) =>
  renderMessage("json", { ...told(events, more), preset: { preset, credentials } });
const bodyOf = (preset: AlertPreset, ...events: AlertEvent[]) => JSON.parse(render(preset, events).body);

const nasty = aLowScore({
  subject: `*b* _i_ [x](https://evil.example) <b>&amp; <users/all> @everyone \u202eevil ${"x".repeat(5_000)}`,
  label: "{{title}} <at>all</at>",
});

test("ntfy gets JSON, with the token in a header", () => {
  const { headers, body } = render("ntfy", [aDrift()]);
  expect(headers).toEqual({ "content-type": "application/json", authorization: "Bearer tk_secret" });
  expect(JSON.parse(body)).toMatchObject({
    topic: "mail",
    title: "shop.example: DMARC got worse",
    message: expect.stringContaining("The policy went from reject to none."),
    priority: 4,
    tags: ["warning"],
    click: `${baseUrl}/domains/dom_01kakzq3v1c8w2e5m7r9t0xyza`,
  });
  expect(Buffer.byteLength(bodyOf("ntfy", nasty).message)).toBeLessThanOrEqual(4_096);
  expect(readNtfyTopic("https://ntfy.sh/mytopic")).toEqual({ server: "https://ntfy.sh/", topic: "mytopic" });
  expect(readNtfyTopic("https://a.example/ntfy/t-1/")).toEqual({ server: "https://a.example/ntfy/", topic: "t-1" });
  expect(readNtfyTopic("https://ntfy.sh/")).toBeNull();
});

test("Teams gets an Adaptive Card without Markdown from a sender", () => {
  const { type, attachments } = bodyOf("teams", nasty);
  expect(type).toBe("message");
  expect(attachments).toMatchObject([
    { contentType: "application/vnd.microsoft.card.adaptive", content: { type: "AdaptiveCard", version: "1.4" } },
  ]);
  const { body, actions } = attachments[0].content;
  expect(new Set(body.map((block: { type: string }) => block.type))).toEqual(new Set(["RichTextBlock"]));
  expect(actions).toEqual([
    { type: "Action.OpenUrl", title: "Open in Assay", url: `${baseUrl}/tests/tst_01kakzq3v1c8w2e5m7r9t0xyza` },
  ]);
  const many = Array.from({ length: 30 }, () => nasty);
  expect(Buffer.byteLength(render("teams", many).body)).toBeLessThan(28_000);
});

test("Google Chat gets a card without HTML from a sender", () => {
  const message = bodyOf("google-chat", nasty);
  expect(message.fallbackText).toBe("A test scored 43.5 of 100, below 70");
  const { header, sections } = message.cardsV2[0].card;
  expect(header.title).toBe("A test scored 43.5 of 100, below 70");
  expect(JSON.stringify(sections)).not.toMatch(/<(?:b|users)/);
  expect(JSON.stringify(sections)).toContain("&lt;users/all&gt;");
  expect(sections[0].widgets.at(-1).buttonList.buttons[0].onClick.openLink.url).toContain(baseUrl);
});

test("Telegram gets plain text within its limit, with the link at the end", () => {
  const message = bodyOf("telegram", ...Array.from({ length: 30 }, () => nasty));
  expect(message).toMatchObject({ chat_id: "-100123", link_preview_options: { is_disabled: true } });
  expect(message).not.toHaveProperty("parse_mode");
  expect(message.text.length).toBeLessThanOrEqual(4_096);
  expect(message.text.endsWith(`\n\n${baseUrl}/alerts`)).toBe(true);
  expect(toTelegramUrl("https://api.telegram.org", "1:a")).toBe("https://api.telegram.org/bot1:a/sendMessage");
});

describe("PagerDuty", () => {
  test("PagerDuty gets an incident for each domain, and the recovery resolves it", () => {
    const dedup_key = "assay:dom_01kakzq3v1c8w2e5m7r9t0xyza";
    const frame = { routing_key: "r".repeat(32), dedup_key };
    expect(bodyOf("pagerduty", aDrift())).toMatchObject({
      ...frame,
      event_action: "trigger",
      client: "Assay",
      payload: {
        summary: "shop.example: DMARC got worse",
        source: "shop.example",
        severity: "error",
        timestamp: new Date(at).toISOString(),
        class: "domain.drift",
      },
    });
    expect(bodyOf("pagerduty", aDrift({ kind: "mended" }))).toEqual({ ...frame, event_action: "resolve" });
  });

  test("PagerDuty gets a warning for a test and a bounce, each with its own key", () => {
    const keys = [aLowScore(), aBounce()].map((event) => {
      const { dedup_key, payload } = bodyOf("pagerduty", event);
      expect(payload).toMatchObject({ severity: "warning", source: "assay.example" });
      return dedup_key;
    });
    expect(new Set(keys).size).toBe(2);
    expect(bodyOf("pagerduty", nasty).payload.summary.length).toBeLessThanOrEqual(1_024);
  });
});

test.each(alertPresets)("the preset %s shows no other credentials and no direction marks", (preset) => {
  const { body } = render(preset, [nasty]);
  expect(body).not.toContain("tk_secret");
  expect(body).not.toContain("\u202e");
  expect(body.includes("r".repeat(32))).toBe(preset === "pagerduty");
  const ping = renderPing("json", {
    id: "evt_1",
    workspaceId: "wsp_1",
    alert: { id: "alr_1", label: "Phone" },
    baseUrl,
    now: at,
    secret: null,
    preset: { preset, credentials },
  });
  expect(ping.body).toContain("Assay can reach this webhook: Phone");
});
