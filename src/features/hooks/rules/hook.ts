// Webhooks that email providers call: what a provider's file says about it, and helpers to verify and read its requests.
// Each file follows what the provider publishes. Nothing is read before the request is verified.

import { createHash, timingSafeEqual } from "node:crypto";
import { domainToASCII } from "node:url";
import { classify, isHard } from "../../../analyzer/mail/bounces/classes.ts";
import type { BounceClass, Notice } from "../../../analyzer/mail/reports/mail-class.ts";
import type { RecordedVerdicts } from "../../../analyzer/mail/session/doors.ts";

/** feedback: bounces, complaints and deliveries. mail: messages that the provider received. */
export const hookPurposes = ["feedback", "mail"] as const;
export type HookPurpose = (typeof hookPurposes)[number];

/** What verifies a request. token: a signature that doesn't cover its content. password: only the URL and its password. */
export const hookProofs = ["signature", "token", "password"] as const;
export type HookProof = (typeof hookProofs)[number];

/** Everything about a provider. A new one needs such a file, and a row in providers.ts. */
export type HookProviderFacts = {
  readonly label: string;
  /** Null: it doesn't report. */
  readonly feedback: PurposeFacts | null;
  /** Null: it receives no mail. */
  readonly mail: (PurposeFacts & MailFacts) | null;
  readonly key: HookKey;
  readonly proof: HookProof;
  /** The same for the handbook. */
  readonly proves: string;
  readonly read: (
    call: HookCall,
    effects: { readonly fetchCertificate: FetchCertificate },
  ) => HookReading | Promise<HookReading>;
};

type PurposeFacts = {
  /** What a person does at the provider. */
  readonly steps: readonly string[];
  /** It can send a password in its URL, and this is all that it proves or may be. */
  readonly hasPassword: boolean;
};

type MailFacts = {
  /** As in "Posted by Mailgun". */
  readonly name: string;
  /** How many times as large as the message its request may be. */
  readonly growth: number;
  /** Completes "yes, …" in the handbook. */
  readonly limit?: string;
  /** It posts messages unparsed only to a URL that ends like this. */
  readonly path?: "mime";
};

/** What its requests are signed with. member: a member enters it. assay: we make it, and show it once. */
export type HookKey =
  | {
      readonly from: "member";
      /** A signing key is kept secret. */
      readonly field: "signingKey" | "topicArn";
      /** As the provider calls it. */
      readonly name: string;
      /** Why what a member typed can't be one. */
      readonly whyNot: (typed: string) => string | null;
    }
  | { readonly from: "assay" }
  | { readonly from: "none" };

/** Null: it can't be had now. */
export type FetchCertificate = (url: string) => Promise<string | null>;

/** A request, whole and in memory. */
export type HookCall = {
  readonly purpose: HookPurpose;
  readonly body: Buffer;
  /** The header as sent. */
  readonly contentType: string;
  /** `name` in lower case. */
  readonly header: (name: string) => string | null;
  readonly nowMs: number;
  readonly signingKey: string | null;
  readonly topicArn: string | null;
};

export type HookContent =
  | { readonly kind: "feedback"; readonly events: readonly FeedbackEvent[]; readonly ignored: number }
  | { readonly kind: "mail"; readonly mail: InboundMail }
  /** The provider asks whether it may send here. Opening the URL says yes. */
  | { readonly kind: "confirmation"; readonly url: string };

export type HookReading =
  | {
      readonly ok: true;
      /** A signature was verified. Otherwise only the URL and its password were. */
      readonly isSigned: boolean;
      /** Identifies the request, so that a repetition is recognized. */
      readonly requestId: string;
      readonly content: HookContent;
    }
  | { readonly ok: false; readonly problem: HookProblem };

export type FeedbackEvent = {
  /** The provider's ID of it. */
  readonly id: string;
  readonly kind: "bounce" | "complaint" | "delivered";
  /** How many messages it is about: one for each recipient. */
  readonly count: number;
  readonly at: number | null;
  /** The domain in From. */
  readonly domain: string | null;
  /** Null for a delivery. */
  readonly notice: Notice | null;
};

export type InboundMail = {
  readonly raw: Buffer;
  /** Empty for the null return path. Null if the provider doesn't say. */
  readonly mailFrom: string | null;
  readonly rcptTo: readonly string[];
  readonly clientAddress: string | null;
  readonly receivedAt: number | null;
  /** Under which names it writes Authentication-Results. */
  readonly trusted: readonly string[];
  readonly recorded: RecordedVerdicts;
};

