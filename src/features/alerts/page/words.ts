// Names of alert types and events, and the status of an alert.

import { toScore } from "../../../web/client/words.ts";
import type { IconName } from "../../../web/parts/icon.tsx";
import type { Tone } from "../../../web/parts/tone.tsx";
import type { Alert, Delivery } from "../contract/alerts.ts";
import { eventWords } from "../rules/alert-event.ts";
import { type AlertPresetName, type AlertService, toStateWord } from "../words.ts";

export function toKind(service: AlertService): {
  readonly kind: Alert["kind"];
  readonly preset: AlertPresetName | null;
} {
  return service in presetNames
    ? { kind: "json", preset: service as AlertPresetName }
    : { kind: service as Alert["kind"], preset: null };
}

const presetNames: Readonly<Record<AlertPresetName, true>> = {
  teams: true,
  "google-chat": true,
  telegram: true,
  ntfy: true,
  pagerduty: true,
};

type ServiceWords = {
  /** What it sends. */
  readonly gives: string;
  /** Where to find its URL. Null: it has one address for all, or none. */
  readonly address: string | null;
  /** How its URLs begin. Others may be a compatible service, or a mistake. */
  readonly begins?: readonly string[];
  readonly credentials?: readonly CredentialWords[];
};

type CredentialWords = {
  readonly name: "token" | "botToken" | "chatId" | "routingKey";
  readonly label: string;
  readonly hint: string;
  readonly isOptional?: true;
};

export const serviceWords: Readonly<Record<AlertService, ServiceWords>> = {
  slack: {
    gives: "Posts to a channel.",
    address:
      "In your Slack app, open Incoming Webhooks, and choose “Add New Webhook”. The URL starts with https://hooks.slack.com/.",
    begins: ["https://hooks.slack.com/", "https://hooks.slack-gov.com/"],
  },
  discord: {
    gives: "Posts to a channel.",
    address:
      "In the channel’s settings, open Integrations, then Webhooks, and choose “Copy Webhook URL”. It starts with https://discord.com/api/webhooks/.",
    begins: ["https://discord.com/api/", "https://discordapp.com/api/", "https://ptb.discord.com/api/"],
  },
  email: {
    gives: "Sends an email. The recipient must confirm the address first.",
    address: "Assay sends a confirmation email to this address. Alerts start after the recipient confirms.",
  },
  teams: {
    gives: "Posts a card to a channel or chat.",
    address:
      "In Teams, open the channel’s Workflows, and choose the template that posts to a channel when a webhook request is received. Copy the URL that it creates.",
  },
  "google-chat": {
    gives: "Posts a card to a space.",
    address:
      "In the space’s settings, open Apps & integrations, then Webhooks. The URL starts with https://chat.googleapis.com/.",
    begins: ["https://chat.googleapis.com/"],
  },
  telegram: {
    gives: "Your bot posts to a chat.",
    address: null,
    credentials: [
      { name: "botToken", label: "Bot token", hint: "Message @BotFather and create a bot. It gives you the token." },
      {
        name: "chatId",
        label: "Chat ID",
        hint: "The number of the chat, or the @name of a public channel. Add the bot to the chat first.",
      },
    ],
  },
  ntfy: {
    gives: "Sends a notification to phones and desktops.",
    address: "The topic’s URL, such as https://ntfy.sh/my-topic, or on your own server.",
    credentials: [
      {
        name: "token",
        label: "Access token (optional)",
        hint: "Only if the topic needs one. It starts with tk_.",
        isOptional: true,
      },
    ],
  },
  pagerduty: {
    gives: "Opens an incident, and resolves it when a domain is fixed.",
    address: null,
    credentials: [
      {
        name: "routingKey",
        label: "Integration key",
        hint: "In PagerDuty, add an Events API v2 integration to the service, and copy its key.",
      },
    ],
  },
  json: {
    gives: "Sends signed JSON to your server.",
    address: "The URL where your server accepts POST requests. Assay doesn’t follow redirects.",
  },
};

export function toEventList({ events, thresholdScore }: Pick<Alert, "events" | "thresholdScore">): string {
  const short = events.map((event) =>
    event === "test.low_score" && thresholdScore !== null
      ? `scores below ${toScore(thresholdScore)}`
      : eventWords[event].short,
  );
  return short.join(", ");
}

type StateBadge = {
  readonly tone: Tone;
  readonly icon?: IconName;
  readonly word: string;
  /** The lead of the alert's page. */
  readonly sentence: string;
};

export function toState(alert: Alert): StateBadge {
  return { word: toStateWord(alert), ...toLook(alert) };
}

function toLook({ enabled, disabledBecause, lastDelivery, email }: Alert): Omit<StateBadge, "word"> {
  if (email !== null && email.state !== "confirmed") return addressStates[email.state];
  if (!enabled && disabledBecause !== null)
    return { tone: "critical", sentence: "Turned off by Assay. No alerts are sent." };
  if (!enabled) return { tone: "info", sentence: "Paused. No alerts are sent." };
  if (lastDelivery === null) return { tone: "unknown", sentence: "Active. Nothing sent yet." };
  return deliveryStates[lastDelivery.status];
}

type Looks<State extends string> = Readonly<Record<State, Omit<StateBadge, "word">>>;

const addressStates: Looks<"pending" | "unsubscribed" | "bounced"> = {
  pending: { tone: "minor", sentence: "Waiting for the recipient to confirm. No alerts are sent yet." },
  unsubscribed: { tone: "critical", sentence: "The recipient unsubscribed. No alerts are sent." },
  bounced: { tone: "critical", sentence: "Mail to this address bounced. No alerts are sent." },
};

const deliveryStates: Looks<Delivery["status"]> = {
  delivered: { tone: "good", sentence: "Working. The last message was delivered." },
  pending: { tone: "minor", sentence: "The last message hasn’t been delivered yet. Assay will try again." },
  dead: { tone: "major", sentence: "The last message couldn’t be delivered." },
};

/** What the receiver of the last delivery said: "responded with 200", or "no response". */
export function toAnswer(status: number | null): string {
  return status === null ? "no response" : `responded with ${status}`;
}

/** Mail servers answer with sentences, which are too long for a list. */
export function toLastAnswer({ kind, lastDelivery }: Alert): string | null {
  if (lastDelivery === null) return null;
  const { status, httpStatus } = lastDelivery;
  if (kind !== "email") return status === "pending" && httpStatus === null ? null : toAnswer(httpStatus);
  return status === "pending" ? null : status === "delivered" ? "accepted" : "not accepted";
}

/** As people write it. */
export function toShownUrl({ email, url }: Pick<Alert, "email" | "url">): string {
  return email?.address ?? url;
}
