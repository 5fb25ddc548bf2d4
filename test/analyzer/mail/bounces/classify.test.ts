import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeFolder, measures, readSamples, shareOf } from "../../../../scripts/measure-bounces.ts";
import { recognise } from "../../../../src/analyzer/mail/bounces/classify.ts";
import type { Notice, Recognised } from "../../../../src/analyzer/mail/reports/mail-class.ts";
import { ordinaryMessages, seeded } from "../ordinary-messages.ts";
import { type NoticeForm, noticeForms } from "./notice-forms.ts";

const envelope = { mailFrom: "", rcptTo: ["ann@shop.example"] };

function told(message: string | Uint8Array, mailFrom = ""): Recognised {
  return recognise(typeof message === "string" ? Buffer.from(message) : message, { ...envelope, mailFrom });
}

function noticeOf(message: string): Notice {
  const recognised = told(message);
  if (!("notice" in recognised)) throw new Error(`It is a ${recognised.kind}.`);
  return recognised.notice;
}

const notices = noticeForms.filter(({ kind }) => kind === "bounce" || kind === "complaint");

test.each(noticeForms)("the bounce $name is recognized", ({ kind, message }: NoticeForm) => {
  expect(told(message).kind).toBe(kind);
});

test.each(notices)("the bounce $name names the failed recipients and the reason", (form: NoticeForm) => {
  const { recipients } = noticeOf(form.message);
  const each = <Value>(value: Value | readonly Value[]) => (Array.isArray(value) ? value : recipients.map(() => value));
  expect(recipients.map(({ address }) => address).filter((address) => address !== null)).toEqual(form.recipients);
  expect(recipients.map((recipient) => recipient.class)).toEqual(each(form.class));
  expect(recipients.map(({ hard }) => hard)).toEqual(each(form.hard));
});

test("a notice is matched to its message by the part that it returns", () => {
  const whole = noticeForms.find(({ name }) => name === "Postfix");
  const quoted = noticeForms.find(({ name }) => name === "qmail, unknown user");
  for (const form of [whole, quoted])
    expect(noticeOf(form?.message ?? "")).toMatchObject({
      originalMessageId: "order-17@shop.example",
      originalAssayId: "asy-17",
    });
});

test("a bounce has the reporting host, the action, the status, and the text", () => {
  const { reportingMta, recipients } = noticeOf(noticeForms.find(({ name }) => name === "Postfix")?.message ?? "");
  expect(reportingMta).toBe("mx.relay.example");
  expect(recipients[0]).toMatchObject({
    action: "failed",
    status: "4.2.2",
    diagnostic: "452 4.2.2 The email account that you tried to reach is over quota",
  });
});

test("a complaint has its type and the source IP", () => {
  const forms = noticeForms.filter(({ kind }) => kind === "complaint").map(({ message }) => noticeOf(message));
  expect(forms.map(({ feedbackType }) => feedbackType)).toEqual([
    "auth-failure",
    "abuse",
    "opt-out",
    "abuse",
    "abuse",
    "auth-failure",
    "abuse",
  ]);
  expect(forms.map(({ sourceIp }) => sourceIp)).toEqual([
    "192.0.2.99",
    "192.0.2.1",
    null,
    null,
    "192.0.2.1",
    "2001:db8::1",
    null,
  ]);
});

test("an Amazon notification mailed as JSON is a bounce", () => {
  const json = JSON.stringify({
    notificationType: "Bounce",
    bounce: {
      bounceType: "Permanent",
      reportingMTA: "dns; a.amazonses.example",
      bouncedRecipients: [
        {
          emailAddress: "bob@dest.example",
          action: "failed",
          status: "5.1.1",
          diagnosticCode: "smtp; 550 5.1.1 user unknown",
        },
      ],
    },
    mail: { messageId: "x1", commonHeaders: { messageId: "<order-17@shop.example>" } },
  });
  const message = `From: AWS Notifications <no-reply@sns.example>\r\nSubject: AWS Notification Message\r\n\r\n${json}\r\n\r\n--\r\nIf you wish to stop\r\n`;
  expect(noticeOf(message)).toMatchObject({
    reportingMta: "a.amazonses.example",
    originalMessageId: "order-17@shop.example",
    recipients: [{ address: "bob@dest.example", class: "user_unknown", hard: true }],
  });
});

