// An event → the request that tells it: to each kind of webhook in its own form.

import type { AlertKind } from "./alert-event.ts";
import { renderDiscord, renderDiscordPing } from "./discord.ts";
import { renderJson, renderJsonPing } from "./json.ts";
import type { Ping, Rendered, Told } from "./message.ts";
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
