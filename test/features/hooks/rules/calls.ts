// Requests of providers, in the form of the samples that each of them publishes, and signed as they publish. The signatures
// in vectors.json were made by OpenSSL's command-line program.

import { createHmac, createPrivateKey, createSign, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FeedbackProvider } from "../../../../src/features/feedback/rules/providers.ts";
import type { HookCall, HookReading } from "../../../../src/features/hooks/rules/hook.ts";

type Vectors = {
  readonly certificate: string;
  readonly key: string;
  readonly version1: SnsFields;
  readonly version2: SnsFields;
  readonly confirmation: SnsFields;
  readonly mailgun: Readonly<Record<"key" | "timestamp" | "token" | "signature", string>>;
  readonly cloudflare: Readonly<Record<"secret" | "id" | "timestamp" | "body" | "signature", string>>;
};

export type SnsFields = Readonly<Record<string, string>>;

export const vectors: Vectors = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));

/** The time of the vectors is 30 seconds before. */
export const nowMs = Date.parse("2026-11-21T06:00:00.000Z");
export const nowSeconds = String(nowMs / 1_000);
export const topicArn = "arn:aws:sns:us-east-1:123456789012:ses-feedback";

type Given = Partial<Omit<HookCall, "body" | "header">> & {
  readonly body: string | Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
};

export function toCall({ body, headers = {}, ...given }: Given): HookCall {
  const isText = typeof body === "string" || Buffer.isBuffer(body);
  return {
    purpose: "feedback",
    contentType: "application/json",
    nowMs,
    signingKey: null,
    topicArn: null,
    ...given,
    body: Buffer.from(isText ? body : JSON.stringify(body)),
    header: (name) => headers[name] ?? null,
  };
}

export function eventsOf(reading: HookReading) {
  if (!reading.ok) throw new Error(reading.problem);
  if (reading.content.kind !== "feedback") throw new Error(reading.content.kind);
  return reading.content.events;
}

export function mailOf(reading: HookReading) {
  if (!reading.ok) throw new Error(reading.problem);
  if (reading.content.kind !== "mail") throw new Error(reading.content.kind);
  return reading.content.mail;
}

// SNS

const signedNames = ["Message", "MessageId", "SubscribeURL", "Subject", "Timestamp", "Token", "TopicArn", "Type"];

/** Signs what SNS would post, with the key of the certificate in the vectors. */
export function signSns(fields: SnsFields): SnsFields {
  const isNotification = fields.Type === "Notification";
  const left = isNotification ? ["SubscribeURL", "Token"] : ["Subject"];
  const names = signedNames.filter((name) => fields[name] !== undefined && !left.includes(name));
  const text = names.map((name) => `${name}\n${fields[name]}\n`).join("");
  const algorithm = fields.SignatureVersion === "2" ? "RSA-SHA256" : "RSA-SHA1";
  const signature = createSign(algorithm).update(text).sign(createPrivateKey(vectors.key), "base64");
  return { ...fields, Signature: signature };
}

export const rawMessage =
  "Received: from mail.sender.example by mx.receiver.example; Sat, 21 Nov 2026 05:59:00 +0000\r\nFrom: ann@sender.example\r\nTo: seed@seed.example\r\nSubject: Grüße\r\nMessage-ID: <one@sender.example>\r\n\r\nHi.\r\n";

export function toSesMail(content: string, encoding: "BASE64" | "UTF8", id = "44b80b92-fdea"): SnsFields {
  const verdict = (status: string) => ({ status });
  const message = {
    notificationType: "Received",
    receipt: {
      timestamp: "2026-11-21T05:59:10.000Z",
      processingTimeMillis: 222,
      recipients: ["seed+ci@seed.example"],
      spamVerdict: verdict("PASS"),
      virusVerdict: verdict("PASS"),
      spfVerdict: verdict("PASS"),
      dkimVerdict: verdict("GRAY"),
      dmarcVerdict: verdict("FAIL"),
      action: { type: "SNS", topicArn, encoding },
    },
    mail: {
      timestamp: "2026-11-21T05:59:00.000Z",
      source: "bounce@sender.example",
      messageId: "d6iitobk75ur44p8kdnnp7g2n800",
      destination: ["seed@seed.example"],
    },
    content,
  };
  const { Message: _, Subject: __, ...fields } = vectors.version1;
  return signSns({ ...fields, MessageId: id, Message: JSON.stringify(message) });
}

// SendGrid

const sendgridKeys = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
export const sendgridKey = sendgridKeys.publicKey.export({ format: "der", type: "spki" }).toString("base64");

export function signSendgrid(body: string | Buffer, timestamp = nowSeconds): Record<string, string> {
  const signed = Buffer.concat([Buffer.from(timestamp), Buffer.from(body)]);
  return {
    "x-twilio-email-event-webhook-signature": sign("sha256", signed, sendgridKeys.privateKey).toString("base64"),
    "x-twilio-email-event-webhook-timestamp": timestamp,
  };
}

