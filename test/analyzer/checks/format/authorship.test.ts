import { fromHeader } from "../../../../src/analyzer/checks/format/from-header.ts";
import { singleHeaders } from "../../../../src/analyzer/checks/format/single-headers.ts";
import { subjectHeader } from "../../../../src/analyzer/checks/format/subject-header.ts";
import { threadHeaders } from "../../../../src/analyzer/checks/format/thread-headers.ts";
import { toHeader } from "../../../../src/analyzer/checks/format/to-header.ts";
import { multipart, ordinaryHead, part } from "../../mail/letter.ts";
import { testCheck } from "../test-check.ts";
import { dmarcResult, given, instead, session } from "./given.ts";

const ambiguous = "A From header is hidden inside another header line, and some email clients show it.";

testCheck(fromHeader, [
  { when: "one author", facts: instead(""), says: "From has one address, ann@sender.example." },
  {
    when: "no From header",
    facts: instead("from", "Reply-To: Shop <info@shop.example>"),
    finds: ["missing"],
    says: "The message has no From address.",
    fix: "Add `From: Your name <info@shop.example>`.",
  },
  { when: "an empty From", facts: instead("from", "From: "), finds: ["missing"] },
  {
    when: "two From headers",
    facts: instead("from", "From: a@x.example", "From: B <b@y.example>"),
    finds: ["several-headers"],
    says: "The message has 2 From headers (a@x.example and B <b@y.example>).",
  },
  {
    when: "a From header for each of seven authors",
    facts: instead("from", ...["a", "b", "c", "d", "e", "f", "g"].map((name) => `From: ${name}@x.example`)),
    finds: ["several-headers"],
    says: "The message has 7 From headers (a@x.example, b@x.example, c@x.example, d@x.example, and 3 more).",
  },
  { when: "Resent-From beside From", facts: instead("", "Resent-From: c@z.example") },
  {
    when: "two addresses",
    facts: instead("from", "From: a@x.example, b@y.example"),
    finds: ["several-addresses"],
    says: "From has 2 addresses. Gmail rejects such mail, and DMARC cannot evaluate it.",
  },
  { when: "a comma in a quoted name", facts: instead("from", 'From: "Shop, Inc." <a@x.example>') },
  {
    when: "a comma outside quotes",
    facts: instead("from", "From: Shop, Inc. <a@x.example>"),
    finds: ["invalid"],
    says: 'The From header is invalid: "Shop, Inc. <a@x.example>".',
    fix: 'Use `From: "Shop, Inc." <a@x.example>`.',
  },
  {
    when: "a name without an address",
    facts: instead("from", "From: Shop"),
    finds: ["invalid"],
    fix: 'Use `From: "Shop" <you@your-domain.example>`.',
  },
  { when: "an empty group", facts: instead("from", "From: nobody:;"), finds: ["invalid"] },
  {
    when: "an encoded word inside the address",
    facts: instead("from", "From: Shop <=?utf-8?Q?a?=@x.example>"),
    finds: ["invalid"],
  },
  { when: "a domain with a space", facts: instead("from", "From: <a@x example>"), finds: ["invalid"] },
  {
    when: "an author that DMARC cannot tell for certain",
    facts: { ...instead(""), dmarcResult: dmarcResult({ result: "none", fromDomain: null, says: ambiguous }) },
    finds: ["ambiguous"],
    says: `${ambiguous} Receivers may see different authors, so DMARC can fail for any of them.`,
    fix: 'Send one `From: "Ann" <ann@sender.example>`, and no other header that looks like it.',
  },
  {
    when: "an author beside whom programs may read another",
    facts: { ...instead(""), dmarcResult: dmarcResult({ ambiguity: ambiguous }) },
    finds: ["ambiguous"],
  },
  {
    when: "an author at an address without a name",
    facts: {
      ...instead("from", "From: Postmaster <postmaster@192.0.2.1>"),
      dmarcResult: dmarcResult({
        result: "none",
        fromDomain: null,
        says: "The text after the @ is not a valid domain name.",
      }),
    },
    finds: ["ambiguous"],
    fix: 'Send one `From: "Postmaster" <you@your-domain.example>`, and no other header that looks like it.',
  },
  {
    when: "an address that an archive hid from harvesters",
    facts: instead("from", "From: ann at x.example (Ann Lee)"),
    finds: ["invalid"],
    fix: 'Use `From: "Ann Lee" <you@your-domain.example>`.',
  },
  { when: "an author that DMARC judges", facts: { ...instead(""), dmarcResult: dmarcResult({}) } },
  {
    when: "fields beyond what was read, and no From among them",
    facts: given("X: 1\r\n".repeat(10_001), ...ordinaryHead, "", "x"),
    outcome: "skipped",
  },
]);

