import { unknown } from "../../../../src/analyzer/checks/fact.ts";
import { encodedWords } from "../../../../src/analyzer/checks/format/encoded-words.ts";
import { header8Bit } from "../../../../src/analyzer/checks/format/header-8bit.ts";
import { headerSize } from "../../../../src/analyzer/checks/format/header-size.ts";
import { headerSyntax } from "../../../../src/analyzer/checks/format/header-syntax.ts";
import { mimeVersion } from "../../../../src/analyzer/checks/format/mime-version.ts";
import { strayHeaders } from "../../../../src/analyzer/checks/format/stray-headers.ts";
import { testCheck } from "../test-check.ts";
import { given, instead, kind, session, upload } from "./given.ts";

testCheck(headerSyntax, [
  { when: "passes ordinary headers", facts: instead(""), says: "Every header is well formed (6 in total)." },
  { when: "passes an empty header", facts: instead("", "X-Empty:") },
  {
    when: "finds a space before the colon",
    facts: given("From: a@x.example", "Subject : x", "", "x"),
    finds: ["bad-line"],
    says: 'Line 2 is not a valid header: "Subject : x".',
  },
  {
    when: "finds three lines without a colon",
    facts: instead("", "a", "b", "c"),
    finds: ["bad-line"],
    says: 'Line 1 is not a valid header: "a". In total, 3 lines are invalid.',
  },
  {
    when: "passes the first line of a message in an mbox file",
    facts: { ...instead("", "From ann@x.example Sat Nov 21 15:00:00 2026"), session: upload },
  },
  {
    when: "finds an mbox line in a message received by SMTP",
    facts: { ...instead("", "From ann@x.example Sat Nov 21 15:00:00 2026"), session: session() },
    finds: ["bad-line"],
  },
  {
    when: "finds an invalid line after the mbox line",
    facts: { ...instead("", "From ann@x.example Sat Nov 21 15:00:00 2026", "b"), session: upload },
    finds: ["bad-line"],
    says: 'Line 2 is not a valid header: "b".',
  },
  {
    when: "finds a body without an empty line before it",
    facts: given("From: a@x.example", "Subject: x", "Dear Bob,", "how are you?"),
    finds: ["no-separator"],
  },
  { when: "passes only headers with an empty line", facts: given("From: a@x.example", "", "") },
  { when: "passes only headers without an empty line", facts: given("From: a@x.example", "") },
  {
    when: "finds a fold with only a space",
    facts: given("From: a@x.example", "Subject: x", " ", "To: b@x.example", "", "x"),
    finds: ["blank-fold"],
    says: "Line 3 continues a header but contains only spaces.",
  },
  { when: "passes an ordinary fold", facts: instead("subject", "Subject: a\r\n b") },
]);

const utf8 = (text: string) => Buffer.from(text).toString("latin1");
const eightBit = (line: string) => ({ ...instead("", utf8(line)), session: session() });

