import { dateHeader } from "../../../../src/analyzer/checks/format/date-header.ts";
import { messageId } from "../../../../src/analyzer/checks/format/message-id.ts";
import { tracePath } from "../../../../src/analyzer/mail/headers/delivery-path.ts";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { letter, ordinaryHead } from "../../mail/letter.ts";
import { testCheck } from "../test-check.ts";
import { given, instead, receivedAt, session, upload } from "./given.ts";

const dated = (date: string) => ({ ...instead("date", `Date: ${date}`), session: session() });
const hourMs = 3_600_000;
const hoursAgo = (hours: number) => dated(new Date(receivedAt - hours * hourMs).toUTCString());

const waited = [
  "Received: from b.example by c.example; Sat, 21 Nov 2026 15:00:00 +0000",
  "Received: from a.example by b.example; Fri, 20 Nov 2026 10:00:00 +0000",
  "Date: Fri, 20 Nov 2026 09:59:00 +0000",
];
const path = tracePath({
  section: readHeaderSection(letter(...waited, "", "x")),
  session: session(),
  receiver: "mx.receiver.example",
  receivedAt,
});

testCheck(dateHeader, [
  { when: "passes the current time", facts: hoursAgo(0), says: "Date is Sat, 21 Nov 2026 15:00:05 GMT." },
  {
    when: "finds a missing Date",
    facts: { ...instead("date"), session: session() },
    finds: ["missing"],
    fix: "Add `Date: Sat, 21 Nov 2026 15:00:05 +0000` in the application that creates the message.",
  },
  { when: "finds a missing Date in an upload", facts: { ...instead("date"), session: upload }, finds: ["missing"] },
  {
    when: "finds two Dates",
    facts: instead("", "Date: Sat, 21 Nov 2026 15:00:00 +0000"),
    finds: ["repeated"],
    says: "The message has 2 Date headers.",
  },
  { when: "passes Resent-Date next to Date", facts: instead("", "Resent-Date: Sat, 21 Nov 2026 15:00:00 +0000") },
  {
    when: "finds text that is not a date",
    facts: dated("2026/11/21"),
    finds: ["unreadable"],
    says: 'The Date header is unreadable: "2026/11/21" (it is not in a known date format).',
    fix: "Use this format: `Sat, 21 Nov 2026 15:00:05 +0000`.",
  },
  { when: "finds an impossible time zone", facts: dated("Sat, 21 Nov 2026 15:00:00 +1430"), finds: ["unreadable"] },
  { when: "finds a day that does not exist", facts: dated("Mon, 30 Feb 2026 15:00:00 +0000"), finds: ["unreadable"] },
  { when: "passes an obsolete zone name", facts: dated("Sat, 21 Nov 2026 15:00:00 GMT") },
  { when: "passes a comment after the date", facts: dated("Sat, 21 Nov 2026 16:00:00 +0100 (CET)") },
  {
    when: "finds a date in another format",
    facts: dated("2026-11-21T15:00:00Z"),
    finds: ["form"],
    says: 'The Date header is not in the standard format: "2026-11-21T15:00:00Z" (nonstandard format).',
  },
  { when: "finds the wrong day of the week", facts: dated("Fri, 21 Nov 2026 15:00:00 +0000"), finds: ["form"] },
  {
    when: "finds a Date 3 hours ahead",
    facts: hoursAgo(-3),
    finds: ["future"],
    says: "The Date header is 3 hours in the future.",
  },
  {
    when: "finds a Date 1 hour ahead",
    facts: hoursAgo(-1),
    finds: ["ahead"],
    says: "The Date header is 60 minutes later than the time of receipt.",
  },
  { when: "passes a Date 2 minutes ahead", facts: hoursAgo(-1 / 30) },
  { when: "passes a Date 5 minutes ahead", facts: hoursAgo(-1 / 12) },
  { when: "passes a Date 2 hours ago", facts: hoursAgo(2) },
  {
    when: "finds a Date 30 hours ago, not counting the seconds of delivery",
    facts: hoursAgo(30 - 3 / 3_600),
    finds: ["old"],
    says: "The Date header is 30 hours old. The message waited before it was sent, or a clock is wrong.",
  },
  {
    when: "finds a Date 30 hours ago",
    facts: hoursAgo(30),
    finds: ["old"],
    says: "The Date header is 30 hours old. The message waited before it was sent, or a clock is wrong.",
  },
  {
    when: "finds a Date 10 days ago",
    facts: hoursAgo(240),
    finds: ["very-old"],
    says: "The Date header is 10 days old.",
  },
  {
    when: "passes a Date 29 hours ago if a relay delayed the message almost as long",
    facts: { ...instead("date", ...waited), session: session(), received: path },
  },
  {
    when: "finds a Date 29 hours ago if the delivery path is unknown",
    facts: { ...instead("date", ...waited), session: session() },
    finds: ["old"],
  },
  { when: "passes a Date 10 days ago in an upload", facts: { ...hoursAgo(240), session: upload } },
  {
    when: "passes a Date 10 days ago if the time of receipt is unknown",
    facts: instead("date", "Date: Wed, 11 Nov 2026 15:00:00 +0000"),
  },
  {
    when: "passes a Date in an unknown zone that differs by some hours",
    facts: dated("Sat, 21 Nov 2026 20:00:00 XYZ"),
  },
  {
    when: "is skipped if Date may be beyond the headers that were read",
    facts: given("X: 1\r\n".repeat(10_001), ...ordinaryHead, "", "x"),
    outcome: "skipped",
  },
]);

