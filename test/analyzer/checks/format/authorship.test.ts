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
  { when: "passes one author", facts: instead(""), says: "From has one address, ann@sender.example." },
  {
    when: "finds a missing From",
    facts: instead("from", "Reply-To: Shop <info@shop.example>"),
    finds: ["missing"],
    says: "The message has no From address.",
    fix: "Add `From: Your name <info@shop.example>`.",
  },
  { when: "finds an empty From", facts: instead("from", "From: "), finds: ["missing"] },
  {
    when: "finds two From headers",
    facts: instead("from", "From: a@x.example", "From: B <b@y.example>"),
    finds: ["several-headers"],
    says: "The message has 2 From headers (a@x.example and B <b@y.example>).",
  },
  {
    when: "finds seven From headers",
    facts: instead("from", ...["a", "b", "c", "d", "e", "f", "g"].map((name) => `From: ${name}@x.example`)),
    finds: ["several-headers"],
    says: "The message has 7 From headers (a@x.example, b@x.example, c@x.example, d@x.example, and 3 more).",
  },
  { when: "passes Resent-From next to From", facts: instead("", "Resent-From: c@z.example") },
  {
    when: "finds two addresses",
    facts: instead("from", "From: a@x.example, b@y.example"),
    finds: ["several-addresses"],
    says: "From has 2 addresses. Gmail rejects such mail, and DMARC cannot evaluate it.",
  },
  {
    when: "counts only addresses, not names before a comma",
    facts: instead("from", "From: Shop, <a@x.example>, Inc., <b@y.example>"),
    finds: ["several-addresses"],
    says: "From has 2 addresses. Gmail rejects such mail, and DMARC cannot evaluate it.",
  },
  { when: "passes a comma in a quoted name", facts: instead("from", 'From: "Shop, Inc." <a@x.example>') },
  {
    when: "finds a comma outside quotes",
    facts: instead("from", "From: Shop, Inc. <a@x.example>"),
    finds: ["invalid"],
    says: 'The From header is invalid: "Shop, Inc. <a@x.example>".',
    fix: 'Use `From: "Shop, Inc." <a@x.example>`.',
  },
  {
    when: "finds a comma after the name, which the fix leaves out",
    facts: instead("from", "From: Shop, <a@x.example>"),
    finds: ["invalid"],
    fix: 'Use `From: "Shop" <a@x.example>`.',
  },
  {
    when: "does not propose the address of another sender for one that cannot be read",
    facts: instead("from", "From: Shop <a@x,example>", "Sender: news@paper.example"),
    finds: ["invalid"],
    fix: 'Use `From: "Shop" <you@your-domain.example>`.',
  },
  {
    when: "finds a name without an address",
    facts: instead("from", "From: Shop"),
    finds: ["invalid"],
    fix: 'Use `From: "Shop" <you@your-domain.example>`.',
  },
  { when: "finds an empty group", facts: instead("from", "From: nobody:;"), finds: ["invalid"] },
  {
    when: "finds an encoded word inside the address",
    facts: instead("from", "From: Shop <=?utf-8?Q?a?=@x.example>"),
    finds: ["invalid"],
  },
  { when: "finds a domain with a space", facts: instead("from", "From: <a@x example>"), finds: ["invalid"] },
  {
    when: "finds an author that DMARC cannot determine",
    facts: { ...instead(""), dmarcResult: dmarcResult({ result: "none", fromDomain: null, says: ambiguous }) },
    finds: ["ambiguous"],
    says: `${ambiguous} Receivers may see different authors, so DMARC can fail for any of them.`,
    fix: 'Send one `From: "Ann" <ann@sender.example>`, and no other header that looks like it.',
  },
  {
    when: "finds an author that software may read differently",
    facts: { ...instead(""), dmarcResult: dmarcResult({ ambiguity: ambiguous }) },
    finds: ["ambiguous"],
  },
  {
    when: "finds an ambiguous author without a name",
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
    when: "finds an address that an archive has hidden",
    facts: instead("from", "From: ann at x.example (Ann Lee)"),
    finds: ["invalid"],
    fix: 'Use `From: "Ann Lee" <you@your-domain.example>`.',
  },
  { when: "passes an author that DMARC can determine", facts: { ...instead(""), dmarcResult: dmarcResult({}) } },
  {
    when: "is skipped if From may be beyond the headers that were read",
    facts: given("X: 1\r\n".repeat(10_001), ...ordinaryHead, "", "x"),
    outcome: "skipped",
  },
]);

