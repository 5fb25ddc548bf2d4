// What the kinds of webhooks and the events are called, and how a webhook fares.

import type { Alert, Delivery } from "../../api/alerts.ts";
import { toScore } from "../client/words.ts";
import type { IconName } from "../parts/icon.tsx";
import type { Tone } from "../parts/tone.tsx";

export type AlertKind = Alert["kind"];
export type AlertEvent = Alert["events"][number];

type KindWords = {
  readonly label: string;
  /** What one gets of it. */
  readonly gives: string;
  /** Where its address is found. */
  readonly address: string;
};

export const kindWords: Readonly<Record<AlertKind, KindWords>> = {
  slack: {
    label: "Slack",
    gives: "A message in a channel of yours.",
    address:
      "In Slack: your app’s “Incoming Webhooks”, then “Add New Webhook”. It begins with https://hooks.slack.com/.",
  },
  discord: {
    label: "Discord",
    gives: "A message in a channel of yours.",
    address:
      "In Discord: the channel’s settings, “Integrations”, “Webhooks”, “Copy Webhook URL”. It begins with https://discord.com/api/webhooks/.",
  },
  json: {
    label: "JSON",
    gives: "A signed event for a program of yours.",
    address: "Where your program takes POST requests. Redirects are not followed.",
  },
};

type EventWords = {
  readonly label: string;
  /** In a list of them. */
  readonly short: string;
  readonly when: string;
};

export const eventWords: Readonly<Record<AlertEvent, EventWords>> = {
  "domain.drift": {
    label: "A domain’s DNS changed",
    short: "DNS changes",
    when: "When a second look confirms it, with the record that stood before. Also when it is mended.",
  },
  "test.low_score": {
    label: "A test scored low",
    short: "low scores",
    when: "As soon as its report is written.",
  },
  "email.bounce_complaint": {
    label: "A bounce or a complaint came in",
    short: "bounces and complaints",
    when: "A receiver refused a message, or a reader reported one as spam.",
  },
};

export function toTold({ events, thresholdScore }: Pick<Alert, "events" | "thresholdScore">): string {
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
  /** After the name of the webhook's page. */
  readonly sentence: string;
};

export function toState({ enabled, disabledBecause, lastDelivery }: Alert): StateBadge {
  if (!enabled && disabledBecause !== null)
    return { tone: "critical", word: "Switched off", sentence: "Assay switched it off. Nothing is told." };
  if (!enabled) return { tone: "info", word: "Paused", sentence: "It is paused. Nothing is told." };
  if (lastDelivery === null)
    return { tone: "unknown", word: "Not used yet", sentence: "It is on. Nothing has happened to tell." };
  return deliveryStates[lastDelivery.status];
}

const deliveryStates: Readonly<Record<Delivery["status"], StateBadge>> = {
  delivered: { tone: "good", word: "Working", sentence: "It works: the last message was taken." },
  pending: {
    tone: "minor",
    word: "Waiting",
    sentence: "The last message has not been taken yet. It is tried again by itself.",
  },
  dead: { tone: "major", word: "Not delivered", sentence: "The last message was never taken." },
};

/** "answered 200", or what stands in its place. */
export function toAnswer(status: number | null): string {
  return status === null ? "no answer" : `answered ${status}`;
}
