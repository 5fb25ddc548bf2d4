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
    when: "passes a signature of any domain",
    facts: { kind: kindOf(), dkim: dkimOf(signatureOf(foreign)) },
    says: "The message is DKIM-signed by esp.example.",
  },
  {
    when: "says that the From domain did not sign the message",
    facts: { kind: kindOf(), dkim: dkimOf(signatureOf(foreign)), message },
    says: "The message is DKIM-signed by esp.example, but not by a.example.",
  },
  {
    when: "says nothing of a second signature if the From domain signed, too",
    facts: { kind: kindOf(), dkim: dkimOf(signatureOf(foreign), signatureOf()), message },
    says: "The message is DKIM-signed by esp.example and a.example.",
  },
  {
    when: "finds a newsletter without a signature, which all large providers reject",
    facts: { kind: kindOf({ kind: "bulk", esp: acme }), dkim: unsigned, message, spf: spfPass },
    finds: ["missing-bulk"],
    fix: "Turn on DKIM for a.example at Acme Mail, and publish the key that it gives you at `<selector>._domainkey.a.example`.",
  },
  {
    when: "finds an unsigned post to a mailing list",
    facts: { kind: kindOf({ kind: "bulk", mailingList: true }), dkim: unsigned, message, spf: spfPass },
    finds: ["missing"],
  },
  {
    when: "finds an unsigned message from a free mailbox, whose domain the sender cannot sign for",
    facts: { kind: kindOf(), dkim: unsigned, message: messageOf("From: Ann <ann@gmail.com>\r\n"), spf: spfPass },
    finds: ["missing"],
    fix: "Send it through Gmail, which signs it, or send from your own domain.",
  },
  {
    when: "finds an unsigned message without an author domain",
    facts: { kind: kindOf(), dkim: unsigned, message: messageOf("Subject: Hello\r\n"), spf: spfPass },
    finds: ["missing"],
    fix: "Use your domain in the From header, and turn on DKIM for it at your mail server.",
  },
  {
    when: "finds an unsigned message from a server's local name, which has no DNS records",
    facts: { kind: kindOf(), dkim: unsigned, message: messageOf("From: Ann <ann@web.local>\r\n"), spf: spfPass },
    finds: ["missing"],
    fix: "Use your domain in the From header, and turn on DKIM for it at your mail server.",
  },
  {
    when: "finds a free mailbox's signature removed by a mailing list",
    facts: {
      kind: kindOf({ kind: "bulk", mailingList: true }),
      dkim: unsigned,
      message: messageOf("From: Ann <ann@gmail.com>\r\n"),
    },
    finds: ["missing"],
    fix: "Ask the list owner to keep Gmail's signature intact, or to sign the mail that the list sends.",
  },
  {
    when: "finds an unsigned receipt that only SPF authenticates",
    facts: { kind: kindOf(), dkim: unsigned, message, spf: spfPass },
    finds: ["missing"],
    says: "The message has no DKIM signature. Only SPF passes, for a.example, and forwarding breaks SPF.",
    fix: "Turn on DKIM for a.example at your mail server, and publish the key that it gives you at `<selector>._domainkey.a.example`.",
  },
  {
    when: "finds an unsigned receipt without an SPF pass",
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
    when: "passes a signature that verifies",
    facts: { kind, dkim: dkimOf(signatureOf()) },
    says: "The a.example signature (selector s1) verifies.",
  },
  {
    when: "finds a signature broken by a disclaimer",
    facts: { kind, dkim: dkimOf(changed) },
    finds: ["body-changed"],
    says: "The body changed after a.example signed it (selector s1). 37 bytes were added to the end of the body (the hash matches the first 500 bytes).",
    fix: "Sign last, so that no footer, disclaimer, link rewriter, or scanner changes the message after signing.",
  },
  {
    when: "finds a broken signature, probably because of bare line feeds",
    facts: { kind, dkim: dkimOf(changed), raw: bare, spf: spfFail },
    finds: ["body-changed"],
    fix: "Sign last, so that no footer, disclaimer, link rewriter, or scanner changes the message after signing. Likely cause: some lines do not end in CRLF, and relays correct line endings.",
  },
  {
    when: "finds a broken signature, probably because of a line that relays wrap",
    facts: { kind, dkim: dkimOf(failingOf("body-length", "l=900, but the body has only 800 bytes")), raw: long },
    finds: ["body-changed"],
    fix: "Sign last, so that no footer, disclaimer, link rewriter, or scanner changes the message after signing. Likely cause: a line has 2000 bytes, and relays break lines after 998.",
  },
  {
    when: "finds a signature broken by a tag before the Subject",
    facts: { kind, dkim: dkimOf(prefixed) },
    finds: ["header-changed"],
    says: 'The headers changed after a.example signed them (selector s1). "[EXTERNAL]" was added to the Subject (without it, the signature verifies).',
  },
  {
    when: "finds a signature with two d=",
    facts: { kind, dkim: dkimOf(failingOf("syntax", "the tag d= stands more than once")) },
    finds: ["malformed"],
    says: "The DKIM signature for a.example cannot be read: the tag d= stands more than once.",
  },
  {
    when: "finds an invalid signing domain, which is not shown as a domain",
    facts: { kind, dkim: dkimOf(failingOf("bad-name", 'd="a b" is not a domain name', { domain: null })) },
    finds: ["malformed"],
    says: 'The DKIM signature cannot be read: d="a b" is not a domain name.',
  },
  {
    when: "finds a signature that a mailing list broke after verifying it",
    facts: { kind: byList, dkim: dkimOf(changed) },
    finds: ["changed-by-list"],
    says: "list.example changed the message after a.example signed it. The signature was valid before that.",
  },
  {
    when: "does not believe a mailing list without an ARC chain",
    facts: { kind: kindOf({ forwarded: claimedForward }), dkim: dkimOf(changed) },
    finds: ["body-changed"],
  },
  {
    when: "is skipped while it is unknown whether a mailing list changed the message",
    facts: { kind: kindOf({ forwarded: forwardUnknown }), dkim: dkimOf(changed) },
    outcome: "skipped",
  },
  {
    when: "passes if another aligned signature passes",
    facts: { kind, dkim: dkimOf(changed, signatureOf({ selector: "s2" })) },
    finds: [],
  },
  {
    when: "finds a broken author signature even if the service's own passes",
    facts: { kind, dkim: dkimOf(signatureOf(foreign), changed) },
    finds: ["body-changed"],
  },
  {
    when: "passes one valid signature of two from other domains",
    facts: { kind, dkim: dkimOf(failingOf("body-changed", "x", foreign), signatureOf(foreign)) },
    finds: [],
  },
  {
    when: "leaves a signature without a key to another check",
    facts: { kind, dkim: dkimOf(failingOf("key-missing", "there is no key")) },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { kind, dkim: dkimOf(failingOf("key-unknown", "DNS did not tell")) },
    outcome: "skipped",
  },
  { when: "does not apply to an unsigned message", facts: { kind, dkim: unsigned }, outcome: "not-applicable" },
]);