testCheck(subjectHeader, [
  {
    when: "passes a subject of one word",
    facts: instead(""),
    says: "The message has one subject, which is 5 characters long.",
  },
  {
    when: "finds a missing Subject",
    facts: instead("subject"),
    finds: ["missing"],
    why: "The subject is the first thing that recipients read.",
  },
  { when: "finds a blank Subject", facts: instead("subject", "Subject:  "), finds: ["missing"] },
  {
    when: "finds a Subject of an empty encoded word",
    facts: instead("subject", "Subject: =?utf-8?Q?_?="),
    finds: ["missing"],
  },
  {
    when: "finds two Subjects",
    facts: instead("subject", "Subject: a", "Subject: b"),
    finds: ["repeated"],
    says: "The message has 2 Subject headers.",
  },
  {
    when: "finds a Subject of 240 characters",
    facts: instead("subject", `Subject: ${"ab c".repeat(60)}`),
    finds: ["very-long"],
    says: "The subject is 240 characters long.",
  },
  { when: "passes a Subject of 90 characters", facts: instead("subject", `Subject: ${"ab c".repeat(22)}ab`) },
  {
    when: "passes a Subject of 190 characters with three bytes each",
    facts: instead("subject", `Subject: ${"=?utf-8?B?5pel5pel5pel?= ".repeat(63)}`),
  },
]);

testCheck(toHeader, [
  { when: "passes one To", facts: instead("") },
  {
    when: "finds no recipient in any header",
    facts: { ...instead("to"), session: session() },
    finds: ["missing"],
    fix: "Add a To header with the recipient's address: `To: bob@receiver.example`.",
  },
  {
    when: "finds no recipient if the envelope is unknown too",
    facts: instead("to"),
    finds: ["missing"],
    fix: "Add a To header with the recipient's address.",
  },
  { when: "finds an empty To", facts: instead("to", "To:"), finds: ["missing"] },
  { when: "passes an empty group in To", facts: instead("to", "To: undisclosed-recipients:;") },
  { when: "passes only Cc", facts: instead("to", "Cc: c@x.example") },
  {
    when: "finds two To headers",
    facts: instead("", "TO: c@x.example"),
    finds: ["repeated"],
    says: "The message has 2 TO headers.",
  },
  {
    when: "finds two To and two Cc headers",
    facts: instead("", "To: c@x.example", "Cc: d@x.example", "Cc: e@x.example"),
    finds: ["repeated", "repeated"],
  },
  { when: "passes To and Cc", facts: instead("", "Cc: c@x.example") },
  {
    when: "finds a Bcc with two recipients",
    facts: instead("", "Bcc: c@x.example, d@x.example"),
    finds: ["bcc-shown"],
    says: "The Bcc header was sent and reveals hidden recipients (2 in total).",
    why: "Each recipient can read who else got the message.",
  },
  { when: "passes an empty Bcc", facts: instead("", "Bcc:") },
]);

testCheck(singleHeaders, [
  { when: "passes each header once", facts: instead("", "Reply-To: a@x.example", "References: <1@x.example>") },
  {
    when: "finds two Reply-To headers",
    facts: instead("", "Reply-To: a@x.example", "reply-to: b@x.example"),
    finds: ["repeated"],
    says: "The Reply-To header appears 2 times.",
  },
  {
    when: "finds three Sender and two Content-Type headers",
    facts: instead(
      "",
      ...Array<string>(3).fill("Sender: a@x.example"),
      ...Array<string>(2).fill("Content-Type: text/plain"),
    ),
    finds: ["repeated", "repeated"],
    says: "The Sender header appears 3 times.",
  },
  { when: "passes several Received headers", facts: instead("", "Received: a", "Received: b") },
  { when: "leaves two Subjects to another check", facts: instead("", "Subject: a") },
  {
    when: "finds a part with two Content-Type headers",
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
    when: "passes the parent's Message-ID",
    facts: instead("", "In-Reply-To: <1@x.example>", "References: <0@x.example>\r\n <1@x.example>"),
  },
  { when: "does not apply to a message that is not a reply", facts: instead(""), outcome: "not-applicable" },
  {
    when: "finds a phrase instead of a Message-ID",
    facts: instead("", "In-Reply-To: Your message of Friday"),
    finds: ["malformed"],
    says: 'The In-Reply-To header has no valid message ID: "Your message of Friday".',
  },
  {
    when: "passes a phrase before the Message-ID",
    facts: instead("", "In-Reply-To: Your message of Friday <1@x.example>"),
  },
  {
    when: "finds Message-IDs without hosts",
    facts: instead("", "In-Reply-To: <1@x.example>", "References: <1> <2>"),
    finds: ["malformed"],
  },
]);