/** Everything that a request can be refused for, with the sentence for the workspace. Never quotes the request. */
export const hookProblems = {
  bad_signature: "The signature doesn’t match.",
  no_signature: "The request has no signature.",
  too_old: "The request’s timestamp is too old or in the future.",
  wrong_password: "The user name or password in the URL is missing or wrong.",
  lost: "Its secrets were lost with the server’s secret key. Enter its signing key again, or create a new URL or secret.",
  no_key: "Its signing key, or with SES the ARN of the topic, isn’t set yet. Enter it under “Set up”.",
  wrong_topic: "The message is from another SNS topic than the one that is set.",
  no_certificate: "The certificate that SNS signs with couldn’t be fetched.",
  wrong_type: "The request has another content type than this provider sends.",
  unreadable: "The request isn’t what this provider sends.",
  too_many: "The request has more events than this provider sends at once.",
  not_raw: "The provider posted a parsed message. Turn on the option to post the raw message.",
  no_recipient: "The request doesn’t say which address the message was for.",
  plan_limit: "The workspace has reached a plan limit.",
  too_large: "The message is larger than this server accepts.",
  not_confirmed: "Amazon didn’t accept the confirmation of the subscription.",
} as const;
export type HookProblem = keyof typeof hookProblems;

export function refuse(problem: HookProblem): HookReading {
  return { ok: false, problem };
}

/** More than any provider groups into one request. */
export const mostEvents = 5_000;

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** The provider's clock may be this far ahead. */
const aheadMs = 5 * 60_000;

/** `seconds`: digits since 1970, as sent. */
export function isRecent(seconds: string, nowMs: number, windowMs: number): boolean {
  const at = /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : Number.NaN;
  return at >= nowMs - windowMs && at <= nowMs + aheadMs;
}

export function mediaTypeOf(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

/** Null if it isn't JSON in UTF-8. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return null;
  }
}

// Fields of a payload. Anything of another type counts as absent.

export type Fields = Readonly<Record<string, unknown>>;

/** Own fields only, so that no name means something of JavaScript's. */
export function toFields(value: unknown): Fields {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Object.assign(Object.create(null), value) : Object.create(null);
}

const longestText = 2_000;

export function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, longestText) : null;
}

/** Seconds since 1970, as a number or as digits, to milliseconds. */
export function toTime(value: unknown): number | null {
  const seconds = typeof value === "string" && /^\d{1,12}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
  const isTime = typeof seconds === "number" && seconds > 0 && seconds < 1e11;
  return isTime ? Math.floor(seconds * 1_000) : null;
}

export function toDate(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value.slice(0, 100)) : Number.NaN;
  return Number.isFinite(at) ? at : null;
}

export function toId(value: unknown): string {
  return typeof value === "number" ? String(value) : (toText(value) ?? "");
}

const domainName = /^(?:[a-z0-9_][a-z0-9_-]{0,62}\.){1,30}[a-z0-9-]{2,63}$/;

/** The domain of an address, which may be in angle brackets, or a bare domain. In A-labels and lower case. */
export function toDomain(text: string | null): string | null {
  if (text === null) return null;
  const end = text.replace(/>\s*$/, "").trim();
  const name = domainToASCII(end.slice(end.lastIndexOf("@") + 1).toLowerCase());
  return name.length < 254 && domainName.test(name) ? name : null;
}

export function toMessageId(value: unknown): string | null {
  return toText(value)?.trim().replace(/^<|>$/g, "") || null;
}

type Reported = {
  readonly address: string | null;
  readonly sourceIp?: string | null;
  readonly originalMessageId?: string | null;
  readonly diagnostic?: string | null;
};

/** A recipient marked the message as spam. */
export function toComplaint({ address, diagnostic = null, ...original }: Reported): Notice {
  const recipient = { address, status: null, action: null, class: "unknown", hard: false, diagnostic } as const;
  return { ...toOriginal(original), feedbackType: "abuse", recipients: [recipient] };
}

type ReportedBounce = Reported & {
  readonly status?: string | null;
  /** What says why. */
  readonly texts: readonly string[];
  readonly action?: string;
  /** With the provider's own list of reasons. */
  readonly toClass?: (found: BounceClass) => BounceClass;
};

export function toBounce(reported: ReportedBounce): Notice {
  const { address, diagnostic = null, status = null, texts, action = "failed", toClass, ...original } = reported;
  const found = classify({ status, texts });
  const verdict = { ...found, class: toClass?.(found.class) ?? found.class };
  const hard = isHard(verdict, action);
  const recipient = { address, status: verdict.status, action, class: verdict.class, hard, diagnostic };
  return { ...toOriginal(original), feedbackType: null, recipients: [recipient] };
}

function toOriginal({ sourceIp = null, originalMessageId = null }: Omit<Reported, "address" | "diagnostic">) {
  return { reportingMta: null, sourceIp, originalMessageId, originalAssayId: null };
}

/** What isn't given, the provider doesn't say. */
export function toMail(mail: Pick<InboundMail, "raw" | "rcptTo"> & Partial<InboundMail>) {
  const unsaid = { mailFrom: null, clientAddress: null, receivedAt: null, trusted: [], recorded: {} };
  return { kind: "mail", mail: { ...unsaid, ...mail } } as const;
}
