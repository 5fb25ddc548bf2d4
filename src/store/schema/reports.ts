// The tables of DMARC and TLS reports that came by mail: rows of Schema.

import type { Disposition, MailReport } from "../../mail/reports/mail-class.ts";

export type MailReportTables = {
  mail_reports: MailReportsTable;
  report_sources: ReportSourcesTable;
  tls_policies: TlsPoliciesTable;
  tls_failures: TlsFailuresTable;
};

/** A DMARC aggregate report or a TLS report that somebody sent. */
export type MailReportsTable = {
  id: string;
  workspace_id: string;
  /** The message that it came in. */
  test_id: string;
  received_at: number;
  type: MailReport["type"];
  organization: string | null;
  report_id: string | null;
  /** In A-labels and lower case, where it is a domain. */
  domain: string | null;
  /** Of the domain: by it the reports of a domain and of those below it are found together. */
  registrable_domain: string | null;
  begins_at: number | null;
  ends_at: number | null;
  /** When the day of UTC began that it is about; null where it could not be read. */
  day: number | null;
  total: number | null;
  failed: number | null;
  problem: string | null;
  /** JSON of PublishedPolicy. */
  policy: string | null;
  /** By what a report is known that comes twice. Null: it counts nothing, because it came before or could not be read. */
  counted_as: string | null;
  /** In the tables below. */
  row_count: number;
};

/** What a DMARC report counts: one a record. */
export type ReportSourcesTable = {
  report_id: string;
  number: number;
  /** Null: not told, or what the small ones of a large report add up to. */
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
};

/** What a TLS report counts under one policy; found by the policy's own domain. */
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
  /** Null, with all that follows: what the small ones add up to. */
  result_type: string | null;
  sending_ip: string | null;
  mx_host: string | null;
  receiving_ip: string | null;
  reason_code: string | null;
  sessions: number;
};
