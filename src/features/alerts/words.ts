// What an alert's type and state are called, in the app and on the command line.

import type { Alert } from "./contract/alerts.ts";

type AlertKind = Alert["kind"];
export type AlertPresetName = NonNullable<Alert["preset"]>;
/** What the reader chooses: a kind, or a service that takes its own JSON. */
export type AlertService = AlertKind | AlertPresetName;

export const serviceNames: Readonly<Record<AlertService, string>> = {
  slack: "Slack",
  discord: "Discord",
  email: "Email",
  teams: "Teams",
  "google-chat": "Google Chat",
  telegram: "Telegram",
  ntfy: "ntfy",
  pagerduty: "PagerDuty",
  json: "JSON",
};

export function toService({ kind, preset }: Pick<Alert, "kind" | "preset">): AlertService {
  return preset ?? kind;
}

/** One or two words. */
export function toStateWord({ enabled, disabledBecause, lastDelivery, email }: Alert): string {
  if (email !== null && email.state !== "confirmed") return addressWords[email.state];
  if (!enabled) return disabledBecause === null ? "Paused" : "Turned off";
  return lastDelivery === null ? "Not used yet" : deliveryWords[lastDelivery.status];
}

const addressWords = { pending: "Not confirmed", unsubscribed: "Unsubscribed", bounced: "Bounced" } as const;
const deliveryWords = { delivered: "Working", pending: "Retrying", dead: "Failing" } as const;