const identified = (id: string) => instead("message-id", `Message-ID: ${id}`);
const handedOver = tracePath({
  section: readHeaderSection(
    letter(
      "Received: from mx7.sender.example (198.51.100.7) by mx7.mail.receiver.example with ESMTPS; Sat, 21 Nov 2026 15:00:00 +0000",
      "Received: from app.sender.example (198.51.100.8) by mx7.sender.example with ESMTPS; Sat, 21 Nov 2026 14:59:59 +0000",
      "",
      "x",
    ),
  ),
  session: upload,
  receiver: "mx.receiver.example",
  receivedAt,
});
const history = (sameMessageId: number) => ({ sameMessageId, selectorsSeen: [], keyFirstSeen: null });

testCheck(messageId, [
  {
    when: "passes one Message-ID",
    facts: identified("<a.b@mail.x.example>"),
    says: "Message-ID is <a.b@mail.x.example>.",
  },
  {
    when: "says which server added it",
    facts: { ...identified("<a.b@MX7.zone.receiver.example>"), received: handedOver },
    says: "Message-ID is <a.b@MX7.zone.receiver.example>, which mx7.mail.receiver.example seems to have added.",
  },
  {
    when: "passes the Message-ID of the sender's own server",
    facts: { ...identified("<a.b@mx7.sender.example>"), received: handedOver },
    says: "Message-ID is <a.b@mx7.sender.example>.",
  },
  {
    when: "finds a missing Message-ID",
    facts: instead("message-id"),
    finds: ["missing"],
    fix: "Add `Message-ID: <unique-text@sender.example>` in the sending application, with a new unique-text for each message.",
  },
  { when: "finds an empty Message-ID", facts: identified(""), finds: ["missing"] },
  {
    when: "finds two Message-IDs",
    facts: instead("", "Message-Id: <2@x.example>"),
    finds: ["repeated"],
    says: "The message has 2 Message-ID headers.",
  },
  { when: "passes X-Message-ID next to it", facts: instead("", "X-Message-ID: <2@x.example>") },
  {
    when: "finds a Message-ID without brackets",
    facts: identified("12345"),
    finds: ["invalid"],
    says: 'The Message-ID is invalid: "12345" (it must be one ID in angle brackets).',
    fix: "Use `<unique-text@sender.example>`.",
  },
  {
    when: "finds a Message-ID without @",
    facts: identified("<12345>"),
    finds: ["invalid"],
    says: 'The Message-ID is invalid: "<12345>" (it must have text on both sides of the @).',
  },
  { when: "finds a Message-ID without text before the @", facts: identified("<@mail.x.example>"), finds: ["invalid"] },
  { when: "finds a Message-ID without text after the @", facts: identified("<a.b@>"), finds: ["invalid"] },
  { when: "finds a Message-ID with a space", facts: identified("<1 2@x.example>"), finds: ["invalid"] },
  { when: "finds two IDs in one header", facts: identified("<1@x.example> <2@x.example>"), finds: ["invalid"] },
  {
    when: "finds a Message-ID of 600 characters",
    facts: identified(`<${"a".repeat(588)}@x.example>`),
    finds: ["invalid"],
  },
  {
    when: "passes a comment by the server that added it",
    facts: identified("<1@x.example> (added by postmaster@x.example)"),
  },
  {
    when: "finds localhost",
    facts: identified("<1@localhost>"),
    finds: ["local-name"],
    says: 'The Message-ID contains "localhost", which is not a public hostname.',
  },
  { when: "finds a private domain", facts: identified("<1@mail.corp.LOCAL>"), finds: ["local-name"] },
  { when: "finds an IP address", facts: identified("<1@192.168.0.1>"), finds: ["local-name"] },
  { when: "finds an address literal", facts: identified("<1@[IPv6:fd00::1]>"), finds: ["local-name"] },
  {
    when: "notes a second @, which email clients have written for years",
    facts: identified("<1@ann@x.example>"),
    finds: ["several-at-signs"],
    says: "The Message-ID <1@ann@x.example> has more than one @.",
  },
  { when: "passes an @ in quotes", facts: identified('<"1@ann"@x.example>') },
  { when: "passes the domain of a service", facts: identified("<0100018c@email.amazonses.example>") },
  {
    when: "finds a Message-ID that another message has",
    facts: { ...identified("<fixed@x.example>"), history: history(2) },
    finds: ["reused"],
    says: "The Message-ID <fixed@x.example> has been used before. Gmail limits repeated IDs (4.7.28).",
  },
  {
    when: "passes a Message-ID that no other message has",
    facts: { ...identified("<fixed@x.example>"), history: history(0) },
  },
]);
