// An event → the request that tells it: to each kind of webhook in its own form.

import type { AlertKind } from "./alert-event.ts";
import { renderDiscord, renderDiscordPing } from "./discord.ts";
import type { KeptEvent, Ping, Rendered, Told } from "./message.ts";
import { signatureHeaders } from "./signature.ts";
import { renderSlack, renderSlackPing } from "./slack.ts";

const messages: Readonly<Record<AlertKind, (told: Told) => Rendered>> = {
  slack: renderSlack,
  discord: renderDiscord,
  json: renderJson,
};

const pings: Readonly<Record<AlertKind, (ping: Ping) => Rendered>> = {
  slack: renderSlackPing,
  discord: renderDiscordPing,
  json: renderJsonPing,
};

export function renderMessage(kind: AlertKind, told: Told): Rendered {
  return messages[kind](told);
}

export function renderPing(kind: AlertKind, ping: Ping): Rendered {
  return pings[kind](ping);
}

// One event as JSON, signed. No event is gathered with another here: who counts them by program wants each.

function renderJson({ events, secret, now, notice }: Told): Rendered {
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
