// Names of alert types and events, and the status of an alert.

import type { Alert, Delivery } from "../../api/alerts.ts";
import { toScore } from "../client/words.ts";
import type { IconName } from "../parts/icon.tsx";
import type { Tone } from "../parts/tone.tsx";

export type AlertKind = Alert["kind"];
export type AlertEvent = Alert["events"][number];

type KindWords = {
  readonly label: string;
  /** What it sends. */
  readonly gives: string;
  /** Where to find its URL. */
  readonly address: string;
};

export const kindWords: Readonly<Record<AlertKind, KindWords>> = {
  slack: {
    label: "Slack",
    gives: "Posts to a channel.",
    address:
      "In your Slack app, open Incoming Webhooks, and choose “Add New Webhook”. The URL starts with https://hooks.slack.com/.",
  },
  discord: {
    label: "Discord",
    gives: "Posts to a channel.",
    address:
      "In the channel’s settings, open Integrations, then Webhooks, and choose “Copy Webhook URL”. It starts with https://discord.com/api/webhooks/.",
  },
  json: {
    label: "JSON",
    gives: "Sends signed JSON to your server.",
    address: "The URL where your server accepts POST requests. Assay doesn’t follow redirects.",
  },
};

type EventWords = {
  readonly label: string;
  /** For lists. */
  readonly short: string;
  readonly when: string;
};

export const eventWords: Readonly<Record<AlertEvent, EventWords>> = {
  "domain.drift": {
    label: "A domain’s DNS changed",
    short: "DNS changes",
    when: "Sent when a second check confirms the change, with the old and new record, and again when it’s resolved.",
  },
  "test.low_score": {
    label: "A test scored low",
    short: "low scores",
    when: "Sent as soon as the report is ready.",
  },
  "email.bounce_complaint": {
    label: "A bounce or complaint arrived",
    short: "bounces and complaints",
    when: "Sent when a receiver rejects a message or a recipient reports one as spam.",
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

export function toState({ enabled, disabledBecause, lastDelivery }: Alert): StateBadge {
  if (!enabled && disabledBecause !== null)
    return { tone: "critical", word: "Turned off", sentence: "Turned off by Assay. No alerts are sent." };
  if (!enabled) return { tone: "info", word: "Paused", sentence: "Paused. No alerts are sent." };
  if (lastDelivery === null)
    return { tone: "unknown", word: "Not used yet", sentence: "Active. Nothing sent yet." };
  return deliveryStates[lastDelivery.status];
}

const deliveryStates: Readonly<Record<Delivery["status"], StateBadge>> = {
  delivered: { tone: "good", word: "Working", sentence: "Working. The last message was delivered." },
  pending: {
    tone: "minor",
    word: "Retrying",
    sentence: "The last message hasn’t been delivered yet. Assay will try again.",
  },
  dead: { tone: "major", word: "Failing", sentence: "The last message couldn’t be delivered." },
};

/** "answered 200", or "no response". */
export function toAnswer(status: number | null): string {
  return status === null ? "no response" : `responded with ${status}`;
}