test.each([
  ["a line ending", "\r\n"],
  ["a line ending and a space", "\r\n "],
  ["sendmail's mark", "!\r\n "],
])("a notification with JSON wrapped by %s is parsed", (_what, wrap) => {
  const json = JSON.stringify({
    notificationType: "Bounce",
    bounce: { bouncedRecipients: [{ emailAddress: "bob@dest.example", action: "failed", status: "5.1.1" }] },
    mail: { messageId: "x1", commonHeaders: { messageId: "<order-17@shop.example>" } },
  });
  // Not before a space, because then it would be unclear whether the space was there.
  const wrapped = json.replace(/(.{70})/g, `$1${wrap}`);
  const message = `From: AWS Notifications <no-reply@sns.example>\r\nSubject: AWS Notification Message\r\n\r\n${wrapped}\r\n\r\n--\r\nIf you wish to stop\r\n`;
  expect(noticeOf(message)).toMatchObject({
    originalMessageId: "order-17@shop.example",
    recipients: [{ address: "bob@dest.example", class: "user_unknown", hard: true }],
  });
});

test("ordinary messages are never taken for anything but a test", () => {
  const taken = ordinaryMessages(100).filter(({ message, mailFrom }) => told(message, mailFrom).kind !== "test");
  expect(taken.map(({ kind, message }) => `${kind}: ${message.slice(0, 300)}`)).toEqual([]);
});

test("the null reverse-path and Auto-Submitted: auto-generated do not make a message a notice", () => {
  const message =
    "From: a@b.example\r\nSubject: Hello\r\nReturn-Path: <>\r\nAuto-Submitted: auto-generated\r\n\r\nHi.\r\n";
  expect(told(message).kind).toBe("test");
});

test.each([
  ["yes", "auto-reply"],
  ["  No ", "test"],
  ["false", "test"],
  ["0", "test"],
  [" none", "test"],
  ["   ", "test"],
  ["no, thanks", "auto-reply"],
])("a message with X-Autoreply: %j has the kind %s", (value, kind) => {
  expect(told(`From: a@b.example\r\nX-Autoreply: ${value}\r\n\r\nHi.\r\n`).kind).toBe(kind);
});

const samples = join(import.meta.dirname, "../../../../../shared/data/bounces");
const haveSamples = existsSync(join(samples, "expected.json"));
if (!haveSamples) console.warn("Skipped: ../shared/data/bounces is not there.");

test.skipIf(!haveSamples)("the public samples are recognized at the promised rate", () => {
  const judged = judgeFolder(samples, readSamples(samples));
  const promised = { detected: 0.98, recipients: 0.93, hard: 0.93, class: 0.93 };
  for (const measure of measures) {
    const { right, of } = shareOf(judged, measure);
    expect(right / of, measure).toBeGreaterThanOrEqual(promised[measure]);
  }
});

const fuzzRounds = 300;

test("no input makes the recognition throw", () => {
  const random = seeded(7);
  const below = (count: number) => Math.floor(random() * count);
  const pieces = noticeForms.map(({ message }) => Buffer.from(message));
  for (let round = 0; round < fuzzRounds; round++) {
    const bytes = Buffer.from(pieces[below(pieces.length)] ?? Buffer.alloc(0));
    for (let change = below(30); change > 0; change--) bytes[below(bytes.length)] = below(256);
    const other = pieces[below(pieces.length)] ?? bytes;
    const spliced = Buffer.concat([bytes.subarray(0, below(bytes.length)), other.subarray(below(other.length))]);
    for (const message of [bytes, spliced]) expect(() => told(message)).not.toThrow();
  }
});

test.each([
  ["only line feeds", "\n"],
  ["delimiters", "\r\n--b"],
  ["parts", "\r\n--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"],
  ["embedded messages", "Content-Type: message/rfc822\r\n\r\n"],
  ["angle brackets", "<"],
  ["at signs", "a@"],
  ["long words", "x"],
  ["status fields", "Final-Recipient: rfc822; a@b.example\r\nAction: failed\r\n\r\n"],
  ["folded lines", " a\r\n"],
  ["encoded words", "=?utf-8?q?"],
  ["blanks", " "],
  ["digits", "5.1.1 550 "],
])("megabytes of %s are read without delay", (_, unit) => {
  const body = Buffer.alloc(2_500_000, unit);
  const heads = [
    "From: MAILER-DAEMON@b.example\r\nSubject: failure notice\r\n\r\nHi. This is the qmail-send program\r\n",
    "From: MAILER-DAEMON@b.example\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n",
    "From: MAILER-DAEMON@b.example\r\nSubject: ",
    "From: a@b.example\r\nContent-Type: text/html\r\n\r\n<html>",
  ];
  for (const head of heads) expect(told(Buffer.concat([Buffer.from(head), body])).kind).toBeTruthy();
});
