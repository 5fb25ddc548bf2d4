// The tables of the domain monitor and of alerts: rows of Schema.

import type { NoticeKind } from "../../analyzer/domains/change-kind-table.ts";
import type { VerdictWord } from "../../analyzer/reports/domain-report.ts";
import type { SenderKind } from "../../analyzer/reports/seen-senders.ts";
import type { ClaimColumns } from "../../platform/database/schema.ts";
import type { AlertEventType, AlertKind, AlertPreset } from "../alerts/rules/alert-event.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    domains: DomainsTable;
    domain_watches: DomainWatchesTable;
    domain_reports: DomainReportsTable;
    domain_changes: DomainChangesTable;
    domain_rechecks: DomainRechecksTable;
    seen_senders: SeenSendersTable;
    alerts: AlertsTable;
    alert_events: AlertEventsTable;
    deliveries: DeliveriesTable;
    alert_addresses: AlertAddressesTable;
    confirmation_mails: ConfirmationMailsTable;
  }
}

/** Checked when it is due (claims.ts). */
export type DomainsTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  /** In A-labels and lower case. */
  domain: string;
  dkim_selector: string | null;
  created_at: number;
  checked_at: number | null;
  /** Null until first checked. */
  spf: VerdictWord | null;
  dkim: VerdictWord | null;
  dmarc: VerdictWord | null;
  bimi: VerdictWord | null;
  score: number | null;
  /** When its assay-verify record was last seen. Null: the last check that could tell didn't find it. */
  verified_at: number | null;
  last_drift_at: number | null;
  unstable: number;
};

/** The state that the next check continues from: one row for each domain, written by each check. */
export type DomainWatchesTable = {
  domain_id: string;
  workspace_id: string;
  checked_at: number;
  /** JSON of GuessedSelectors. Null if a selector was given, or none was guessed yet. */
  guessed: string | null;
  /** JSON of SeenCertificates. Null if no mail server was asked yet. */
  certificates: string | null;
  /** JSON of Watch. */
  watch: string;
  /** A summary of the stored report's contents (analyzer/reports/domain-report.ts). */
  gist: string;
  reported_at: number;
};

/** The report of the last check with a changed result: one for each domain. */
export type DomainReportsTable = {
  domain_id: string;
  workspace_id: string;
  /** zstd of the JSON of DomainReport. */
  report: Uint8Array;
};

export type DomainChangesTable = {
  id: string;
  workspace_id: string;
  domain_id: string;
  at: number;
  kind: NoticeKind;
  /** JSON list of Change. */
  changes: string;
};

/** asked: by hand. removed: the domain was removed soon after it was added, which had checked it too. */
export type RecheckKind = "asked" | "removed" | "changed";

/** Manual rechecks of the last hour, which has a limit for each kind. */
export type DomainRechecksTable = { workspace_id: string; domain_id: string; at: number; kind: RecheckKind };

/** How a domain was seen to send in authenticated mail (analyzer/reports/seen-senders.ts). */
export type SeenSendersTable = {
  workspace_id: string;
  /** The registrable domain of `domain`. */
  organization: string;
  kind: SenderKind;
  domain: string;
  value: string;
  /** The fingerprint of a selector's key. Empty for rows without one. */
  fingerprint: string;
  /** Since when the fingerprint is unchanged. */
  unchanged_since: number;
  first_seen_at: number;
  last_seen_at: number;
  messages: number;
};

export type AlertsTable = {
  id: string;
  workspace_id: string;
  label: string;
  /** Sealed, because the URLs of chat services let anyone post there. */
  url: string;
  /** The part that lists show. */
  url_shown: string;
  kind: AlertKind;
  /** JSON list of AlertEventType. */
  events: string;
  threshold_score: number | null;
  enabled: number;
  /** Why it was turned off automatically, as a sentence. Null if it wasn't. */
  disabled_because: string | null;
  /** Sealed. Null for a chat service. */
  secret: string | null;
  created_at: number;
  /** Nothing is sent before this time. Null: no delay. */
  not_before: number | null;
  /** The number sent since then, for the hourly limit. */
  hour_began_at: number | null;
  hour_count: number;
  /** The first failure since the last success. Null: the last try succeeded, or there was none. */
  failing_since: number | null;
  /** The service whose JSON it takes. Null: ours, or not JSON. */
  preset: AlertPreset | null;
  /** Sealed JSON of PresetCredentials. Null without a preset. */
  credentials: string | null;
  /** Its row in alert_addresses. Null if it isn't an email. */
  address_id: string | null;
};

/** unsubscribed: by the recipient. bounced: a mail server rejected it for good. */
export type AddressState = "pending" | "confirmed" | "unsubscribed" | "bounced";

/** An email address that gets a workspace's alerts. Outlives its alerts, so that it stays unsubscribed. */
export type AlertAddressesTable = {
  id: string;
  workspace_id: string;
  /** With its domain in A-labels and lower case. */
  address: string;
  state: AddressState;
  /** Why it bounced, or why the confirmation mail was not sent. */
  problem: string | null;
  /** The hash of the open confirmation link's secret. */
  link_hash: string | null;
  link_expires_at: number | null;
  /** When the last confirmation mail was sent. */
  asked_at: number | null;
  confirmed_at: number | null;
  created_at: number;
};

/** Confirmation mail of the last day to a mailbox, for its limit. */
type ConfirmationMailsTable = { id: string; mailbox: string; sent_at: number };

/** An event, kept until every subscribed webhook has it or has given up. */
export type AlertEventsTable = {
  id: string;
  workspace_id: string;
  type: AlertEventType;
  created_at: number;
  /** JSON of AlertEvent's data. */
  payload: string;
};

export type DeliveryStatus = "pending" | "delivered" | "dead";

/** One event to one webhook, tried when it is due. */
export type DeliveriesTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  alert_id: string;
  event_id: string;
  created_at: number;
  status: DeliveryStatus;
  /** Number of tries so far. */
  tries: number;
  last_tried_at: number | null;
  delivered_at: number | null;
  http_status: number | null;
  /** The result of the last try, as a sentence. */
  problem: string | null;
  duration_ms: number | null;
  /** The delivery whose message included this event (chat services). */
  told_with: string | null;
  /** What the mail server said to the last try. Null for webhooks. */
  reply: string | null;
};
