// The tables of DMARC and TLS reports, and what they and webhooks say about a domain: rows of Schema.

import type { BounceClass, Disposition, MailReport } from "../../analyzer/mail/reports/mail-class.ts";
import type { FeedbackKind, Resolution } from "./rules/problem.ts";
import type { FeedbackProvider } from "./rules/providers.ts";

declare module "../../platform/database/schema.ts" {
  interface Schema {
    mail_reports: MailReportsTable;
    report_sources: ReportSourcesTable;
    tls_policies: TlsPoliciesTable;
    tls_failures: TlsFailuresTable;
    domain_feedback: DomainFeedbackTable;
    feedback_notices: FeedbackNoticesTable;
    feedback_problems: FeedbackProblemsTable;
    feedback_volumes: FeedbackVolumesTable;
    reverse_names: ReverseNamesTable;
    source_marks: SourceMarksTable;
  }
}

/** The evaluation of a monitored domain's feedback: one row for each domain that ever got any. */
export type DomainFeedbackTable = {
  domain_id: string;
  workspace_id: string;
  domain: string;
  registrable_domain: string;
  /** When it is evaluated next. */
  due_at: number;
  evaluated_at: number | null;
  /** The first day that an authenticated report is about. Null: none arrived yet. */
  first_day: number | null;
  /** JSON of FeedbackSummary. Null before the first evaluation. */
  summary: string | null;
};

/** What a bounce or complaint counts for, by the domain of the message that it is about. */
export type FeedbackNoticesTable = {
  bounce_id: string;
  workspace_id: string;
  registrable_domain: string;
  domain: string;
  day: number;
  kind: "bounce" | "complaint";
  class: BounceClass;
  /** The registrable domain that sent it. */
  reporter: string;
  authenticated: number;
  /** Recipients. */
  count: number;
};

/** A problem that feedback shows. Open, or ended and kept so that it isn't reported again. */
export type FeedbackProblemsTable = {
  id: string;
  workspace_id: string;
  domain_id: string;
  kind: FeedbackKind;
  subject: string;
  level: number;
  opened_at: number;
  updated_at: number;
  /** Null: it is open. */
  resolved_at: number | null;
  resolution: Resolution | null;
  acknowledged_at: number | null;
  /** JSON of FeedbackEvidence. */
  evidence: string;
  /** JSON list of the IDs of reports that it is based on. */
  reports: string;
};

/** A DMARC aggregate report or a TLS report. */
export type MailReportsTable = {
  id: string;
  workspace_id: string;
  /** The message that contained it, or for further reports of a message, a row of their own. */
  test_id: string;
  /** Then this row has the message. */
  message_of: string | null;
  received_at: number;
  type: MailReport["type"];
  organization: string | null;
  report_id: string | null;
  /** In A-labels and lower case, if it is a domain. */
  domain: string | null;
  /** The registrable domain of `domain`, to find the reports of a domain and its subdomains together. */
  registrable_domain: string | null;
  begins_at: number | null;
  ends_at: number | null;
  /** When the reported day began in UTC. Null if it could not be read. */
  day: number | null;
  total: number | null;
  failed: number | null;
  problem: string | null;
  /** JSON of PublishedPolicy. */
  policy: string | null;
  /** The key that identifies duplicates. Null: it counts nothing, because it is a duplicate or could not be read. */
  counted_as: string | null;
  /** Number of rows in the tables below. */
  row_count: number;
  /** The registrable domain of its From header. Null: unknown, or from an earlier version. */
  sender_domain: string | null;
  /** Whether SPF or DKIM authenticated that domain. Null: from an earlier version, which didn't look. */
  sender_authenticated: number | null;
};

/** A row of a DMARC report, one for each record. */
export type ReportSourcesTable = {
  report_id: string;
  number: number;
  /** Null: not given, or the sum of a large report's small sources. */
  source_ip: string | null;
  header_from: string | null;
  messages: number;
  disposition: Disposition | null;
  dkim_aligned: number;
  spf_aligned: number;
  /** JSON list of ReportedSignature. */
  dkim: string;
  /** JSON list of ReportedSpf. */
  spf: string;
  /** JSON list of OverrideReason. */
  reasons: string;
  /** Another organization's domain that passed SPF, which names who sent (analyzer/senders). */
  proved_spf: string | null;
  proved_dkim: string | null;
  /** Whether the receiver says that it was forwarded. Null: from an earlier version, not filled in yet. */
  forwarded: number | null;
};

/** Reverse DNS of addresses in reports. Public facts, so all workspaces share them. */
type ReverseNamesTable = {
  /** In its shortest form. */
  address: string;
  /** Confirmed by a forward lookup. Null: none, or not known yet. */
  host: string | null;
  asked_at: number | null;
  due_at: number;
  /** When a report last named it. */
  seen_at: number;
};

/** What people say of a sender. */
export type SourceMarksTable = {
  domain_id: string;
  workspace_id: string;
  key: string;
  /** Null: only a note. */
  mark: "approved" | "ignored" | null;
  note: string;
  updated_at: number;
};

/** What a TLS report counts under one policy. Found by the policy's own domain. */
export type TlsPoliciesTable = {
  report_id: string;
  number: number;
  workspace_id: string;
  registrable_domain: string | null;
  domain: string | null;
  day: number;
  type: string | null;
  successful: number;
  failed: number;
};

export type TlsFailuresTable = {
  report_id: string;
  /** The policy's number. */
  policy: number;
  number: number;
  /** Null, with the columns that follow: the sum of the small ones. */
  result_type: string | null;
  sending_ip: string | null;
  mx_host: string | null;
  receiving_ip: string | null;
  reason_code: string | null;
  sessions: number;
};

/** How many messages of a domain a provider has delivered on a day (UTC), and how many of them came back. */
export type FeedbackVolumesTable = {
  workspace_id: string;
  provider: FeedbackProvider;
  /** In A-labels and lower case. Empty if the provider doesn't say. */
  domain: string;
  /** When the day began. */
  day: number;
  delivered: number;
  bounced: number;
  complained: number;
};
