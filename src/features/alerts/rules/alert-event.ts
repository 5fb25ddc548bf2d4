// An event for webhooks, as plain JSON in the form in which it is sent. It is stored until every webhook has it.

import type { NoticeKind } from "../../../analyzer/domains/change-kind-table.ts";
import type { Change } from "../../../analyzer/domains/drift.ts";
import type { Grade } from "../../../analyzer/reports/grade-words.ts";
import type { FoundMalware } from "../../../analyzer/reports/malware.ts";
import type { MoveCause } from "../../../analyzer/reports/stream.ts";
import type { FeedbackDetail, FeedbackEvidence, FeedbackKind, Resolution } from "../../feedback/rules/problem.ts";
import type { FeedbackWords } from "../../feedback/words/words.ts";

type EventWords = {
  readonly label: string;
  /** For lists. */
  readonly short: string;
  readonly when: string;
};

/** Every event, as the app and the handbook name it. What its message says is in events.ts. */
export const eventWords = {
  "domain.drift": {
    label: "A domain’s DNS changed",
    short: "DNS changes",
    when: "Sent when a second check confirms the change, with the old and new record, and again when it’s resolved.",
  },
  "test.low_score": { label: "A test scored low", short: "low scores", when: "Sent as soon as the report is ready." },
  "stream.moved": {
    label: "A stream’s score changed",
    short: "changed streams",
    when: "Sent when a message scores far from what is usual for its sender and label, with the causes, and again when it’s back. Nothing is sent while the score stays where it is.",
  },
  "email.bounce_complaint": {
    label: "A bounce or complaint arrived",
    short: "bounces and complaints",
    when: "Sent when a receiver rejects a message or a recipient reports one as spam.",
  },
  "monitor.changed": {
    label: "A monitor is down or up again",
    short: "monitors",
    when: "Sent once when a canary fails or expected mail is missing or has the wrong words, and once when it’s up again.",
  },
  "feedback.problem": {
    label: "Reports show a problem",
    short: "feedback problems",
    when: "Sent once when DMARC or TLS reports, bounces or complaints show a problem with a monitored domain, and again when it’s over.",
  },
  "address.listed": {
    label: "A blocklist listed one of your addresses",
    short: "blocklists",
    when: "Sent once when a blocklist lists an IP address or domain that you send from, with what it means and how to get off it, and once when it’s off the list.",
  },
  "token.expiring": {
    label: "An API token expires soon",
    short: "expiring tokens",
    when: "Sent a week before a token expires, and again on its last day.",
  },
  "server.backup": {
    label: "The server’s backup failed or its database is damaged",
    short: "server backups",
    when: "Sent once when a scheduled backup or its restore drill fails, and once when backups work again. Also sent once if the database is damaged. Only in the server’s first workspace.",
  },
  "test.analyzed": {
    label: "A test was analyzed",
    short: "every test",
    when: "Sent once for each test that arrives by SMTP. Meant for automation.",
  },
} as const satisfies Readonly<Record<string, EventWords>>;

export type AlertEventType = keyof typeof eventWords;
export const alertEventTypes = Object.keys(eventWords) as readonly AlertEventType[];
/** For people. The others are for automation, and only sent where they were chosen. */
export const usualEventTypes = alertEventTypes.filter((type) => type !== "test.analyzed");

export const alertKinds = ["slack", "discord", "json", "email"] as const;
export type AlertKind = (typeof alertKinds)[number];
/** Delivered by HTTP. */
export type WebhookKind = Exclude<AlertKind, "email">;

/** Services that take JSON of their own from a webhook of kind `json`. */
export const alertPresets = ["ntfy", "teams", "google-chat", "telegram", "pagerduty"] as const;
export type AlertPreset = (typeof alertPresets)[number];

/** What a service wants besides a URL. Secrets, like the URL. */
export type PresetCredentials = {
  /** ntfy. The URL is the server's. */
  readonly topic?: string;
  /** ntfy: an access token. */
  readonly token?: string;
  /** Telegram. */
  readonly chatId?: string;
  /** PagerDuty: the integration key. */
  readonly routingKey?: string;
};

export type PresetTarget = { readonly preset: AlertPreset; readonly credentials: PresetCredentials };

export type DriftData = {
  readonly domain: { readonly id: string; readonly domain: string };
  readonly kind: NoticeKind;
  readonly checkedAt: string;
  readonly changes: readonly Change[];
};

export type LowScoreData = {
  /** Null for a test without a stream. Events stored by earlier versions have none. */
  readonly stream?: {
    readonly id: string;
    readonly name: string;
    /** Before this test. Null for fewer than three tests. */
    readonly usualScore: number | null;
  } | null;
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
    /** What to fix first. Events stored by earlier versions have none. */
    readonly issues?: readonly { readonly id: string; readonly title: string }[];
    /** Absent if ClamAV found none, or didn't look. */
    readonly malware?: readonly FoundMalware[];
  };
};

/** A test's score is far from what is usual in its stream. */
export type StreamData = {
  readonly stream: { readonly id: string; readonly name: string };
  readonly test: Pick<LowScoreData["test"], "id" | "receivedAt" | "from" | "subject" | "label"> & {
    readonly score: number;
  };
  readonly usualScore: number;
  /** The difference between the two. */
  readonly points: number;
  /** ID of the test that the causes were found with. */
  readonly comparedWith: string;
  /** Points of each cause, largest first. They add up to `points`. Null if unknown. */
  readonly causes: readonly MoveCause[] | null;
  /** What changed since the test before. */
  readonly changes: readonly { readonly what: string; readonly says: string }[];
};

