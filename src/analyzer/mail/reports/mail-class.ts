// The classes of received mail. Only the last kind is a test; the others are stored as what they are.

export type Recognised =
  | { readonly kind: "bounce" | "complaint"; readonly notice: Notice }
  | {
      readonly kind: "report";
      readonly report: MailReport;
      /** The others in the same message. */
      readonly more?: readonly MailReport[];
      /** By a person, who proves nothing about who wrote it. */
      readonly isForwarded?: boolean;
    }
  | { readonly kind: "auto-reply" }
  | { readonly kind: "test" };

/** The classes of bounces (src/decisions.md, "Receiving"). */
export const bounceClasses = [
  "user_unknown",
  "host_unknown",
  "mailbox_full",
  "disabled",
  "too_big",
  "policy",
  "authentication",
  "reputation",
  "content",
  "rate",
  "system",
  "expired",
  "unknown",
] as const;
export type BounceClass = (typeof bounceClasses)[number];

/** What a bounce or complaint says about a message. */
export type Notice = {
  readonly reportingMta: string | null;
  readonly recipients: readonly NoticeRecipient[];
  /** RFC 5965 §3.1: abuse, fraud, virus, not-spam … Null for a bounce. */
  readonly feedbackType: string | null;
  /** The IP address that the original came from, if a complaint contains it. */
  readonly sourceIp: string | null;
  /** Without angle brackets. */
  readonly originalMessageId: string | null;
  /** The original's `X-Assay-Id`. */
  readonly originalAssayId: string | null;
  /** The domain of the original's From header, or the one that a complaint names. Left out if unknown. */
  readonly originalDomain?: string | null;
};

export type NoticeRecipient = {
  /** Null if the notice hides it. */
  readonly address: string | null;
  /** RFC 3463, such as 5.1.1. */
  readonly status: string | null;
  /** RFC 3464 §2.3.3: failed, delayed, delivered, relayed, expanded. Null for a complaint. */
  readonly action: string | null;
  readonly class: BounceClass;
  readonly hard: boolean;
  readonly diagnostic: string | null;
};

/** A DMARC aggregate report (RFC 9990) or a TLS report (RFC 8460). */
export type MailReport = {
  readonly type: "dmarc" | "tls";
  readonly organization: string | null;
  readonly reportId: string | null;
  /** The domain that the report is about. */
  readonly domain: string | null;
  readonly beginsAt: number | null;
  readonly endsAt: number | null;
  /** Number of messages (dmarc) or sessions (tls). Null if the report could not be read. */
  readonly total: number | null;
  /** How many of those failed: DMARC on both identifiers, or the TLS session. */
  readonly failed: number | null;
  /** Why it could not be read, as a sentence. */
  readonly problem: string | null;
  /** Only for a DMARC report. */
  readonly policy: PublishedPolicy | null;
  /** Only for a DMARC report: largest first, then the sum of the others. */
  readonly sources: readonly ReportedSource[];
  /** Only for a TLS report. */
  readonly tlsPolicies: readonly TlsPolicy[];
};

/** The policy that the receiver found, in its words and lower case (RFC 9990 §3.1.1.5; `pct` of RFC 7489). */
export type PublishedPolicy = {
  readonly p: string | null;
  readonly sp: string | null;
  readonly np: string | null;
  readonly adkim: string | null;
  readonly aspf: string | null;
  readonly pct: string | null;
  /** `t=y`. */
  readonly testing: string | null;
  readonly discoveryMethod: string | null;
};

export const dispositions = ["none", "quarantine", "reject"] as const;
export type Disposition = (typeof dispositions)[number];

/** A record of a DMARC report. */
export type ReportedSource = {
  /** Null if it isn't given, and for the sum of the others. */
  readonly sourceIp: string | null;
  readonly messages: number;
  /** Null also for `pass` of RFC 9990, because nothing was done to the message. */
  readonly disposition: Disposition | null;
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  readonly headerFrom: string | null;
  readonly dkim: readonly ReportedSignature[];
  readonly spf: readonly ReportedSpf[];
  /** Why the policy was not applied as published. */
  readonly reasons: readonly OverrideReason[];
};

export type ReportedSignature = {
  readonly domain: string;
  readonly selector: string | null;
  readonly result: string | null;
};

export type ReportedSpf = { readonly domain: string; readonly scope: string | null; readonly result: string | null };

export type OverrideReason = { readonly type: string; readonly comment: string | null };

/** RFC 8460 §4.4: the results of the sessions under one policy. */
export type TlsPolicy = {
  /** sts, tlsa, no-policy-found. */
  readonly type: string | null;
  readonly domain: string | null;
  readonly successful: number;
  readonly failed: number;
  /** Largest first, then the sum of the others, which has no name. */
  readonly failures: readonly TlsFailure[];
};

export type TlsFailure = {
  /** RFC 8460 §4.3, such as certificate-expired. */
  readonly resultType: string | null;
  readonly sendingIp: string | null;
  readonly mxHost: string | null;
  readonly receivingIp: string | null;
  readonly reasonCode: string | null;
  readonly sessions: number;
};

/** For a report that could not be read. */
export const noRows = { policy: null, sources: [], tlsPolicies: [] } as const;
