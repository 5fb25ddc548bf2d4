// Turns an event into the request that delivers it, in the format of each kind of webhook.

import { createHmac } from "node:crypto";
import type { AlertNotice, KeptEvent, Ping, Rendered, WebhookKind } from "./alert-event.ts";
import { renderDiscord, renderDiscordPing } from "./discord.ts";
import { toChatNotice } from "./events.ts";
import { renderPreset, renderPresetPing } from "./presets.ts";
import { renderSlack, renderSlackPing } from "./slack.ts";

const messages: Readonly<Record<WebhookKind, (told: AlertNotice) => Rendered>> = {
  slack: renderSlack,
  discord: renderDiscord,
  json: renderJson,
};

const pings: Readonly<Record<WebhookKind, (ping: Ping) => Rendered>> = {
  slack: renderSlackPing,
  discord: renderDiscordPing,
  json: renderJsonPing,
};

export function renderMessage(kind: WebhookKind, told: AlertNotice): Rendered {
  return messages[kind](told);
}

export function renderPing(kind: WebhookKind, ping: Ping): Rendered {
  return pings[kind](ping);
}

// One event as JSON, signed. Events are not combined here, because programs want each one.

function renderJson(told: AlertNotice): Rendered {
  const { events, secret, now, notice, preset, baseUrl } = told;
  if (preset) return renderPreset(preset, told);
  const [kept, ...others] = events;
  if (kept === undefined || others.length > 0) throw new Error("A JSON webhook gets one event at a time.");
  if (notice === undefined) return sign({ id: kept.id, body: toBody(kept, baseUrl) }, secret, now);
  const { workspaceId } = kept;
  // Has its own ID, because the event itself may still be delivered.
  const body = toText("alert.notice", now, { workspaceId, url: `${baseUrl}/alerts`, notice });
  return sign({ id: `${kept.id}.notice`, body }, secret, now);
}

function renderJsonPing(ping: Ping): Rendered {
  const { id, workspaceId, alert, secret, now, preset, baseUrl } = ping;
  if (preset) return renderPresetPing(preset, ping);
  const url = `${baseUrl}/alerts`;
  return sign({ id, body: toText("alert.ping", now, { workspaceId, url, alert }) }, secret, now);
}

function toBody(kept: KeptEvent, baseUrl: string): string {
  const { event, createdAt, workspaceId, thresholdScore } = kept;
  const { type, data } = event;
  const url = baseUrl + toChatNotice(kept).path;
  const threshold = type === "test.low_score" ? { thresholdScore } : {};
  return toText(type, createdAt, { workspaceId, url, ...data, ...threshold });
}

function toText(type: string, at: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

function sign(message: { readonly id: string; readonly body: string }, secret: string | null, now: number) {
  if (secret === null) throw new Error("A JSON webhook has a secret.");
  const headers = { "content-type": "application/json", ...signatureHeaders(secret, { ...message, now }) };
  return { headers, body: message.body };
}

// Signatures as in Standard Webhooks (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md): HMAC-SHA256
// over ID, time and body. They tell the receiver who sent the event, and that it is unchanged and recent.

export const signingSecretBytes = 32;

const prefix = "whsec_";

/** `randomness`: 32 bytes. */
export function createSigningSecret(randomness: Uint8Array): string {
  return prefix + Buffer.from(randomness.subarray(0, signingSecretBytes)).toString("base64");
}

type SignedRequest = {
  /** The same for every attempt, so that the receiver recognizes a repetition. */
  readonly id: string;
  /** Time of this attempt. Receivers reject timestamps that are minutes old. */
  readonly now: number;
  readonly body: string;
};

function signatureHeaders(secret: string, { id, now, body }: SignedRequest): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
}

// The URL of a chat webhook is a secret: anyone who has it can write to the channel. Shows only enough to recognize the
// service.

/** How such URLs begin. The rest of the path is hidden. */
const knownPaths = [
  { begins: "/services/T", shown: "/services/T…/…" },
  { begins: "/workflows/T", shown: "/workflows/T…/…" },
  { begins: "/api/webhooks/", shown: "/api/webhooks/…/…" },
];

export function toMaskedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + (knownPaths.find(({ begins }) => pathname.startsWith(begins))?.shown ?? "/…");
}