testCheck(header8Bit, [
  { when: "passes ASCII", facts: { ...instead(""), session: session() } },
  { when: "passes ASCII in an upload", facts: { ...instead(""), session: upload } },
  { when: "passes an encoded word", facts: eightBit("Subject: =?utf-8?Q?gr=C3=BC=C3=9Fe?=") },
  {
    when: "finds a subject in raw UTF-8",
    facts: eightBit("Subject: Viele Grüße aus Köln!"),
    finds: ["raw"],
    says: "The Subject header has unencoded non-ASCII text.",
    fix: "Encode the header as specified in RFC 2047: `Subject: Viele =?utf-8?Q?Gr=C3=BC=C3=9Fe_aus_K=C3=B6ln!?=`.",
  },
  {
    when: "finds a raw subject that is too long for one encoded word",
    facts: eightBit(`Subject: ${"ü".repeat(11)}`),
    finds: ["raw"],
    fix: `Encode the header as specified in RFC 2047: \`Subject: =?utf-8?Q?${"=C3=BC".repeat(10)}?= =?utf-8?Q?=C3=BC?=\`.`,
  },
  {
    when: "finds Latin-1",
    facts: { ...instead("", "Subject: gr\xfcn"), session: session() },
    finds: ["raw"],
    fix: "Encode the header as specified in RFC 2047: `Subject: =?utf-8?Q?gr=C3=BCn?=`.",
  },
  {
    when: "finds raw names, quoted and not",
    facts: eightBit('Cc: Jürgen Groß <a@x.example>, "Weiß, Ann" <b@x.example>'),
    finds: ["raw"],
    fix: "Encode the header as specified in RFC 2047: `Cc: =?utf-8?Q?J=C3=BCrgen_Gro=C3=9F?= <a@x.example>, =?utf-8?Q?Wei=C3=9F=2C_Ann?= <b@x.example>`.",
  },
  {
    when: "finds a raw address, which cannot be encoded",
    facts: eightBit("Cc: <jürgen@x.example>"),
    finds: ["raw"],
    fix: "Encode the header as specified in RFC 2047.",
  },
  {
    when: "finds raw bytes in a header with parameters",
    facts: eightBit('Content-Disposition: inline; filename="ü.txt"'),
    finds: ["raw"],
  },
  {
    when: "finds two raw headers",
    facts: { ...instead("", utf8("Subject: ü"), utf8("X-Note: ü")), session: session() },
    finds: ["raw", "raw"],
  },
  {
    when: "does not apply to a session with SMTPUTF8",
    facts: { ...eightBit("Subject: ü"), session: session({ smtpUtf8: true }) },
    outcome: "not-applicable",
  },
  {
    when: "is skipped for an upload, whose session is unknown",
    facts: { ...eightBit("Subject: ü"), session: upload },
    outcome: "skipped",
  },
  { when: "is skipped for an unknown session", facts: instead("", utf8("Subject: ü")), outcome: "skipped" },
]);

testCheck(encodedWords, [
  {
    when: "passes two adjacent encoded words",
    facts: instead("subject", "Subject: =?utf-8?Q?gr=C3=BC?= =?utf-8?Q?=C3=9Fe?="),
  },
  { when: "passes Japanese in base64", facts: instead("subject", "Subject: =?utf-8?B?5pel5pys?=") },
  {
    when: "finds a space in an encoded word",
    facts: instead("subject", "Subject: =?utf8?Q?a b?="),
    finds: ["broken"],
    says: 'The Subject header is encoded incorrectly: "=?utf8?Q?a b?=" (it contains a space). Email clients may show the raw code.',
  },
  { when: "finds an unknown charset", facts: instead("subject", "Subject: =?utf8mb4?Q?=C3=BC?="), finds: ["broken"] },
  {
    when: "finds a character split between two words",
    facts: instead("subject", "Subject: =?utf-8?Q?gr=C3?= =?utf-8?Q?=BCn?="),
    finds: ["broken"],
  },
  {
    when: "finds encoded words of over 75 characters",
    facts: instead("subject", `Subject: =?utf-8?Q?${"=C3=BC".repeat(20)}?= =?utf-8?Q?${"=C3=BC".repeat(20)}?=`),
    finds: ["too-long"],
    says: `The Subject header has an encoded word of over 75 characters: "=?utf-8?Q?${"=C3=BC".repeat(20)}?=".`,
  },
  {
    when: "finds an encoded word in quotes",
    facts: instead("from", 'From: "=?utf-8?Q?J=C3=BCrgen?=" <a@x.example>'),
    finds: ["misplaced"],
    says: "The From header has encoded text where it is not allowed.",
    fix: "Encode only display names, without quotes: `=?utf-8?Q?J=C3=BCrgen?= <a@x.example>`.",
  },
  {
    when: "passes the same word outside quotes",
    facts: instead("from", "From: =?utf-8?Q?J=C3=BCrgen?= <a@x.example>"),
  },
  {
    when: "finds an encoded word in a Message-ID",
    facts: instead("message-id", "Message-ID: <=?utf-8?Q?=C3=BC?=@x.example>"),
    finds: ["misplaced"],
    fix: "Encode only display names, without quotes.",
  },
  {
    when: "finds needless base64 of ASCII",
    facts: instead("subject", "Subject: =?utf-8?B?SGVsbG8=?="),
    finds: ["needless"],
    says: "The Subject header is encoded even though it is plain ASCII.",
  },
]);

const long = (local: number) => instead("", `Reply-To: ${"a".repeat(local)}@x.example`);

