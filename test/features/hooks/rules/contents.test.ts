import { describe, expect, test } from "vitest";
import { readCloudflare } from "../../../../src/features/hooks/rules/cloudflare.ts";
import { bytesOf, type Form, readForm } from "../../../../src/features/hooks/rules/form.ts";
import { type HookReading, toDomain } from "../../../../src/features/hooks/rules/hook.ts";
import { readMailgun } from "../../../../src/features/hooks/rules/mailgun.ts";
import { readMailjet } from "../../../../src/features/hooks/rules/mailjet.ts";
import { readPostmark } from "../../../../src/features/hooks/rules/postmark.ts";
import { readSendgrid } from "../../../../src/features/hooks/rules/sendgrid.ts";
import { readSes } from "../../../../src/features/hooks/rules/ses.ts";
import {
  eventsOf,
  mailgunFailed,
  mailjetBounce,
  mailOf,
  multipartType,
  postmarkBounce,
  postmarkMail,
  rawMessage,
  type SnsFields,
  sendgridEvents,
  sendgridKey,
  sendgridMail,
  signMailgun,
  signSendgrid,
  signSns,
  toCall,
  toMultipart,
  topicArn,
  toSesMail,
  vectors,
} from "./calls.ts";

const fetchCertificate = async () => vectors.certificate;
const ses = (body: SnsFields, purpose: "feedback" | "mail" = "feedback") =>
  readSes(toCall({ body, topicArn, purpose }), fetchCertificate);
const sesEvent = (message: object) => ses(signSns({ ...vectors.version1, Message: JSON.stringify(message) }));
const sendgrid = (list: unknown) => {
  const body = JSON.stringify(list);
  return readSendgrid(toCall({ body, headers: signSendgrid(body), signingKey: sendgridKey }));
};
const mailgun = (changed: object) =>
  readMailgun(
    toCall({
      body: { signature: signMailgun("t"), "event-data": { ...mailgunFailed, ...changed } },
      signingKey: vectors.mailgun.key,
    }),
  );
const postmark = (changed: object) => readPostmark(toCall({ body: { ...postmarkBounce, ...changed } }));
const mailjet = (changed: object) => readMailjet(toCall({ body: { ...mailjetBounce, ...changed } }));
const recipientOf = (reading: HookReading) => eventsOf(reading)[0]?.notice?.recipients[0];

