// What a webhook is told, before it is written in the form of its kind.

import type { AlertEvent } from "./alert-event.ts";

export type KeptEvent = {
  readonly id: string;
  readonly createdAt: number;
  readonly workspaceId: string;
  readonly event: AlertEvent;
  /** Of the webhook, where it has one. */
  readonly thresholdScore: number | null;
};

/** So many events of a chat message are shown; the others are counted. */
export const shownAtOnce = 10;

export type Told = {
  /** Never none. Of `json` exactly one; of a chat service oldest first. */
  readonly events: readonly KeptEvent[];
  /** How many more there were than these. */
  readonly more: number;
  /** Of `json`; null of a chat service. */
  readonly secret: string | null;
  /** Where the web app stands, without a slash at its end. */
  readonly baseUrl: string;
  /** Of this try. */
  readonly now: number;
  /** A sentence of ours for the people behind the webhook, told instead of the events. */
  readonly notice?: string;
};

export type Ping = Pick<Told, "secret" | "baseUrl" | "now"> & {
  /** An event's id, of this ping alone. */
  readonly id: string;
  readonly workspaceId: string;
  readonly alert: { readonly id: string; readonly label: string };
};

export type Rendered = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