testCheck(subjectHeader, [
  { when: "a word", facts: instead(""), says: "The message has one subject, which is 5 characters long." },
  { when: "no Subject", facts: instead("subject"), finds: ["missing"] },
  { when: "a blank Subject", facts: instead("subject", "Subject:  "), finds: ["missing"] },
  { when: "an encoded word of nothing", facts: instead("subject", "Subject: =?utf-8?Q?_?="), finds: ["missing"] },
  {
    when: "two Subjects",
    facts: instead("subject", "Subject: a", "Subject: b"),
    finds: ["repeated"],
    says: "The message has 2 Subject headers.",
  },
  {
    when: "240 characters",
    facts: instead("subject", `Subject: ${"ab c".repeat(60)}`),
    finds: ["very-long"],
    says: "The subject is 240 characters long.",
  },
  { when: "90 characters", facts: instead("subject", `Subject: ${"ab c".repeat(22)}ab`) },
  {
    when: "190 characters that take three bytes each",
    facts: instead("subject", `Subject: ${"=?utf-8?B?5pel5pel5pel?= ".repeat(63)}`),
  },
]);

testCheck(toHeader, [
  { when: "one To", facts: instead("") },
  {
    when: "no recipient in any header",
    facts: { ...instead("to"), session: session() },
    finds: ["missing"],
    fix: "Add a To header with the recipient's address: `To: bob@receiver.example`.",
  },
  {
    when: "no recipient, and nobody knows whom it was for",
    facts: instead("to"),
    finds: ["missing"],
    fix: "Add a To header with the recipient's address.",
  },
  { when: "an empty To", facts: instead("to", "To:"), finds: ["missing"] },
  { when: "a group of nobody", facts: instead("to", "To: undisclosed-recipients:;") },
  { when: "Cc alone", facts: instead("to", "Cc: c@x.example") },
  { when: "two To", facts: instead("", "TO: c@x.example"), finds: ["repeated"], says: "The message has 2 TO headers." },
  {
    when: "two To and two Cc",
    facts: instead("", "To: c@x.example", "Cc: d@x.example", "Cc: e@x.example"),
    finds: ["repeated", "repeated"],
  },
  { when: "To and Cc", facts: instead("", "Cc: c@x.example") },
  {
    when: "a Bcc of two",
    facts: instead("", "Bcc: c@x.example, d@x.example"),
    finds: ["bcc-shown"],
    says: "The Bcc header was sent and reveals hidden recipients (2 in total).",
  },
  { when: "an empty Bcc", facts: instead("", "Bcc:") },
]);

testCheck(singleHeaders, [
  { when: "each once", facts: instead("", "Reply-To: a@x.example", "References: <1@x.example>") },
  {
    when: "two Reply-To",
    facts: instead("", "Reply-To: a@x.example", "reply-to: b@x.example"),
    finds: ["repeated"],
    says: "The Reply-To header appears 2 times.",
  },
  {
    when: "three Sender and two Content-Type",
    facts: instead(
      "",
      ...Array<string>(3).fill("Sender: a@x.example"),
      ...Array<string>(2).fill("Content-Type: text/plain"),
    ),
    finds: ["repeated", "repeated"],
    says: "The Sender header appears 3 times.",
  },
  { when: "several Received", facts: instead("", "Received: a", "Received: b") },
  { when: "two Subjects, which have a check of their own", facts: instead("", "Subject: a") },
  {
    when: "a part with two types",
    facts: given(
      ...ordinaryHead,
      multipart("mixed", "b", part(["Content-Type: text/plain", "Content-Type: text/html"], "x")),
    ),
    finds: ["repeated-in-part"],
    says: "Part 1 has more than one Content-Type header, so email clients may read it differently.",
  },
]);

testCheck(threadHeaders, [
  {
    when: "the parent's id",
    facts: instead("", "In-Reply-To: <1@x.example>", "References: <0@x.example>\r\n <1@x.example>"),
  },
  { when: "no reply", facts: instead(""), outcome: "not-applicable" },
  {
    when: "a phrase",
    facts: instead("", "In-Reply-To: Your message of Friday"),
    finds: ["malformed"],
    says: 'The In-Reply-To header has no valid message ID: "Your message of Friday".',
  },
  { when: "a phrase before the id", facts: instead("", "In-Reply-To: Your message of Friday <1@x.example>") },
  {
    when: "ids without hosts",
    facts: instead("", "In-Reply-To: <1@x.example>", "References: <1> <2>"),
    finds: ["malformed"],
  },
]);
