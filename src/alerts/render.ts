// An event → the request that tells it: to each kind of webhook in its own form.

import { createHmac } from "node:crypto";
import type { AlertKind, AlertNotice, KeptEvent, Ping, Rendered } from "./alert-event.ts";
import { renderDiscord, renderDiscordPing } from "./discord.ts";
import { renderSlack, renderSlackPing } from "./slack.ts";

const messages: Readonly<Record<AlertKind, (told: AlertNotice) => Rendered>> = {
  slack: renderSlack,
  discord: renderDiscord,
  json: renderJson,
};

const pings: Readonly<Record<AlertKind, (ping: Ping) => Rendered>> = {
  slack: renderSlackPing,
  discord: renderDiscordPing,
  json: renderJsonPing,
};

export function renderMessage(kind: AlertKind, told: AlertNotice): Rendered {
  return messages[kind](told);
}

export function renderPing(kind: AlertKind, ping: Ping): Rendered {
  return pings[kind](ping);
}

// One event as JSON, signed. No event is gathered with another here: who counts them by program wants each.

function renderJson({ events, secret, now, notice }: AlertNotice): Rendered {
  const [kept, ...others] = events;
  if (kept === undefined || others.length > 0) throw new Error("A JSON webhook is told one event at a time.");
  if (notice === undefined) return sign({ id: kept.id, body: toBody(kept) }, secret, now);
  const { workspaceId } = kept;
  // Of an id of its own: the event itself may yet be told.
  const body = toText("alert.notice", now, { workspaceId, notice });
  return sign({ id: `${kept.id}.notice`, body }, secret, now);
}

function renderJsonPing({ id, workspaceId, alert, secret, now }: Ping): Rendered {
  return sign({ id, body: toText("alert.ping", now, { workspaceId, alert }) }, secret, now);
}

function toBody({ event: { type, data }, createdAt, workspaceId, thresholdScore }: KeptEvent): string {
  const threshold = type === "test.low_score" ? { thresholdScore } : {};
  return toText(type, createdAt, { workspaceId, ...data, ...threshold });
}

function toText(type: string, at: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

function sign(message: { readonly id: string; readonly body: string }, secret: string | null, now: number) {
  if (secret === null) throw new Error("A JSON webhook has a secret.");
  const headers = { "content-type": "application/json", ...signatureHeaders(secret, { ...message, now }) };
  return { headers, body: message.body };
}

// Signatures of the Standard Webhooks form (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md):
// HMAC-SHA256 over id, time and body, so that a receiver knows who sent it, and that it is neither changed nor old.

export const signingSecretBytes = 32;

const prefix = "whsec_";

/** `randomness`: 32 bytes. */
export function createSigningSecret(randomness: Uint8Array): string {
  return prefix + Buffer.from(randomness.subarray(0, signingSecretBytes)).toString("base64");
}

type SignedRequest = {
  /** The same at every try, by which the receiver knows a repetition. */
  readonly id: string;
  /** Of this try: a receiver refuses what is minutes old. */
  readonly now: number;
  readonly body: string;
};

function signatureHeaders(secret: string, { id, now, body }: SignedRequest): Record<string, string> {
  const seconds = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
}

// The address of a chat service's webhook is a secret: whoever knows it can write to the channel. Shown is enough of it
// to know the service and to tell nothing.

/** How such addresses begin, beside which nothing of the path is shown. */
const knownPaths = [
  { begins: "/services/T", shown: "/services/T…/…" },
  { begins: "/workflows/T", shown: "/workflows/T…/…" },
  { begins: "/api/webhooks/", shown: "/api/webhooks/…/…" },
];

export function toMaskedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + (knownPaths.find(({ begins }) => pathname.startsWith(begins))?.shown ?? "/…");
}
