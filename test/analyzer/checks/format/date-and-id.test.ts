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
  { when: "the hour it is", facts: hoursAgo(0), says: "Date is Sat, 21 Nov 2026 15:00:05 GMT." },
  {
    when: "no Date",
    facts: { ...instead("date"), session: session() },
    finds: ["missing"],
    fix: "Add `Date: Sat, 21 Nov 2026 15:00:05 +0000` in the application that creates the message.",
  },
  { when: "no Date in an upload", facts: { ...instead("date"), session: upload }, finds: ["missing"] },
  {
    when: "two Dates",
    facts: instead("", "Date: Sat, 21 Nov 2026 15:00:00 +0000"),
    finds: ["repeated"],
    says: "The message has 2 Date headers.",
  },
  { when: "Resent-Date beside Date", facts: instead("", "Resent-Date: Sat, 21 Nov 2026 15:00:00 +0000") },
  {
    when: "no form of a date",
    facts: dated("2026/11/21"),
    finds: ["unreadable"],
    says: 'The Date header is unreadable: "2026/11/21" (it is not in a known date format).',
    fix: "Use this format: `Sat, 21 Nov 2026 15:00:05 +0000`.",
  },
  { when: "a zone beyond all", facts: dated("Sat, 21 Nov 2026 15:00:00 +1430"), finds: ["unreadable"] },
  { when: "a day that does not exist", facts: dated("Mon, 30 Feb 2026 15:00:00 +0000"), finds: ["unreadable"] },
  { when: "an old name of a zone", facts: dated("Sat, 21 Nov 2026 15:00:00 GMT") },
  { when: "a comment behind it", facts: dated("Sat, 21 Nov 2026 16:00:00 +0100 (CET)") },
  {
    when: "the form of another standard",
    facts: dated("2026-11-21T15:00:00Z"),
    finds: ["form"],
    says: 'The Date header is not in the standard format: "2026-11-21T15:00:00Z" (nonstandard format).',
  },
  { when: "the wrong day of the week", facts: dated("Fri, 21 Nov 2026 15:00:00 +0000"), finds: ["form"] },
  { when: "3 hours ahead", facts: hoursAgo(-3), finds: ["future"], says: "The Date header is 3 hours in the future." },
  {
    when: "1 hour ahead",
    facts: hoursAgo(-1),
    finds: ["ahead"],
    says: "The Date header is 60 minutes later than the time of receipt.",
  },
  { when: "2 minutes ahead", facts: hoursAgo(-1 / 30) },
  { when: "5 minutes ahead", facts: hoursAgo(-1 / 12) },
  { when: "2 hours old", facts: hoursAgo(2) },
  {
    when: "30 hours old but for the seconds that it took to come here",
    facts: hoursAgo(30 - 3 / 3_600),
    finds: ["old"],
    says: "The Date header is 30 hours old. The message waited before it was sent, or a clock is wrong.",
  },
  {
    when: "30 hours old",
    facts: hoursAgo(30),
    finds: ["old"],
    says: "The Date header is 30 hours old. The message waited before it was sent, or a clock is wrong.",
  },
  { when: "10 days old", facts: hoursAgo(240), finds: ["very-old"], says: "The Date header is 10 days old." },
  {
    when: "29 hours old, of which a relay took all but a minute",
    facts: { ...instead("date", ...waited), session: session(), received: path },
  },
  {
    when: "29 hours old, and the path is not known",
    facts: { ...instead("date", ...waited), session: session() },
    finds: ["old"],
  },
  { when: "10 days old in an upload", facts: { ...hoursAgo(240), session: upload } },
  {
    when: "10 days old, and nobody knows when it came",
    facts: instead("date", "Date: Wed, 11 Nov 2026 15:00:00 +0000"),
  },
  { when: "some hours off, in a zone that nobody knows", facts: dated("Sat, 21 Nov 2026 20:00:00 XYZ") },
  {
    when: "fields beyond what was read, and no Date among them",
    facts: given("X: 1\r\n".repeat(10_001), ...ordinaryHead, "", "x"),
    outcome: "skipped",
  },
]);

const identified = (id: string) => instead("message-id", `Message-ID: ${id}`);
const history = (sameMessageId: number) => ({ sameMessageId, selectorsSeen: [], keyFirstSeen: null });

testCheck(messageId, [
  { when: "one id", facts: identified("<a.b@mail.x.example>"), says: "Message-ID is <a.b@mail.x.example>." },
  {
    when: "no id",
    facts: instead("message-id"),
    finds: ["missing"],
    fix: "Add `Message-ID: <unique-text@sender.example>` in the sending application, with a new unique-text for each message.",
  },
  { when: "an empty id", facts: identified(""), finds: ["missing"] },
  {
    when: "two ids",
    facts: instead("", "Message-Id: <2@x.example>"),
    finds: ["repeated"],
    says: "The message has 2 Message-ID headers.",
  },
  { when: "X-Message-ID beside it", facts: instead("", "X-Message-ID: <2@x.example>") },
  {
    when: "no brackets",
    facts: identified("12345"),
    finds: ["invalid"],
    says: 'The Message-ID is invalid: "12345" (it must be one ID in angle brackets).',
    fix: "Use `<unique-text@sender.example>`.",
  },
  {
    when: "no @",
    facts: identified("<12345>"),
    finds: ["invalid"],
    says: 'The Message-ID is invalid: "<12345>" (it must have text on both sides of the @).',
  },
  { when: "nothing before the @", facts: identified("<@mail.x.example>"), finds: ["invalid"] },
  { when: "nothing behind the @", facts: identified("<a.b@>"), finds: ["invalid"] },
  { when: "it contains a space", facts: identified("<1 2@x.example>"), finds: ["invalid"] },
  { when: "two in one", facts: identified("<1@x.example> <2@x.example>"), finds: ["invalid"] },
  { when: "600 characters", facts: identified(`<${"a".repeat(588)}@x.example>`), finds: ["invalid"] },
  { when: "a note of the server that added it", facts: identified("<1@x.example> (added by postmaster@x.example)") },
  {
    when: "localhost",
    facts: identified("<1@localhost>"),
    finds: ["local-name"],
    says: 'The Message-ID contains "localhost", which is not a public hostname.',
  },
  { when: "a private zone", facts: identified("<1@mail.corp.LOCAL>"), finds: ["local-name"] },
  { when: "an address", facts: identified("<1@192.168.0.1>"), finds: ["local-name"] },
  { when: "an address literal", facts: identified("<1@[IPv6:fd00::1]>"), finds: ["local-name"] },
  { when: "the domain of a service", facts: identified("<0100018c@email.amazonses.example>") },
  {
    when: "an id that another message bore",
    facts: { ...identified("<fixed@x.example>"), history: history(2) },
    finds: ["reused"],
    says: "The Message-ID <fixed@x.example> has been used before. Gmail limits repeated IDs (4.7.28).",
  },
  { when: "an id that no other message bore", facts: { ...identified("<fixed@x.example>"), history: history(0) } },
]);
