// What a webhook can be told of, as it is kept until every webhook has it: plain JSON in the form in which it is sent.

import type { Change, NoticeKind } from "../domains/drift.ts";

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
