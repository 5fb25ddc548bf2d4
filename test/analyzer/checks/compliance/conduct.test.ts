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
    when: "passes the address in From",
    facts: { ...replyingTo(null), mx: [] },
    says: "Replies go to ann@sender.example.",
  },
  {
    when: "passes another address that receives mail",
    facts: { ...replyingTo("help@desk.example"), mx: [mxRow("desk.example", {})] },
  },
  {
    when: "finds a domain that does not exist",
    facts: { ...replyingTo("help@desk.example"), mx: [mxRow("desk.example", { exists: false, addresses: known([]) })] },
    finds: ["dead"],
    says: "Replies go to help@desk.example, but its domain cannot receive mail.",
  },
  {
    when: "finds a domain with a null MX",
    facts: { ...replyingTo("noreply@desk.example"), mx: [mxRow("desk.example", { nullMx: true })] },
    finds: ["dead"],
  },
  {
    when: "leaves From's own domain to another check",
    facts: { ...replyingTo(null), mx: [mxRow("sender.example", { exists: false })] },
  },
  {
    when: "is skipped while DNS does not answer for the domain",
    facts: { ...replyingTo("help@desk.example"), mx: [mxRow("desk.example", "timeout")] },
    outcome: "skipped",
  },
  {
    when: "reports a no-reply address",
    facts: { ...replyingTo(null, "no-reply@sender.example"), mx: [] },
    finds: ["no-reply"],
  },
  {
    when: "passes a no-reply From with another Reply-To",
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
  { when: "passes a message without flags", facts: flagged({}) },
  { when: "passes a normal priority", facts: flagged({ "X-Priority": "3 (Normal)", Importance: "normal" }) },
  {
    when: "finds the highest priority",
    facts: flagged({ "X-Priority": "1 (Highest)" }),
    finds: ["high-priority"],
    says: "The message is marked as urgent (`X-Priority: 1 (Highest)`).",
  },
  { when: "finds high importance", facts: flagged({ Importance: "High" }), finds: ["high-priority"] },
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
  { when: "passes a marked reply with an empty return path", facts: answering("auto-replied (vacation)", "") },
  { when: "passes a reply whose return path is unknown", facts: answering("auto-replied", null) },
  { when: "finds a reply without Auto-Submitted", facts: answering(null, ""), finds: ["unmarked"] },
  { when: "finds Auto-Submitted: no", facts: answering("no", ""), finds: ["unmarked"] },
  {
    when: "finds a reply with a return path",
    facts: answering("auto-replied", "ann@sender.example"),
    finds: ["return-path"],
  },
]);

const shownTo = (to: string | null, rcptTo: string[], kind = kindFact("transactional")) => ({
  ...letterFacts({ headers: { To: to } }),
  session: sessionFact("ann@sender.example", rcptTo),
  kind,
});
const forwarded = known({ is: true, verified: false, by: null, first: null, reasons: [] });

testCheck(recipientShown, [
  {
    when: "passes a recipient named in To, with any label and case",
    facts: shownTo("Bob <BOB+shop@receiver.example>", ["bob@Receiver.example"]),
  },
  {
    when: "passes one of several recipients named in To",
    facts: shownTo("b@x.example, c@x.example", ["a@x.example", "c@x.example"]),
  },
  {
    when: "reports undisclosed recipients",
    facts: shownTo("undisclosed-recipients:;", ["bob@receiver.example"]),
    finds: ["not-named"],
    says: "bob@receiver.example does not appear in To or Cc.",
  },
  { when: "reports a missing To", facts: shownTo(null, ["bob@receiver.example"]), finds: ["not-named"] },
  {
    when: "is skipped for a mailbox, whose aliases are unknown",
    facts: {
      ...shownTo("alias@receiver.example", ["bob@receiver.example"]),
      session: { ...sessionFact("ann@sender.example"), door: { kind: "imap", mailbox: "bob@receiver.example" } },
    },
    outcome: "skipped",
  },
  {
    when: "does not apply to mailing lists",
    facts: shownTo("list@x.example", ["bob@receiver.example"], listPost),
    outcome: "not-applicable",
  },
  {
    when: "does not apply to forwarded mail",
    facts: shownTo("old@x.example", ["bob@receiver.example"], kindFact("transactional", { forwarded })),
    outcome: "not-applicable",
  },
  {
    when: "does not apply if the recipient is unknown",
    facts: shownTo("bob@receiver.example", []),
    outcome: "not-applicable",
  },
]);
