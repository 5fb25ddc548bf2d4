import { dkimExtraSignature } from "../../../../src/analyzer/checks/authentication/dkim-extra-signature.ts";
import { dkimPresent } from "../../../../src/analyzer/checks/authentication/dkim-present.ts";
import { dkimSignature } from "../../../../src/analyzer/checks/authentication/dkim-signature.ts";
import { readMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { testCheck } from "../test-check.ts";
import { dkimOf, failingOf, foreign, signatureOf } from "./dkim-facts.ts";
import { acme, claimedForward, forwardedBy, forwardUnknown, kindOf, messageOf, spfResultOf } from "./spf-facts.ts";

const message = messageOf();
const spfPass = await spfResultOf("v=spf1 ip4:203.0.113.7 -all");
const spfFail = await spfResultOf("v=spf1 -all");
const unsigned = dkimOf();

testCheck(dkimPresent, [
  {
    when: "a signature of anybody is one",
    facts: { kind: kindOf(), dkim: dkimOf(signatureOf(foreign)) },
    says: "The message is DKIM-signed by esp.example.",
  },
  {
    when: "a newsletter without one is refused by all large providers",
    facts: { kind: kindOf({ kind: "bulk", esp: acme }), dkim: unsigned, message, spf: spfPass },
    finds: ["missing-bulk"],
    fix: "Turn on DKIM for a.example at Acme Mail, and publish the key that it gives you at `<selector>._domainkey.a.example`.",
  },
  {
    when: "a post to a mailing list is nobody's campaign",
    facts: { kind: kindOf({ kind: "bulk", mailingList: true }), dkim: unsigned, message, spf: spfPass },
    finds: ["missing"],
  },
  {
    when: "nobody can publish a key for the domain of a free mailbox",
    facts: { kind: kindOf(), dkim: unsigned, message: messageOf("From: Ann <ann@gmail.com>\r\n"), spf: spfPass },
    finds: ["missing"],
    fix: "Send it through Gmail, which signs it, or send from your own domain.",
  },
  {
    when: "From names no domain for which anybody could sign",
    facts: { kind: kindOf(), dkim: unsigned, message: messageOf("Subject: Hello\r\n"), spf: spfPass },
    finds: ["missing"],
    fix: "Use your domain in the From header, and turn on DKIM for it at your mail server.",
  },
  {
    when: "a list dropped what a free mailbox had signed",
    facts: {
      kind: kindOf({ kind: "bulk", mailingList: true }),
      dkim: unsigned,
      message: messageOf("From: Ann <ann@gmail.com>\r\n"),
    },
    finds: ["missing"],
    fix: "Ask the list owner to keep Gmail's signature intact, or to sign the mail that the list sends.",
  },
  {
    when: "a receipt without one stands on SPF alone",
    facts: { kind: kindOf(), dkim: unsigned, message, spf: spfPass },
    finds: ["missing"],
    says: "The message has no DKIM signature. Only SPF passes, for a.example, and forwarding breaks SPF.",
    fix: "Turn on DKIM for a.example at your mail server, and publish the key that it gives you at `<selector>._domainkey.a.example`.",
  },
  {
    when: "without SPF nothing speaks for it",
    facts: { kind: kindOf(), dkim: unsigned, message, spf: spfFail },
    finds: ["missing"],
    says: "The message has no DKIM signature.",
  },
]);

const kind = kindOf();
const changed = failingOf(
  "body-changed",
  "37 bytes were added to the end of the body (the hash matches the first 500 bytes)",
);
const prefixed = failingOf(
  "header-changed",
  '"[EXTERNAL]" was added to the Subject (without it, the signature verifies)',
);
const byList = kindOf({ forwarded: forwardedBy("list.example", { spf: "pass", dkim: "pass", dmarc: "pass" }) });
const { raw: bare } = readMessage(Buffer.from("From: ann@a.example\r\n\r\none\ntwo\n"));
const { raw: long } = readMessage(Buffer.from(`From: ann@a.example\r\n\r\n${"x".repeat(2_000)}\r\n`));

testCheck(dkimSignature, [
  {
    when: "a signature that verifies passes",
    facts: { kind, dkim: dkimOf(signatureOf()) },
    says: "The a.example signature (selector s1) verifies.",
  },
  {
    when: "a disclaimer breaks it",
    facts: { kind, dkim: dkimOf(changed) },
    finds: ["body-changed"],
    says: "The body changed after a.example signed it (selector s1). 37 bytes were added to the end of the body (the hash matches the first 500 bytes).",
    fix: "Sign last, so that no footer, disclaimer, link rewriter, or scanner changes the message after signing.",
  },
  {
    when: "bare line feeds are the likely reason",
    facts: { kind, dkim: dkimOf(changed), raw: bare, spf: spfFail },
    finds: ["body-changed"],
    fix: "Sign last, so that no footer, disclaimer, link rewriter, or scanner changes the message after signing. Likely cause: some lines do not end in CRLF, and relays correct line endings.",
  },
  {
    when: "a line that relays break is the likely reason",
    facts: { kind, dkim: dkimOf(failingOf("body-length", "l=900, but the body has only 800 bytes")), raw: long },
    finds: ["body-changed"],
    fix: "Sign last, so that no footer, disclaimer, link rewriter, or scanner changes the message after signing. Likely cause: a line has 2000 bytes, and relays break lines after 998.",
  },
  {
    when: "a mark before the Subject breaks it",
    facts: { kind, dkim: dkimOf(prefixed) },
    finds: ["header-changed"],
    says: 'The headers changed after a.example signed them (selector s1). "[EXTERNAL]" was added to the Subject (without it, the signature verifies).',
  },
  {
    when: "two d= make it unreadable",
    facts: { kind, dkim: dkimOf(failingOf("syntax", "the tag d= stands more than once")) },
    finds: ["malformed"],
    says: "The DKIM signature for a.example cannot be read: the tag d= stands more than once.",
  },
  {
    when: "a name that is none is not shown as one",
    facts: { kind, dkim: dkimOf(failingOf("bad-name", 'd="a b" is not a domain name', { domain: null })) },
    finds: ["malformed"],
    says: 'The DKIM signature cannot be read: d="a b" is not a domain name.',
  },
  {
    when: "a list changed what it had seen to be whole",
    facts: { kind: byList, dkim: dkimOf(changed) },
    finds: ["changed-by-list"],
    says: "list.example changed the message after a.example signed it. The signature was valid before that.",
  },
  {
    when: "a list that says so without a chain changes nothing",
    facts: { kind: kindOf({ forwarded: claimedForward }), dkim: dkimOf(changed) },
    finds: ["body-changed"],
  },
  {
    when: "whether a list changed it is not known",
    facts: { kind: kindOf({ forwarded: forwardUnknown }), dkim: dkimOf(changed) },
    outcome: "skipped",
  },
  {
    when: "another aligned signature passes",
    facts: { kind, dkim: dkimOf(changed, signatureOf({ selector: "s2" })) },
    finds: [],
  },
  {
    when: "the service's own signature passes, the author's does not",
    facts: { kind, dkim: dkimOf(signatureOf(foreign), changed) },
    finds: ["body-changed"],
  },
  {
    when: "one foreign signature of two is enough",
    facts: { kind, dkim: dkimOf(failingOf("body-changed", "x", foreign), signatureOf(foreign)) },
    finds: [],
  },
  {
    when: "a signature without its key has another fault",
    facts: { kind, dkim: dkimOf(failingOf("key-missing", "there is no key")) },
    outcome: "not-applicable",
  },
  {
    when: "DNS that is silent proves nothing",
    facts: { kind, dkim: dkimOf(failingOf("key-unknown", "DNS did not tell")) },
    outcome: "skipped",
  },
  {
    when: "a message that is not signed has another fault",
    facts: { kind, dkim: unsigned },
    outcome: "not-applicable",
  },
]);

const deleted = failingOf("key-missing", "there is no DKIM key at old._domainkey.a.example", { selector: "old" });

testCheck(dkimExtraSignature, [
  {
    when: "two signatures that pass do no harm",
    facts: { dkim: dkimOf(signatureOf(), signatureOf(foreign)) },
    says: "No additional DKIM signature causes problems.",
  },
  {
    when: "an old gateway signs with a key that was deleted",
    facts: { dkim: dkimOf(signatureOf(), deleted) },
    finds: ["aligned-fails"],
    says: "An additional a.example signature (selector old) fails: there is no DKIM key at old._domainkey.a.example.",
  },
  {
    when: "a second signer names no selector",
    facts: {
      dkim: dkimOf(signatureOf(), failingOf("missing-tag", "the tag s= is missing", { selector: null, key: null })),
    },
    finds: ["aligned-fails"],
    says: "An additional a.example signature fails: the tag s= is missing.",
    fix: "Fix or turn off the signer.",
  },
  {
    when: "the service's own signature is broken",
    facts: { dkim: dkimOf(signatureOf(), failingOf("body-changed", "its hash differs", foreign)) },
    finds: ["foreign-fails"],
    says: "An additional signature for esp.example fails: its hash differs. Your own signature passes.",
  },
  {
    when: "an algorithm of tomorrow harms nobody",
    facts: { dkim: dkimOf(signatureOf(), failingOf("algorithm", "a=x", { selector: "new" })) },
    finds: [],
  },
  {
    when: "DNS that is silent proves nothing",
    facts: { dkim: dkimOf(signatureOf(), failingOf("key-unknown", "x", foreign)) },
    finds: [],
  },
  {
    when: "a second signature of the author's own that DNS keeps silent about may fail",
    facts: { dkim: dkimOf(signatureOf(), failingOf("key-unknown", "x", { selector: "old" })) },
    outcome: "skipped",
  },
  {
    when: "one signature alone stands in nobody's way, be it known or not",
    facts: { dkim: dkimOf(failingOf("key-unknown", "x")) },
    finds: [],
  },
  { when: "where nothing passes other checks tell why", facts: { dkim: dkimOf(deleted) }, finds: [] },
  {
    when: "six are more than some receivers look at",
    facts: { dkim: dkimOf(...Array.from({ length: 6 }, (_, index) => signatureOf({ selector: `s${index}` }))) },
    finds: ["many"],
    says: "The message has 6 DKIM signatures. Some receivers check only the first few.",
  },
  {
    when: "all are counted, also those that were not looked at",
    facts: { dkim: { ...dkimOf(signatureOf(), failingOf("too-many", "x")), ignored: 40 } },
    finds: ["many"],
    says: "The message has 41 DKIM signatures. Some receivers check only the first few.",
  },
]);
