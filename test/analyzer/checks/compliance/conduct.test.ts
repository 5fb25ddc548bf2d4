import { expect, test } from "vitest";
import { autoReplyConduct } from "../../../../src/analyzer/checks/compliance/auto-reply-conduct.ts";
import { recipientShown } from "../../../../src/analyzer/checks/compliance/recipient-shown.ts";
import { isNoReply, replyAddress } from "../../../../src/analyzer/checks/compliance/reply-address.ts";
import { urgentFlags } from "../../../../src/analyzer/checks/compliance/urgent-flags.ts";
import { known } from "../../../../src/analyzer/checks/fact.ts";
import { testCheck } from "../test-check.ts";
import { kindFact, letterFacts, listPost, mxRow, sessionFact } from "./facts.ts";

const replyingTo = (replyTo: string | null, from = "Ann <ann@sender.example>") =>
  letterFacts({ headers: { From: from, "Reply-To": replyTo } });

testCheck(replyAddress, [
  {
    when: "passes with From's own address",
    facts: { ...replyingTo(null), mx: [] },
    says: "Replies go to ann@sender.example.",
  },
  {
    when: "passes with another that takes mail",
    facts: { ...replyingTo("help@desk.example"), mx: [mxRow("desk.example", {})] },
  },
  {
    when: "finds a domain that does not exist",
    facts: { ...replyingTo("help@desk.example"), mx: [mxRow("desk.example", { exists: false, addresses: known([]) })] },
    finds: ["dead"],
    says: "Replies go to help@desk.example, but its domain cannot receive mail.",
  },
  {
    when: "finds a domain that says it takes no mail",
    facts: { ...replyingTo("noreply@desk.example"), mx: [mxRow("desk.example", { nullMx: true })] },
    finds: ["dead"],
  },
  {
    when: "leaves From's own domain to another check",
    facts: { ...replyingTo(null), mx: [mxRow("sender.example", { exists: false })] },
  },
  {
    when: "is skipped while nothing is heard of the domain",
    facts: { ...replyingTo("help@desk.example"), mx: [mxRow("desk.example", "timeout")] },
    outcome: "skipped",
  },
  {
    when: "tells of an address that nobody reads",
    facts: { ...replyingTo(null, "no-reply@sender.example"), mx: [] },
    finds: ["no-reply"],
  },
  {
    when: "passes where Reply-To mends a no-reply From",
    facts: { ...replyingTo("hello@sender.example", "no-reply@sender.example"), mx: [] },
  },
  {
    when: "does not apply without a readable From",
    facts: { ...replyingTo(null, "nobody"), mx: [] },
    outcome: "not-applicable",
  },
]);

test.each([
  "noreply",
  "no-reply",
  "No_Reply",
  "do-not-reply",
  "noreply+tag",
  "drive-shares-noreply",
  "nepasrepondre",
  "nicht-antworten",
  "no.responder",
  "noreply2",
])("%s is a no-reply address", (local) => expect(isNoReply(local)).toBe(true));

test.each(["hello", "reply", "casinoreply", "no", "replies", "reply+no-1"])("%s is an ordinary address", (local) =>
  expect(isNoReply(local)).toBe(false),
);

const flagged = (headers: Record<string, string>) => letterFacts({ headers });

testCheck(urgentFlags, [
  { when: "passes without flags", facts: flagged({}) },
  { when: "passes ordinary priority", facts: flagged({ "X-Priority": "3 (Normal)", Importance: "normal" }) },
  {
    when: "finds the highest priority",
    facts: flagged({ "X-Priority": "1 (Highest)" }),
    finds: ["high-priority"],
    says: "The message is marked as urgent (`X-Priority: 1 (Highest)`).",
  },
  { when: "finds importance", facts: flagged({ Importance: "High" }), finds: ["high-priority"] },
  {
    when: "finds a request for receipts",
    facts: flagged({ "Disposition-Notification-To": "a@b.example" }),
    finds: ["read-receipt"],
    fix: "Remove Disposition-Notification-To.",
  },
]);

const answering = (mark: string | null, mailFrom: string | null) => ({
  ...letterFacts({ headers: { "Auto-Submitted": mark } }),
  session: sessionFact(mailFrom),
});

testCheck(autoReplyConduct, [
  { when: "passes a marked answer without return path", facts: answering("auto-replied (vacation)", "") },
  { when: "passes where nobody said a return path", facts: answering("auto-replied", null) },
  { when: "finds no mark", facts: answering(null, ""), finds: ["unmarked"] },
  { when: "finds a mark that says no", facts: answering("no", ""), finds: ["unmarked"] },
  { when: "finds a return path", facts: answering("auto-replied", "ann@sender.example"), finds: ["return-path"] },
]);

const shownTo = (to: string | null, rcptTo: string[], kind = kindFact("transactional")) => ({
  ...letterFacts({ headers: { To: to } }),
  session: sessionFact("ann@sender.example", rcptTo),
  kind,
});
const forwarded = known({ is: true, verified: false, by: null, first: null, reasons: [] });

testCheck(recipientShown, [
  {
    when: "passes where To names the recipient, whatever the tag and case",
    facts: shownTo("Bob <BOB+shop@receiver.example>", ["bob@Receiver.example"]),
  },
  {
    when: "passes where To names one of several",
    facts: shownTo("b@x.example, c@x.example", ["a@x.example", "c@x.example"]),
  },
  {
    when: "tells of undisclosed recipients",
    facts: shownTo("undisclosed-recipients:;", ["bob@receiver.example"]),
    finds: ["not-named"],
    says: "bob@receiver.example does not appear in To or Cc.",
  },
  { when: "tells where there is no To", facts: shownTo(null, ["bob@receiver.example"]), finds: ["not-named"] },
  {
    when: "is skipped for a mailbox, whose aliases are unknown",
    facts: {
      ...shownTo("alias@receiver.example", ["bob@receiver.example"]),
      session: { ...sessionFact("ann@sender.example"), door: { kind: "imap", mailbox: "bob@receiver.example" } },
    },
    outcome: "skipped",
  },
  {
    when: "leaves mailing lists alone",
    facts: shownTo("list@x.example", ["bob@receiver.example"], listPost),
    outcome: "not-applicable",
  },
  {
    when: "leaves forwarded mail alone",
    facts: shownTo("old@x.example", ["bob@receiver.example"], kindFact("transactional", { forwarded })),
    outcome: "not-applicable",
  },
  {
    when: "does not apply where nobody said a recipient",
    facts: shownTo("bob@receiver.example", []),
    outcome: "not-applicable",
  },
]);
