// The tables of the domain monitor and of alerts: rows of Schema.

import type { AlertEventType, AlertKind } from "../../alerts/alert-event.ts";
import type { NoticeKind } from "../../domains/change-kind-table.ts";
import type { VerdictWord } from "../../reports/domain-report.ts";
import type { SenderKind } from "../../reports/seen-senders.ts";
import type { ClaimColumns } from "./schema.ts";

export type WatchTables = {
  domains: DomainsTable;
  domain_watches: DomainWatchesTable;
  domain_reports: DomainReportsTable;
  domain_changes: DomainChangesTable;
  domain_rechecks: DomainRechecksTable;
  seen_senders: SeenSendersTable;
  alerts: AlertsTable;
  alert_events: AlertEventsTable;
  deliveries: DeliveriesTable;
};

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
  /** When its assay-verify record was last seen; null: it was not there at the last check that could tell. */
  verified_at: number | null;
  last_drift_at: number | null;
  unstable: number;
};

/** What the next check goes on from: one a domain, written by each check. */
export type DomainWatchesTable = {
  domain_id: string;
  workspace_id: string;
  checked_at: number;
  /** JSON of GuessedSelectors; null where somebody named one, or none was guessed yet. */
  guessed: string | null;
  /** JSON of SeenCertificates; null where no mail server was asked yet. */
  certificates: string | null;
  /** JSON of Watch. */
  watch: string;
  /** Of the report that is kept: what it says, in short (reports/domain-report.ts). */
  gist: string;
  reported_at: number;
};

/** What the last check found that found something else than the one before: one a domain. */
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

/** asked: by hand. removed: soon after it was added, when it was checked too. */
export type RecheckKind = "asked" | "removed" | "changed";

/** That somebody had a domain checked at once: of the last hour, which has a limit for each kind. */
export type DomainRechecksTable = { workspace_id: string; domain_id: string; at: number; kind: RecheckKind };

/** How a domain was seen to send, as received mail proved it (reports/seen-senders.ts). */
export type SeenSendersTable = {
  workspace_id: string;
  /** The registrable domain of `domain`. */
  organization: string;
  kind: SenderKind;
  domain: string;
  value: string;
  /** Of a selector's key; empty for what has none. */
  fingerprint: string;
  /** Since when the fingerprint is what it is. */
  unchanged_since: number;
  first_seen_at: number;
  last_seen_at: number;
  messages: number;
};

export type AlertsTable = {
  id: string;
  workspace_id: string;
  label: string;
  /** Sealed: those of chat services let anybody write there. */
  url: string;
  /** What lists show of it. */
  url_shown: string;
  kind: AlertKind;
  /** JSON list of AlertEventType. */
  events: string;
  threshold_score: number | null;
  enabled: number;
  /** Why the program switched it off, for a person; null: it did not. */
  disabled_because: string | null;
  /** Sealed; null for a chat service. */
  secret: string | null;
  created_at: number;
  /** Nothing is sent to it before; null: at any time. */
  not_before: number | null;
  /** How many were sent since then, which the hourly bound counts. */
  hour_began_at: number | null;
  hour_count: number;
  /** The first failure since the last success; null: the last try went well, or there was none. */
  failing_since: number | null;
};

/** Something to tell: kept until every webhook that listens has it, or never will. */
export type AlertEventsTable = {
  id: string;
  workspace_id: string;
  type: AlertEventType;
  created_at: number;
  /** JSON of AlertEvent's data. */
  payload: string;
};

export type DeliveryStatus = "pending" | "delivered" | "dead";

/** One event to one webhook; tried when it is due. */
export type DeliveriesTable = ClaimColumns & {
  id: string;
  workspace_id: string;
  alert_id: string;
  event_id: string;
  created_at: number;
  status: DeliveryStatus;
  /** Tries that were made. */
  tries: number;
  last_tried_at: number | null;
  delivered_at: number | null;
  http_status: number | null;
  /** Of the last try, for a person. */
  problem: string | null;
  duration_ms: number | null;
  /** The delivery whose message told this event too (chat services). */
  told_with: string | null;
};
