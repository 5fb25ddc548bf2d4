// What a webhook can be told of, as it is kept until every webhook has it: plain JSON in the form in which it is sent.

import type { NoticeKind } from "../domains/change-kind-table.ts";
import type { Change } from "../domains/drift.ts";

export const alertEventTypes = ["domain.drift", "test.low_score", "email.bounce_complaint"] as const;
export type AlertEventType = (typeof alertEventTypes)[number];

export const alertKinds = ["slack", "discord", "json"] as const;
export type AlertKind = (typeof alertKinds)[number];

export type DriftData = {
  readonly domain: { readonly id: string; readonly domain: string };
  readonly kind: NoticeKind;
  readonly checkedAt: string;
  readonly changes: readonly Change[];
};

export type LowScoreData = {
  readonly test: {
    readonly id: string;
    readonly receivedAt: string;
    readonly from: string | null;
    readonly subject: string | null;
    readonly label: string | null;
    readonly composite: number;
    readonly coverage: number;
    readonly spf: string | null;
    readonly dkim: string | null;
    readonly dmarc: string | null;
    /** What to fix first; events that an earlier program kept have none. */
    readonly issues?: readonly { readonly id: string; readonly title: string }[];
  };
};

/** `bounce`: as GET /api/bounces/:id shows it. */
export type BounceData = {
  readonly bounce: {
    readonly id: string;
    readonly kind: "bounce" | "complaint";
    readonly receivedAt: string;
    readonly authenticated: boolean;
    readonly reportingMta: string | null;
    readonly recipients: readonly {
      readonly address: string | null;
      readonly status: string | null;
      readonly action: string | null;
      readonly class: string;
      readonly hard: boolean;
      readonly diagnostic: string | null;
    }[];
    readonly feedbackType: string | null;
    readonly sourceIp: string | null;
    readonly originalMessageId: string | null;
    readonly sendId: string | null;
    readonly testId: string | null;
  };
};

export type AlertEvent =
  | { readonly type: "domain.drift"; readonly data: DriftData }
  | { readonly type: "test.low_score"; readonly data: LowScoreData }
  | { readonly type: "email.bounce_complaint"; readonly data: BounceData };

// What a webhook is told, before it is written in the form of its kind.

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

export type AlertNotice = {
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

export type Ping = Pick<AlertNotice, "secret" | "baseUrl" | "now"> & {
  /** An event's id, of this ping alone. */
  readonly id: string;
  readonly workspaceId: string;
  readonly alert: { readonly id: string; readonly label: string };
};

export type Rendered = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
