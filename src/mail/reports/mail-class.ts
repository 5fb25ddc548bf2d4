// What a received message turned out to be. Only the last kind is a test; the others are kept as what they are.

export type Recognised =
  | { readonly kind: "bounce" | "complaint"; readonly notice: Notice }
  | { readonly kind: "report"; readonly report: MailReport }
  | { readonly kind: "auto-reply" }
  | { readonly kind: "test" };

/** The classes that a bounce can have (src/decisions.md, "Receiving"). */
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

/** What a bounce or a complaint says of a message that somebody sent. */
export type Notice = {
  readonly reportingMta: string | null;
  readonly recipients: readonly NoticeRecipient[];
  /** RFC 5965 §3.1: abuse, fraud, virus, not-spam …; null for a bounce. */
  readonly feedbackType: string | null;
  /** The address that the original came from, where a complaint tells it. */
  readonly sourceIp: string | null;
  /** Without angle brackets. */
  readonly originalMessageId: string | null;
  /** `X-Assay-Id` of the original. */
  readonly originalAssayId: string | null;
};

export type NoticeRecipient = {
  /** Null where the notice hides it. */
  readonly address: string | null;
  /** RFC 3463, such as 5.1.1. */
  readonly status: string | null;
  /** RFC 3464 §2.3.3: failed, delayed, delivered, relayed, expanded; null for a complaint. */
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
  /** The domain that is reported on. */
  readonly domain: string | null;
  readonly beginsAt: number | null;
  readonly endsAt: number | null;
  /** Messages (dmarc) or sessions (tls) that it counts; null where it could not be read. */
  readonly total: number | null;
  /** Of those, what failed: DMARC on both identifiers, or the TLS session. */
  readonly failed: number | null;
  /** Why it could not be read, for a person. */
  readonly problem: string | null;
  /** Of a DMARC report. */
  readonly policy: PublishedPolicy | null;
  /** Of a DMARC report: largest first, then what the others add up to. */
  readonly sources: readonly ReportedSource[];
  /** Of a TLS report. */
  readonly tlsPolicies: readonly TlsPolicy[];
};

/** What the receiver found published, in its words and lower case (RFC 9990 §3.1.1.5; `pct` of RFC 7489). */
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
  /** Null where it is not told, and for what others add up to. */
  readonly sourceIp: string | null;
  readonly messages: number;
  /** RFC 9990 has `pass` too, which is none here: nothing was done to the message. */
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

export type ReportedSpf = {
  readonly domain: string;
  readonly scope: string | null;
  readonly result: string | null;
};

export type OverrideReason = { readonly type: string; readonly comment: string | null };

/** RFC 8460 §4.4: what came of the sessions under one policy. */
export type TlsPolicy = {
  /** sts, tlsa, no-policy-found. */
  readonly type: string | null;
  readonly domain: string | null;
  readonly successful: number;
  readonly failed: number;
  /** Largest first, then what the others add up to: without a name. */
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

/** Of what could not be read. */
export const noRows = { policy: null, sources: [], tlsPolicies: [] } as const;