testCheck(headerSize, [
  { when: "passes ordinary headers", facts: instead(""), says: "The headers total 0.2 KB." },
  { when: "passes a header of 3 KB", facts: instead("", `X-Trace: ${"a\r\n ".repeat(750)}`) },
  {
    when: "finds a header of 40 KB",
    facts: instead("", `X-Trace: ${"a".repeat(40_960)}`),
    finds: ["too-large"],
    says: "X-Trace is 40.0 KB. Gmail's limit is 32 KB.",
  },
  { when: "passes References of 40 KB", facts: instead("", `References: ${"<1@x.example> ".repeat(2_950)}`) },
  {
    when: "finds a header section of 600 KB",
    facts: instead("", ...Array.from({ length: 30 }, (_, at) => `X-${at}: ${"a".repeat(20_480)}`)),
    finds: ["too-large"],
    says: "The header section is 600 KB. Gmail's limit is 500 KB.",
  },
  {
    when: "finds 5,100 headers",
    facts: instead(
      "",
      ..."X: 1 "
        .repeat(5_100)
        .trim()
        .split(/(?<=1) /),
    ),
    finds: ["too-large"],
    says: "The number of headers is 5106. Gmail's limit is 5000.",
  },
  {
    when: "finds an address with 70 characters before the @",
    facts: long(70),
    finds: ["address-too-long"],
    says: `The address ${"a".repeat(70)}@x.example is too long (70 bytes before the @, at most 64 allowed).`,
  },
  { when: "passes an address with 60 characters before the @", facts: long(60) },
  {
    when: "finds an address with a domain of 260 characters",
    facts: instead("", `Reply-To: a@${"abcd.".repeat(51)}example`),
    finds: ["address-too-long"],
  },
]);

testCheck(mimeVersion, [
  { when: "passes 1.0", facts: instead("") },
  { when: "passes 1.0 with a comment", facts: instead("mime-version", "MIME-Version: 1.0 (produced by x)") },
  {
    when: "passes 1.0 as Apple Mail writes it",
    facts: instead("mime-version", "MIME-Version: 1.0 (Mac OS X Mail 16.0 \\(3826.700.81\\))"),
  },
  { when: "passes 1.0 between nested comments", facts: instead("mime-version", "MIME-Version: (a (b)) 1.0") },
  {
    when: "finds Content-Type without MIME-Version",
    facts: instead("mime-version", "Content-Type: text/html; charset=utf-8"),
    finds: ["missing"],
  },
  {
    when: "finds Content-Transfer-Encoding without MIME-Version",
    facts: instead("mime-version", "Content-Transfer-Encoding: 7bit"),
    finds: ["missing"],
  },
  { when: "does not apply to plain text without MIME", facts: instead("mime-version"), outcome: "not-applicable" },
  {
    when: "finds the version 1",
    facts: instead("mime-version", "MIME-Version: 1"),
    finds: ["wrong"],
    says: 'MIME-Version is "1" instead of 1.0.',
  },
]);

const results = "Authentication-Results: MX.receiver.example 1; spf=pass";
const arrived = (...lines: readonly string[]) => ({ ...instead("", ...lines), kind: kind(), session: session() });

testCheck(strayHeaders, [
  { when: "passes a message without such headers", facts: arrived() },
  {
    when: "passes the sender's own Authentication-Results",
    facts: arrived("Authentication-Results: mail.sender.example; dkim=pass"),
  },
  { when: "finds a Return-Path", facts: arrived("Return-Path: <ann@sender.example>"), finds: ["return-path"] },
  { when: "finds Authentication-Results in our name", facts: arrived(results), finds: ["our-results"] },
  {
    when: "finds Authentication-Results in our name after a comment",
    facts: arrived("Authentication-Results: (x) mx.receiver.example; none"),
    finds: ["our-results"],
  },
  { when: "does not apply to an upload", facts: { ...arrived(results), session: upload }, outcome: "not-applicable" },
  {
    when: "does not apply to forwarded mail",
    facts: { ...arrived(results), kind: kind({ is: true }) },
    outcome: "not-applicable",
  },
  {
    when: "is skipped for mail that may have been forwarded",
    facts: { ...arrived(results), kind: { ...kind(), forwarded: unknown("timeout") } },
    outcome: "skipped",
  },
  {
    when: "passes mail that may have been forwarded and has no such header",
    facts: { ...arrived(), kind: { ...kind(), forwarded: unknown("timeout") } },
  },
]);