export const sendgridEvents = [
  {
    email: "example@test.com",
    timestamp: 1_795_240_700,
    "smtp-id": "<one@sender.example>",
    event: "bounce",
    category: ["cat facts"],
    sg_event_id: "6g4ZI7SA-xmRDv57GoPIPw==",
    sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
    reason: "550 5.1.1 The email account that you tried to reach does not exist",
    status: "5.1.1",
    type: "bounce",
  },
  { email: "b@test.com", timestamp: 1_795_240_701, event: "spamreport", sg_event_id: "37nvH5QBz858KGVYCM4uOA==" },
  {
    email: "c@test.com",
    timestamp: 1_795_240_702,
    event: "delivered",
    sg_event_id: "ZGVsaXZlcmVkLTA",
    response: "250 OK",
  },
  { email: "d@test.com", timestamp: 1_795_240_703, event: "open", sg_event_id: "FOTFFO0ecsBE-zxFXfs6WA==" },
  { email: "e@test.com", timestamp: 1_795_240_704, event: "deferred", sg_event_id: "t7LEShmowp86DTdUW8M-GQ==" },
  {
    email: "f@test.com",
    timestamp: 1_795_240_705,
    event: "dropped",
    reason: "Bounced Address",
    sg_event_id: "zmzJhfJgAfUSOW80yEbPyw==",
  },
];

export function toMultipart(fields: Readonly<Record<string, string>>, boundary = "xYzZY"): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return Buffer.from(`${parts.join("")}--${boundary}--\r\n`);
}

export const multipartType = "multipart/form-data; boundary=xYzZY";

export const sendgridMail = {
  email: rawMessage,
  to: "seed@seed.example",
  dkim: "{@sender.example : pass}",
  SPF: "pass",
  envelope: '{"to":["seed+ci@seed.example"],"from":"bounce@sender.example"}',
  sender_ip: "192.0.2.10",
  charsets: '{"to":"UTF-8"}',
  subject: "Hi",
};

// Mailgun

export function signMailgun(token: string, timestamp = nowSeconds) {
  const signature = createHmac("sha256", vectors.mailgun.key)
    .update(timestamp + token)
    .digest("hex");
  return { timestamp, token, signature };
}

export const mailgunFailed = {
  id: "G9Bn5sl1TC6nu79C8C0bwg",
  timestamp: 1_795_240_700.8,
  "log-level": "error",
  event: "failed",
  severity: "permanent",
  reason: "bounce",
  "delivery-status": {
    "attempt-no": 1,
    message: "5.1.1 No such user",
    code: 550,
    description: "",
    "session-seconds": 0,
  },
  flags: { "is-routed": false, "is-authenticated": true, "is-test-mode": false },
  envelope: {
    sender: "bob@mg.example.com",
    transport: "smtp",
    targets: "alice@example.com",
    "sending-ip": "198.51.100.7",
  },
  message: {
    headers: {
      to: "Alice <alice@example.com>",
      "message-id": "one@sender.example",
      from: "Bob <bob@example.com>",
      subject: "Test",
    },
    attachments: [],
    size: 111,
  },
  recipient: "alice@example.com",
};

// Postmark

export const postmarkBounce = {
  RecordType: "Bounce",
  MessageStream: "outbound",
  ID: 4323372036854775807n.toString(),
  Type: "HardBounce",
  TypeCode: 1,
  Name: "Hard bounce",
  Tag: "Test",
  MessageID: "883953f4-6105-42a2-a16a-77a8eac79483",
  ServerID: 23,
  Description: "The server was unable to deliver your message (ex: unknown user, mailbox not found).",
  Details: "smtp;550 5.1.1 The email account that you tried to reach does not exist.",
  Email: "john@example.com",
  From: "sender@example.com",
  BouncedAt: "2026-11-21T05:59:00.9070259Z",
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: "Test subject",
};

export const postmarkMail = {
  FromName: "Ann",
  MessageStream: "inbound",
  From: "ann@sender.example",
  ToFull: [{ Email: "hash+ci@inbound.postmarkapp.com", Name: "", MailboxHash: "ci" }],
  OriginalRecipient: "hash+ci@inbound.postmarkapp.com",
  Subject: "Hi",
  MessageID: "73e6d360-66eb-11e1-8e72-a8904824019b",
  TextBody: "Hi.",
  Headers: [],
  Attachments: [],
  RawEmail: rawMessage,
};

// Mailjet

export const mailjetBounce = {
  event: "bounce",
  time: 1_795_240_700,
  MessageID: 13_792_286_917_004_336,
  Message_GUID: "1ab23cd4-e567-8901-2345-6789f0gh1i2j",
  email: "bounce@mailjet.com",
  mj_campaign_id: 0,
  customcampaign: "",
  CustomID: "helloworld",
  Payload: "",
  blocked: false,
  hard_bounce: true,
  error_related_to: "recipient",
  error: "user unknown",
  comment: "Host or domain name not found. Name service error for name=lbjsnrftlsiuvbsren.com type=A: Host not found",
};

export const feedbackSamples: Readonly<Record<FeedbackProvider, unknown>> = {
  ses: vectors.version1,
  sendgrid: sendgridEvents,
  mailgun: { signature: vectors.mailgun, "event-data": mailgunFailed },
  postmark: postmarkBounce,
  mailjet: mailjetBounce,
};