describe("feedback events", () => {
  test("feedback events from SES include a bounce, a complaint, and a delivery, but no other events", async () => {
    expect(eventsOf(await ses(vectors.version1))).toMatchObject([
      {
        id: "bounce 00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000",
        kind: "bounce",
        count: 1,
        domain: "example.com",
        at: Date.parse("2026-11-21T05:59:00Z"),
        notice: {
          originalMessageId: "custom-message-ID",
          recipients: [{ address: "jane@example.com", status: "5.1.1", class: "user_unknown", hard: true }],
        },
      },
    ]);
    const mail = { source: "john@example.com", messageId: "m", commonHeaders: { messageId: "<a@b>" } };
    const complaint = {
      feedbackId: "f",
      complainedRecipients: [{ emailAddress: "r@example.com" }, { emailAddress: "s@example.com" }],
      complaintFeedbackType: "abuse",
    };
    expect(eventsOf(await sesEvent({ eventType: "Complaint", complaint, mail }))).toMatchObject([
      { id: "complaint f", kind: "complaint", count: 1, notice: { feedbackType: "abuse", originalMessageId: "a@b" } },
    ]);
    const delivery = { recipients: ["a@example.com", "b@example.com"], timestamp: "2026-11-21T05:59:00.000Z" };
    expect(eventsOf(await sesEvent({ notificationType: "Delivery", delivery, mail }))).toMatchObject([
      { kind: "delivered", count: 2, domain: "example.com", notice: null },
    ]);
    expect(eventsOf(await sesEvent({ eventType: "Open", mail }))).toEqual([]);
    // The envelope's sender may be at another domain than From, which is what DMARC and its reports are about.
    const returned = { ...mail, source: "bounce+1@mail.service.example" };
    const domainOf = async (from: unknown) =>
      eventsOf(await sesEvent({ eventType: "Complaint", complaint, mail: { ...returned, commonHeaders: { from } } }))[0]
        ?.domain;
    expect(await domainOf(['"Doe, John" <john@example.com>', "b@other.example"])).toBe("example.com");
    for (const absent of [undefined, [], [5], ["nobody"], "john@example.com", { 0: "a@b.example" }])
      expect(await domainOf(absent)).toBe("mail.service.example");
    const plain = signSns({ ...vectors.version1, Message: "Successfully validated SNS topic." });
    expect(eventsOf(await ses(plain))).toEqual([]);
  });

  test("feedback events from SendGrid include bounces, spam reports, and deliveries, but no opens, deferrals, or drops", () => {
    const reading = sendgrid(sendgridEvents);
    expect(reading).toMatchObject({ content: { ignored: 3 } });
    expect(eventsOf(reading)).toMatchObject([
      {
        id: "6g4ZI7SA-xmRDv57GoPIPw==",
        kind: "bounce",
        at: 1_795_240_700_000,
        notice: {
          originalMessageId: "one@sender.example",
          recipients: [{ address: "example@test.com", status: "5.1.1", class: "user_unknown", hard: true }],
        },
      },
      { kind: "complaint", notice: { feedbackType: "abuse", recipients: [{ address: "b@test.com" }] } },
      { kind: "delivered", notice: null },
    ]);
    const blocked = { ...sendgridEvents[0], type: "blocked", status: "", reason: "550 blocked using spamhaus" };
    expect(recipientOf(sendgrid([blocked]))).toMatchObject({ class: "reputation", hard: false });
  });

  test("feedback events from Mailgun include permanent failures, but no temporary or suppressed ones", () => {
    expect(eventsOf(mailgun({}))).toMatchObject([
      {
        id: "bounce G9Bn5sl1TC6nu79C8C0bwg",
        kind: "bounce",
        domain: "example.com",
        notice: {
          originalMessageId: "one@sender.example",
          sourceIp: "198.51.100.7",
          recipients: [{ address: "alice@example.com", status: "5.1.1", class: "user_unknown", hard: true }],
        },
      },
    ]);
    expect(eventsOf(mailgun({ event: "complained" }))).toMatchObject([{ kind: "complaint" }]);
    expect(eventsOf(mailgun({ event: "delivered" }))).toMatchObject([{ kind: "delivered" }]);
    for (const left of [{ severity: "temporary" }, { reason: "suppress-bounce" }, { event: "opened" }])
      expect(eventsOf(mailgun(left))).toEqual([]);
    const wordless = { "delivery-status": { code: 552, message: "", description: "" } };
    expect(recipientOf(mailgun(wordless))).toMatchObject({ diagnostic: null, class: expect.any(String) });
  });

  test("feedback events from Postmark include bounces by text or else by type, but no automatic replies", () => {
    expect(eventsOf(postmark({}))).toMatchObject([
      {
        kind: "bounce",
        domain: "example.com",
        notice: {
          originalMessageId: "883953f4-6105-42a2-a16a-77a8eac79483@mtasv.net",
          recipients: [{ address: "john@example.com", status: "5.1.1", class: "user_unknown", hard: true }],
        },
      },
    ]);
    const wordless = { Details: "", Description: "" };
    expect(recipientOf(postmark({ Type: "DnsError", ...wordless }))).toMatchObject({ class: "host_unknown" });
    expect(recipientOf(postmark({ Type: "Transient", ...wordless }))).toMatchObject({ action: "delayed", hard: false });
    const complaint = { RecordType: "SpamComplaint", Type: "SpamComplaint" };
    expect(eventsOf(postmark(complaint))).toMatchObject([{ kind: "complaint" }]);
    const delivery = { RecordType: "Delivery", Recipient: "a@b.example", DeliveredAt: "2026-11-21T05:59:00Z" };
    expect(eventsOf(postmark(delivery))).toMatchObject([{ kind: "delivered", domain: null }]);
    for (const left of [{ Type: "AutoResponder" }, { Type: "toString" }, { RecordType: "Open" }])
      expect(eventsOf(postmark(left))).toEqual([]);
  });

  test("feedback events from Mailjet include one event or a list, but no preventive blocks", () => {
    expect(recipientOf(mailjet({}))).toMatchObject({ class: "user_unknown", hard: true });
    expect(recipientOf(mailjet({ error: "quota exceeded", comment: "" }))).toMatchObject({
      class: "mailbox_full",
      hard: false,
    });
    const list = [
      mailjetBounce,
      { ...mailjetBounce, event: "sent" },
      { ...mailjetBounce, event: "spam", source: "JMRPP" },
    ];
    const reading = readMailjet(toCall({ body: [...list, { event: "click" }] }));
    expect(eventsOf(reading).map(({ kind }) => kind)).toEqual(["bounce", "delivered", "complaint"]);
    expect(new Set(eventsOf(reading).map(({ id }) => id)).size).toBe(3);
    expect(reading).toMatchObject({ isSigned: false, content: { ignored: 1 } });
    const prevented = { event: "blocked", error_related_to: "mailjet", error: "preblocked" };
    expect(eventsOf(mailjet(prevented))).toEqual([]);
  });

  test("feedback events with a wrong content type or form are rejected", () => {
    const plain = toCall({ body: mailjetBounce, contentType: "text/plain" });
    for (const read of [readMailjet, readPostmark]) expect(read(plain)).toEqual({ ok: false, problem: "wrong_type" });
    for (const body of ["", "[]", "{}", "null", "7", '"x"', "{", "[[]]"]) {
      expect(readMailjet(toCall({ body })), body).toEqual({ ok: false, problem: "unreadable" });
      expect(readPostmark(toCall({ body })), body).toEqual({ ok: false, problem: "unreadable" });
    }
    expect(sendgrid({})).toEqual({ ok: false, problem: "unreadable" });
    expect(sendgrid(Array.from({ length: 5_001 }, () => ({})))).toEqual({ ok: false, problem: "too_many" });
  });

  test("feedback events have the domain of an address or a name", () => {
    expect(toDomain("Bob <bob@Example.COM>")).toBe("example.com");
    expect(toDomain("bücher.example")).toBe("xn--bcher-kva.example");
    for (const text of ["", "bob", "a@localhost", "a@b..c", `a@${"x".repeat(300)}.com`, "a@ex ample.com", null])
      expect(toDomain(text)).toBeNull();
  });
});