/** Only in the server's first workspace, whose owners run the server. */
export type BackupData = {
  readonly state: "failing" | "working" | "damaged";
  /** Why it failed, or what is damaged. */
  readonly problem: string | null;
  /** When the last good one began. Null: none was made yet. */
  readonly lastGoodAt: string | null;
  readonly nextTryAt: string;
};

/** For automation. Small, because the report has the rest. */
export type AnalyzedData = {
  readonly test: {
    readonly id: string;
    readonly receivedAt: string;
    readonly label: string | null;
    readonly composite: number | null;
    readonly coverage: number;
    readonly grade: Grade | null;
    readonly verdicts: VerdictCounts;
  };
};

/** How many issues and notes of each severity there are, without consequences, and how many checks passed or were skipped. */
export type VerdictCounts = Readonly<Record<"critical" | "major" | "minor" | "info" | "passed" | "skipped", number>>;

/** `bounce`: as in GET /api/bounces/:id. */
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

/** A monitor went down, or is up again. */
export type MonitorData = {
  readonly monitor: { readonly id: string; readonly name: string; readonly kind: "canary" | "expected" };
  readonly state: "down" | "up";
  readonly since: string;
  readonly reason: { readonly code: string; readonly says: string };
  readonly lastOkAt: string | null;
  readonly runId: string | null;
  readonly testId: string | null;
};

/** `problem`: as in GET /api/feedback-problems. Dates are UTC days. */
export type FeedbackProblemData = {
  readonly domain: { readonly id: string; readonly domain: string };
  readonly problem: FeedbackWords & {
    readonly id: string;
    readonly kind: FeedbackKind;
    readonly state: "open" | "resolved";
    readonly openedAt: string;
    readonly resolvedAt: string | null;
    readonly resolution: Resolution | null;
    readonly evidence: Pick<FeedbackEvidence, "count" | "total" | "reporters"> & {
      readonly from: string;
      readonly to: string;
      readonly usual: {
        readonly from: string;
        readonly to: string;
        readonly count: number;
        readonly total: number | null;
      } | null;
      readonly detail: Omit<FeedbackDetail, "lastDay"> & { readonly lastDay: string | null };
      /** IDs of reports, at most ten. */
      readonly reports: readonly string[];
    };
  };
};

/** A blocklist listed an address or domain that the workspace sends from, or no longer does. */
export type ListedData = {
  readonly address: { readonly id: string; readonly value: string };
  readonly state: "listed" | "delisted";
  readonly listing: {
    readonly zone: string;
    readonly list: string;
    /** How much it matters. */
    readonly class: string;
    readonly code: string;
    readonly meaning: string;
    /** The list's own text. */
    readonly says: string | null;
    readonly since: string;
    readonly until: string | null;
    readonly means: string;
    readonly steps: string;
    readonly delistUrl: string | null;
  };
};

/** An API token ends soon. Sent some days before, and again on the last day. */
export type ExpiringTokenData = {
  readonly token: {
    readonly id: string;
    readonly name: string;
    readonly scope: "read" | "write" | "admin" | "full";
    readonly label: string | null;
    readonly expiresAt: string;
    readonly lastUsedAt: string | null;
  };
};

/** What webhooks get of each event. */
type AlertData = {
  readonly "domain.drift": DriftData;
  readonly "test.low_score": LowScoreData;
  readonly "stream.moved": StreamData;
  readonly "email.bounce_complaint": BounceData;
  readonly "monitor.changed": MonitorData;
  readonly "feedback.problem": FeedbackProblemData;
  readonly "address.listed": ListedData;
  readonly "token.expiring": ExpiringTokenData;
  readonly "server.backup": BackupData;
  readonly "test.analyzed": AnalyzedData;
};

type AlertEvents = { [Type in AlertEventType]: { readonly type: Type; readonly data: AlertData[Type] } };
export type AlertEvent = AlertEvents[AlertEventType];

// A message for a webhook, before it is written in the format of its kind.

export type KeptEvent = {
  readonly id: string;
  readonly createdAt: number;
  readonly workspaceId: string;
  readonly event: AlertEvent;
  /** The webhook's signing secret, if it has one. */
  readonly thresholdScore: number | null;
};

/** Maximum number of events shown in a chat message. The others are counted. */
export const shownAtOnce = 10;

export type AlertNotice = {
  /** At least one. Exactly one for `json`, oldest first for chat services. */
  readonly events: readonly KeptEvent[];
  /** How many more events there were. */
  readonly more: number;
  /** For `json`. Null for chat services. */
  readonly secret: string | null;
  /** For `json`: the service that takes its own JSON. */
  readonly preset?: PresetTarget | undefined;
  /** URL of the web app, without a trailing slash. */
  readonly baseUrl: string;
  /** Time of this attempt. */
  readonly now: number;
  /** A sentence for the people who read the webhook, sent in place of the events. */
  readonly notice?: string;
};

export type Ping = Pick<AlertNotice, "secret" | "preset" | "baseUrl" | "now"> & {
  /** An event ID that only this ping has. */
  readonly id: string;
  readonly workspaceId: string;
  readonly alert: { readonly id: string; readonly label: string };
};

export type Rendered = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
