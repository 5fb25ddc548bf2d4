import { describe, expect, test } from "vitest";
import { readCloudflare } from "../../../../src/features/hooks/rules/cloudflare.ts";
import { readMailgun } from "../../../../src/features/hooks/rules/mailgun.ts";
import { readPublicKey, readSendgrid } from "../../../../src/features/hooks/rules/sendgrid.ts";
import { readSes } from "../../../../src/features/hooks/rules/ses.ts";
import { isCertificateUrl, isTopicArn, toConfirmationUrl } from "../../../../src/features/hooks/rules/sns.ts";
import {
  mailgunFailed,
  nowMs,
  type SnsFields,
  sendgridEvents,
  sendgridKey,
  signMailgun,
  signSendgrid,
  signSns,
  toCall,
  topicArn,
  vectors,
} from "./calls.ts";

const hourMs = 3_600_000;

describe("SNS signatures", () => {
  const asked: string[] = [];
  const read = (fields: SnsFields | string, given: { nowMs?: number; topicArn?: string | null } = {}) =>
    readSes(toCall({ body: fields, topicArn, ...given }), async (url) => {
      asked.push(url);
      return vectors.certificate;
    });

  test("SNS signatures are accepted from OpenSSL in both versions", async () => {
    for (const message of [vectors.version1, vectors.version2])
      expect(await read(message)).toMatchObject({ ok: true, isSigned: true, requestId: message.MessageId });
  });

  test("SNS signatures are rejected if any signed field is changed, added, or missing", async () => {
    for (const name of ["Message", "MessageId", "Subject", "Timestamp"]) {
      const altered = { ...vectors.version1, [name]: vectors.version1[name]?.replace(/[3A]/, "4") ?? "" };
      const { [name]: _, ...without } = vectors.version1;
      expect(await read(altered), name).toMatchObject({ ok: false });
      expect(await read(without as SnsFields), name).toMatchObject({ ok: false });
    }
    expect(await read({ ...vectors.version2, Subject: "x" })).toEqual({ ok: false, problem: "bad_signature" });
    const { version1: first, version2: second } = vectors;
    const swapped = { ...first, Signature: second.Signature ?? "" };
    expect(await read(swapped)).toEqual({ ok: false, problem: "bad_signature" });
    expect(await read({ ...first, SignatureVersion: "2" })).toEqual({ ok: false, problem: "bad_signature" });
    expect(await read({ ...first, SignatureVersion: "3" })).toEqual({ ok: false, problem: "unreadable" });
  });

  test("SNS signatures are rejected for another topic, without fetching a certificate", async () => {
    asked.length = 0;
    const foreign = signSns({ ...vectors.version1, TopicArn: `${topicArn}-2` });
    expect(await read(foreign)).toEqual({ ok: false, problem: "wrong_topic" });
    expect(await read(vectors.version1, { topicArn: null })).toEqual({ ok: false, problem: "no_key" });
    expect(asked).toEqual([]);
  });

  test("SNS signatures are rejected for old messages and those from the future", async () => {
    expect(await read(vectors.version1, { nowMs: nowMs + hourMs })).toMatchObject({ ok: true });
    for (const at of [nowMs + 2 * hourMs, nowMs - hourMs])
      expect(await read(vectors.version1, { nowMs: at })).toEqual({ ok: false, problem: "too_old" });
    const undated = signSns({ ...vectors.version1, Timestamp: "yesterday" });
    expect(await read(undated)).toEqual({ ok: false, problem: "too_old" });
  });

  test("SNS signatures need a certificate from an SNS host", async () => {
    asked.length = 0;
    const bad = [
      "https://sns.us-east-1.amazonaws.com.evil.example/SimpleNotificationService-a.pem",
      "https://sns.us-east-1.amazonaws.com@evil.example/SimpleNotificationService-a.pem",
      "https://evil.example/?https://sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem",
      "http://sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem",
      "https://sns.us-east-1.amazonaws.com:8443/SimpleNotificationService-a.pem",
      "https://sns.us-east-1.amazonaws.com/a/../SimpleNotificationService-a.pem",
      "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem?x=1",
      "https://my-bucket.s3.amazonaws.com/SimpleNotificationService-a.pem",
      "https://sns.amazonaws.com/SimpleNotificationService-a.pem",
      "https://127.0.0.1/SimpleNotificationService-a.pem",
      "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-a.pem\n",
      "file:///etc/passwd",
      "",
    ];
    for (const url of bad) {
      expect(isCertificateUrl(url), url).toBe(false);
      const message = signSns({ ...vectors.version1, SigningCertURL: url });
      expect(await read(message), url).toEqual({ ok: false, problem: "bad_signature" });
    }
    expect(asked).toEqual([]);
    expect(isCertificateUrl("https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-0f.pem")).toBe(true);
  });

  test("SNS signatures are rejected with another certificate or none", async () => {
    const call = toCall({ body: vectors.version1, topicArn });
    const other = vectors.certificate.replace(/[A-Z]{3}/, "AAA");
    for (const pem of [other, "", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"])
      expect(await readSes(call, async () => pem)).toEqual({ ok: false, problem: "bad_signature" });
    expect(await readSes(call, async () => null)).toEqual({ ok: false, problem: "no_certificate" });
    const late = toCall({ body: vectors.version1, topicArn, nowMs: Date.parse("2050-01-01T00:00:00Z") });
    expect(await readSes(late, async () => vectors.certificate)).toMatchObject({ ok: false });
  });

  test("SNS signatures confirm in the topic's own region, whatever SubscribeURL says", async () => {
    const forged = signSns({ ...vectors.confirmation, SubscribeURL: "https://evil.example/" });
    for (const message of [vectors.confirmation, forged]) {
      const reading = await read(message);
      const url =
        "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn%3Aaws%3Asns%3Aus-east-1%3A123456789012%3Ases-feedback&Token=2336412f37f&Version=2010-03-31";
      expect(reading).toMatchObject({ ok: true, content: { kind: "confirmation", url } });
    }
    const strange = "../../@evil.example/?a=b&Action=DeleteTopic#";
    expect(new URL(toConfirmationUrl(topicArn, strange))).toMatchObject({
      host: "sns.us-east-1.amazonaws.com",
      pathname: "/",
      hash: "",
    });
    expect(await read({ ...vectors.confirmation, Token: "other" })).toEqual({ ok: false, problem: "bad_signature" });
  });

  test("SNS signatures belong to a valid topic ARN", () => {
    expect(isTopicArn(topicArn)).toBe(true);
    expect(isTopicArn("arn:aws-cn:sns:cn-north-1:123456789012:a.fifo")).toBe(true);
    for (const text of [
      "",
      "arn:aws:sqs:us-east-1:123456789012:a",
      "arn:aws:sns:us/east:123456789012:a",
      `${topicArn} `,
    ])
      expect(isTopicArn(text), text).toBe(false);
  });
});

describe("SendGrid signatures", () => {
  // Published with SendGrid's own library (sendgrid-nodejs, packages/eventwebhook).
  const published = {
    key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==",
    signature: "MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=",
    timestamp: "1588788367",
    payload: '{"category":"example_payload","event":"test_event","message_id":"message_id"}',
  };
  const readPublished = (changed: Partial<typeof published>) => {
    const { key, signature, timestamp, payload } = { ...published, ...changed };
    const headers = {
      "x-twilio-email-event-webhook-signature": signature,
      "x-twilio-email-event-webhook-timestamp": timestamp,
    };
    const at = Number(published.timestamp) * 1_000;
    return readSendgrid(toCall({ body: payload, headers, signingKey: key, nowMs: at }));
  };

  test("SendGrid signatures match the published example, and fail with any part changed", () => {
    // The published payload is no list of events, which is only seen after its signature.
    expect(readPublished({})).toEqual({ ok: false, problem: "unreadable" });
    for (const changed of [
      { key: sendgridKey },
      { payload: `${published.payload} ` },
      { signature: published.signature.replace("H2j", "H3j") },
      { signature: "" },
      { signature: "not base64" },
      { timestamp: "1588788368" },
    ])
      expect(readPublished(changed), JSON.stringify(changed)).toEqual({ ok: false, problem: "bad_signature" });
  });

  test("SendGrid signatures are rejected without a key, without a signature, and too late", () => {
    const body = JSON.stringify(sendgridEvents);
    const call = { body, headers: signSendgrid(body), signingKey: sendgridKey };
    expect(readSendgrid(toCall(call))).toMatchObject({ ok: true, isSigned: true });
    expect(readSendgrid(toCall({ ...call, signingKey: null }))).toEqual({ ok: false, problem: "no_key" });
    expect(readSendgrid(toCall({ ...call, headers: {} }))).toEqual({ ok: false, problem: "no_signature" });
    for (const at of [nowMs + 26 * hourMs, nowMs - hourMs])
      expect(readSendgrid(toCall({ ...call, nowMs: at }))).toEqual({ ok: false, problem: "too_old" });
    expect(readSendgrid(toCall({ ...call, nowMs: nowMs + 24 * hourMs }))).toMatchObject({ ok: true });
  });

  test("SendGrid signatures need a P-256 key", () => {
    expect(readPublicKey(sendgridKey)).toBeDefined();
    expect(readPublicKey(`-----BEGIN PUBLIC KEY-----\n${sendgridKey}\n-----END PUBLIC KEY-----\n`)).toBeDefined();
    for (const text of ["", "x", vectors.certificate, vectors.key]) expect(readPublicKey(text)).toBeUndefined();
  });
});

describe("Mailgun signatures", () => {
  const { key, ...signature } = vectors.mailgun;
  const read = (changed: object, given: { nowMs?: number; signingKey?: string | null } = {}) =>
    readMailgun(
      toCall({
        body: { signature: { ...signature, ...changed }, "event-data": mailgunFailed },
        signingKey: key,
        ...given,
      }),
    );

  test("Mailgun signatures are accepted from OpenSSL, and rejected if changed, late, or made with another key", () => {
    expect(read({})).toMatchObject({ ok: true, isSigned: true, requestId: signature.token });
    for (const changed of [
      { token: `${signature.token}0` },
      { timestamp: String(Number(signature.timestamp) + 1) },
      { signature: signature.signature.replace(/^./, "0") },
      { signature: signature.signature.slice(1) },
    ])
      expect(read(changed), JSON.stringify(changed)).toEqual({ ok: false, problem: "bad_signature" });
    expect(read({}, { signingKey: "other" })).toEqual({ ok: false, problem: "bad_signature" });
    expect(read({}, { signingKey: null })).toEqual({ ok: false, problem: "no_key" });
    expect(read({ signature: undefined })).toEqual({ ok: false, problem: "no_signature" });
    expect(read({}, { nowMs: nowMs + 10 * hourMs })).toEqual({ ok: false, problem: "too_old" });
    expect(read({}, { nowMs: nowMs - hourMs })).toEqual({ ok: false, problem: "too_old" });
  });

  test("Mailgun signatures of the main account are accepted for a subaccount's event", () => {
    const parent = { "parent-signature": signature.signature, signature: "0".repeat(64) };
    expect(read(parent)).toMatchObject({ ok: true });
    const numeric = signMailgun("t");
    const body = { signature: { ...numeric, timestamp: Number(numeric.timestamp) }, "event-data": mailgunFailed };
    expect(readMailgun(toCall({ body, signingKey: key }))).toMatchObject({ ok: true });
  });
});

describe("Cloudflare Worker signatures", () => {
  const { secret, id, timestamp, body, signature } = vectors.cloudflare;
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  const type = "application/octet-stream";
  const read = (changed: Partial<Parameters<typeof toCall>[0]>) =>
    readCloudflare(toCall({ purpose: "mail", contentType: type, body, headers, signingKey: secret, ...changed }));

  test("Cloudflare Worker signatures are accepted from OpenSSL, and rejected if changed, late, or made with another key", () => {
    expect(read({})).toMatchObject({ ok: true, isSigned: true, requestId: "msg_1" });
    expect(read({ headers: { ...headers, "webhook-signature": `v1,xxx ${signature}` } })).toMatchObject({ ok: true });
    for (const changed of [
      { body: body.replace("seed+ci", "seed+cd") },
      { body: body.replace("Hi.", "Ho.") },
      { headers: { ...headers, "webhook-id": "msg_2" } },
      { headers: { ...headers, "webhook-timestamp": String(Number(timestamp) + 1) } },
      { headers: { ...headers, "webhook-signature": signature.slice(3) } },
      { signingKey: `whsec_${Buffer.from("other").toString("base64")}` },
    ])
      expect(read(changed), JSON.stringify(changed)).toEqual({ ok: false, problem: "bad_signature" });
    expect(read({ headers: {} })).toEqual({ ok: false, problem: "no_signature" });
    expect(read({ signingKey: null })).toEqual({ ok: false, problem: "no_key" });
    expect(read({ nowMs: nowMs + hourMs })).toEqual({ ok: false, problem: "too_old" });
    expect(read({ contentType: "text/plain" })).toEqual({ ok: false, problem: "wrong_type" });
  });
});