describe("received mail by webhook", () => {
  const raw = Buffer.from(rawMessage);

  test("received mail by webhook from SES has the message in base64 or text, with its envelope and SES's results", async () => {
    for (const [content, encoding] of [
      [raw.toString("base64"), "BASE64"],
      [rawMessage, "UTF8"],
    ] as const) {
      const mail = mailOf(await ses(toSesMail(content, encoding), "mail"));
      expect(mail).toMatchObject({
        raw,
        mailFrom: "bounce@sender.example",
        rcptTo: ["seed+ci@seed.example"],
        clientAddress: null,
        receivedAt: Date.parse("2026-11-21T05:59:00Z"),
        recorded: { spf: "PASS", dkim: "GRAY", dmarc: "FAIL", spam: "PASS", virus: "PASS" },
      });
    }
    // What another action than SNS posts has no content.
    const { content: _, ...without } = JSON.parse(toSesMail("x", "UTF8").Message ?? "");
    const notice = signSns({ ...vectors.version1, Message: JSON.stringify(without) });
    expect(await ses(notice, "mail")).toEqual({ ok: false, problem: "not_raw" });
  });

  test("received mail by webhook from SendGrid has only the raw message of a form, signed or not", () => {
    const body = toMultipart(sendgridMail);
    const call = { purpose: "mail", contentType: multipartType, body } as const;
    const reading = readSendgrid(toCall(call));
    expect(reading).toMatchObject({ ok: true, isSigned: false });
    expect(mailOf(reading)).toMatchObject({
      raw,
      mailFrom: "bounce@sender.example",
      rcptTo: ["seed+ci@seed.example"],
      clientAddress: "192.0.2.10",
      recorded: { spf: "pass", dkim: "@sender.example : pass" },
    });
    const signed = { ...call, signingKey: sendgridKey, headers: signSendgrid(body) };
    expect(readSendgrid(toCall(signed))).toMatchObject({ ok: true, isSigned: true });
    const altered = Buffer.from(body.toString().replace("Hi.", "Ho."));
    expect(readSendgrid(toCall({ ...signed, body: altered }))).toEqual({ ok: false, problem: "bad_signature" });
    expect(readSendgrid(toCall({ ...signed, headers: {} }))).toEqual({ ok: false, problem: "no_signature" });
    const parsed = toMultipart({ headers: "From: a", text: "Hi", envelope: sendgridMail.envelope });
    expect(readSendgrid(toCall({ ...call, body: parsed }))).toEqual({ ok: false, problem: "not_raw" });
    expect(readSendgrid(toCall({ ...call, contentType: "application/json" }))).toMatchObject({ ok: false });
  });

  test("received mail by webhook from Mailgun has the raw message of both form types, with Mailgun's results", () => {
    const marked = `X-Mailgun-Spf: Pass\r\nX-Mailgun-Dkim-Check-Result: Fail\r\n${rawMessage.replace("From:", "X-Mailgun-Sflag: No\r\nFrom:")}`;
    const fields = {
      ...signMailgun("t"),
      recipient: "seed+ci@seed.example",
      sender: "b@sender.example",
      "body-mime": marked,
    };
    const encoded = Buffer.from(new URLSearchParams(fields).toString());
    for (const [contentType, body] of [
      [multipartType, toMultipart(fields)],
      ["application/x-www-form-urlencoded", encoded],
    ] as const) {
      const call = toCall({ purpose: "mail", contentType, body, signingKey: vectors.mailgun.key });
      expect(mailOf(readMailgun(call))).toMatchObject({
        raw: Buffer.from(marked),
        mailFrom: "b@sender.example",
        rcptTo: ["seed+ci@seed.example"],
      });
      // The sender wrote the field below Mailgun's own Received.
      expect(mailOf(readMailgun(call)).recorded).toEqual({ spf: "Pass", dkim: "Fail" });
      const forged = toCall({ purpose: "mail", contentType, body, signingKey: "other" });
      expect(readMailgun(forged)).toEqual({ ok: false, problem: "bad_signature" });
    }
    // An unsigned message is not decoded, which would take as much memory again.
    const { timestamp } = signMailgun("t");
    const form = `signature=00&timestamp=${timestamp}&token=t&${"n".repeat(9_000_000)}=1&body-mime=`;
    const unsigned = {
      ...toCall({ purpose: "mail", contentType: "application/x-www-form-urlencoded", body: "" }),
      body: Buffer.from(form + "%41".repeat(20_000_000)),
      signingKey: vectors.mailgun.key,
    };
    const before = process.memoryUsage().arrayBuffers;
    expect(readMailgun(unsigned)).toEqual({ ok: false, problem: "bad_signature" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
    const parsed = toMultipart({ ...signMailgun("t"), recipient: "a@b.example", "body-plain": "Hi" });
    const call = { purpose: "mail", contentType: multipartType, signingKey: vectors.mailgun.key } as const;
    expect(readMailgun(toCall({ ...call, body: parsed }))).toEqual({ ok: false, problem: "not_raw" });
  });

  test("received mail by webhook from Postmark needs the option RawEmail, which the error names", () => {
    const call = { purpose: "mail", body: postmarkMail } as const;
    expect(mailOf(readPostmark(toCall(call)))).toMatchObject({
      raw,
      mailFrom: null,
      rcptTo: ["hash+ci@inbound.postmarkapp.com"],
    });
    const { RawEmail: _, ...parsed } = postmarkMail;
    expect(readPostmark(toCall({ ...call, body: parsed }))).toEqual({ ok: false, problem: "not_raw" });
  });

  test("received mail by webhook from Cloudflare has the envelope in the first line, followed by the message", () => {
    const { secret, id, timestamp, body, signature } = vectors.cloudflare;
    const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
    const contentType = "application/octet-stream";
    const call = toCall({ purpose: "mail", contentType, body, headers, signingKey: secret });
    expect(mailOf(readCloudflare(call))).toMatchObject({
      mailFrom: "ann@sender.example",
      rcptTo: ["seed+ci@seed.example"],
      raw: Buffer.from("From: ann@sender.example\r\nSubject: Hi\r\n\r\nHi.\r\n"),
    });
  });
});

describe("a form body", () => {
  const toObject = (form: Form | null) =>
    form && Object.fromEntries([...form.keys()].map((name) => [name, textIn(form, name)]));
  const textIn = (form: Form, name: string) => bytesOf(form, name)?.toString("latin1");

  test("a form body keeps every byte of a value", () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const head = Buffer.from('--b\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name="raw"\r\n\r\n');
    const body = Buffer.concat([head, bytes, Buffer.from("\r\n--b--")]);
    const parts = readForm(body, "multipart/form-data; boundary=b") ?? new Map();
    expect(bytesOf(parts, "raw")).toEqual(bytes);
    const encoded = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    const form = readForm(Buffer.from(`raw=${encoded}`), "application/x-www-form-urlencoded");
    expect(bytesOf(form ?? new Map(), "raw")).toEqual(bytes);
  });

  test("a form body treats lines that only start like a delimiter as content, and takes the first of two equal names", () => {
    const body = toMultipart({ a: "1\r\n--xYzZYnot\r\n2", b: "" });
    expect(toObject(readForm(body, multipartType))).toEqual({ a: "1\r\n--xYzZYnot\r\n2", b: "" });
    expect(toObject(readForm(Buffer.from("a=1&a=2&b&=x&c=%zz%4"), "application/x-www-form-urlencoded"))).toEqual({
      a: "1",
      b: "",
      c: "%zz%4",
    });
  });

  test("a form body is rejected if it is truncated, has no boundary, or too many fields", () => {
    const body = toMultipart({ a: "1", b: "2" });
    for (let end = 0; end < body.length - 4; end += 1)
      expect(readForm(body.subarray(0, end), multipartType), String(end)).toBeNull();
    expect(readForm(body, "multipart/form-data")).toBeNull();
    expect(readForm(body, "text/plain")).toBeNull();
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, ""]));
    expect(readForm(toMultipart(many), multipartType)).toBeNull();
    const pairs = Buffer.from("a=1&".repeat(250));
    expect(readForm(pairs, "application/x-www-form-urlencoded")).toBeNull();
  });
});
