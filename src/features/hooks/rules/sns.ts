// Amazon SNS: the messages that it posts, and their signatures ("Verifying the signatures of Amazon SNS messages" in its
// developer guide). The certificate comes from a URL in the message, so only SNS's own hosts count, and the caller fetches
// it over TLS. A confirmation is never made with the URL in the message: it is built from the topic that a member set.

import { verify, X509Certificate } from "node:crypto";
import { isSame, readJson, toDate, toFields, toId } from "./hook.ts";

export type SnsMessage = {
  readonly type: "Notification" | "SubscriptionConfirmation" | "UnsubscribeConfirmation";
  readonly id: string;
  readonly topicArn: string;
  readonly message: string;
  readonly token: string;
  readonly certificateUrl: string;
  readonly at: number;
  readonly signature: Buffer;
  readonly algorithm: "sha1" | "sha256";
  /** What is signed. */
  readonly signed: string;
};

const certificateUrl =
  /^https:\/\/sns\.[a-z0-9-]{2,40}\.amazonaws\.com(?:\.cn)?\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/;
const topicArnPattern = /^arn:aws(?:-cn|-us-gov)?:sns:[a-z0-9-]{2,40}:\d{12}:[\w-]{1,256}(?:\.fifo)?$/;

export function isTopicArn(text: string): boolean {
  return topicArnPattern.test(text);
}

export function isCertificateUrl(url: string): boolean {
  return certificateUrl.test(url);
}

/** Alphabetical, as SNS signs them. Absent ones are left out. */
const signedFields = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const;

const algorithms = { "1": "sha1", "2": "sha256" } as const;

/** Null if it isn't one. */
export function readSnsMessage(body: Buffer): SnsMessage | null {
  const fields = toFields(readJson(body));
  const { Type: type, SignatureVersion: version, Message: message } = fields;
  if (type !== "Notification" && type !== "SubscriptionConfirmation" && type !== "UnsubscribeConfirmation") return null;
  if (typeof message !== "string" || (version !== "1" && version !== "2")) return null;
  const lines = signedFields[type].flatMap((name) => {
    const value = fields[name];
    return typeof value === "string" ? [`${name}\n${value}\n`] : [];
  });
  return {
    type,
    id: toId(fields.MessageId),
    topicArn: toId(fields.TopicArn),
    message,
    token: toId(fields.Token),
    certificateUrl: toId(fields.SigningCertURL),
    at: toDate(fields.Timestamp) ?? 0,
    signature: Buffer.from(toId(fields.Signature), "base64"),
    algorithm: algorithms[version],
    signed: lines.join(""),
  };
}

/** `pem`: from the message's certificate URL. */
export function isSignedBy(message: SnsMessage, pem: string, nowMs: number): boolean {
  try {
    const { publicKey, validFromDate, validToDate } = new X509Certificate(pem);
    if (nowMs < validFromDate.getTime() || nowMs > validToDate.getTime()) return false;
    if (publicKey.asymmetricKeyType !== "rsa") return false;
    return verify(message.algorithm, Buffer.from(message.signed), publicKey, message.signature);
  } catch {
    return false;
  }
}

export function isOfTopic({ topicArn }: SnsMessage, expected: string): boolean {
  return isSame(topicArn, expected);
}

/** The request that confirms a subscription to this topic. */
export function toConfirmationUrl(topicArn: string, token: string): string {
  const [, partition = "", , region = ""] = topicArn.split(":");
  const url = new URL(`https://sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}/`);
  url.search = new URLSearchParams({
    Action: "ConfirmSubscription",
    TopicArn: topicArn,
    Token: token,
    Version: "2010-03-31",
  }).toString();
  return url.href;
}
