// What each provider can do here, and what its requests prove.

import { readCloudflare } from "./cloudflare.ts";
import type { HookCall, HookProvider, HookPurpose, HookReading } from "./hook.ts";
import { readMailgun } from "./mailgun.ts";
import { readMailjet } from "./mailjet.ts";
import { readPostmark } from "./postmark.ts";
import { readPublicKey, readSendgrid } from "./sendgrid.ts";
import { type FetchCertificate, readSes } from "./ses.ts";
import { isTopicArn } from "./sns.ts";

type ProviderTerms = {
  readonly purposes: readonly HookPurpose[];
  /**
   * Where its signing key comes from. given: a member pastes it. made: we make it, and show it once. topic: the
   * signature names a certificate, and a member sets the topic. none: it signs nothing.
   */
  readonly key: "given" | "made" | "topic" | "none";
  /** It can send a password in its URL, and for this purpose that is all that it proves or may be. */
  readonly password: readonly HookPurpose[];
  /** Why a pasted key can't be one. */
  readonly whyNotKey?: (key: string) => string | null;
  readonly read: (
    call: HookCall,
    effects: { readonly fetchCertificate: FetchCertificate },
  ) => HookReading | Promise<HookReading>;
};

export const hookProviderTable: Readonly<Record<HookProvider, ProviderTerms>> = {
  ses: {
    purposes: ["feedback", "mail"],
    key: "topic",
    password: [],
    whyNotKey: (arn) =>
      isTopicArn(arn) ? null : "must be the ARN of an SNS topic, like arn:aws:sns:us-east-1:123456789012:name",
    read: (call, { fetchCertificate }) => readSes(call, fetchCertificate),
  },
  sendgrid: {
    purposes: ["feedback", "mail"],
    key: "given",
    password: ["mail"],
    whyNotKey: (key) =>
      readPublicKey(key) ? null : "must be the verification key that SendGrid shows, which begins with MFkw",
    read: readSendgrid,
  },
  mailgun: { purposes: ["feedback", "mail"], key: "given", password: [], read: readMailgun },
  postmark: { purposes: ["feedback", "mail"], key: "none", password: ["feedback", "mail"], read: readPostmark },
  mailjet: { purposes: ["feedback"], key: "none", password: ["feedback"], read: readMailjet },
  cloudflare: { purposes: ["mail"], key: "made", password: [], read: readCloudflare },
};