const deleted = failingOf("key-missing", "there is no DKIM key at old._domainkey.a.example", { selector: "old" });

testCheck(dkimExtraSignature, [
  {
    when: "passes two signatures that verify",
    facts: { dkim: dkimOf(signatureOf(), signatureOf(foreign)) },
    says: "No additional DKIM signature causes problems (2 signatures in total).",
  },
  {
    when: "says that there is no second signature",
    facts: { dkim: dkimOf(signatureOf()) },
    says: "No additional DKIM signature.",
  },
  {
    when: "finds a second signature with a deleted key",
    facts: { dkim: dkimOf(signatureOf(), deleted) },
    finds: ["aligned-fails"],
    says: "An additional a.example signature (selector old) fails: there is no DKIM key at old._domainkey.a.example.",
  },
  {
    when: "finds a second signature without a selector",
    facts: {
      dkim: dkimOf(signatureOf(), failingOf("missing-tag", "the tag s= is missing", { selector: null, key: null })),
    },
    finds: ["aligned-fails"],
    says: "An additional a.example signature fails: the tag s= is missing.",
    fix: "Fix or turn off the signer.",
  },
  {
    when: "finds a broken signature of the service",
    facts: { dkim: dkimOf(signatureOf(), failingOf("body-changed", "its hash differs", foreign)) },
    finds: ["foreign-fails"],
    says: "An additional signature for esp.example fails: its hash differs. Your own signature passes.",
  },
  {
    when: "passes a signature with an unknown algorithm",
    facts: { dkim: dkimOf(signatureOf(), failingOf("algorithm", "a=x", { selector: "new" })) },
    finds: [],
  },
  {
    when: "passes if DNS does not answer for another domain's signature",
    facts: { dkim: dkimOf(signatureOf(), failingOf("key-unknown", "x", foreign)) },
    finds: [],
  },
  {
    when: "is skipped while DNS does not answer for a second signature of the author's domain",
    facts: { dkim: dkimOf(signatureOf(), failingOf("key-unknown", "x", { selector: "old" })) },
    outcome: "skipped",
  },
  {
    when: "passes a single signature, whether its result is known or not",
    facts: { dkim: dkimOf(failingOf("key-unknown", "x")) },
    finds: [],
  },
  { when: "passes if no signature passes, which other checks report", facts: { dkim: dkimOf(deleted) }, finds: [] },
  {
    when: "finds six signatures, which is more than some receivers verify",
    facts: { dkim: dkimOf(...Array.from({ length: 6 }, (_, index) => signatureOf({ selector: `s${index}` }))) },
    finds: ["many"],
    says: "The message has 6 DKIM signatures. Some receivers check only the first few.",
  },
  {
    when: "counts signatures that were not evaluated too",
    facts: { dkim: { ...dkimOf(signatureOf(), failingOf("too-many", "x")), ignored: 40 } },
    finds: ["many"],
    says: "The message has 41 DKIM signatures. Some receivers check only the first few.",
  },
]);
