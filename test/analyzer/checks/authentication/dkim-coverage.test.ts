import { dkimAlgorithm } from "../../../../src/analyzer/checks/authentication/dkim-algorithm.ts";
import { dkimAlignment } from "../../../../src/analyzer/checks/authentication/dkim-alignment.ts";
import { dkimBodyLength } from "../../../../src/analyzer/checks/authentication/dkim-body-length.ts";
import { dkimCanonicalization } from "../../../../src/analyzer/checks/authentication/dkim-canonicalization.ts";
import { dkimIdentity } from "../../../../src/analyzer/checks/authentication/dkim-identity.ts";
import { dkimSignedHeaders } from "../../../../src/analyzer/checks/authentication/dkim-signed-headers.ts";
import { dkimTimes } from "../../../../src/analyzer/checks/authentication/dkim-times.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { testCheck } from "../test-check.ts";
import { dkimOf, failingOf, foreign, keyOf, signatureOf } from "./dkim-facts.ts";
import { acme, dmarcResultOf, kindOf, messageOf, receivedAt, sessionOf } from "./spf-facts.ts";

const sha1 = failingOf("sha1", "a=rsa-sha1 must no longer be accepted", { algorithm: "rsa-sha1" });
const ed25519 = signatureOf({ algorithm: "ed25519-sha256", selector: "ed" });
const silent = failingOf("key-unknown", "DNS did not tell", { key: null });

testCheck(dkimAlgorithm, [
  {
    when: "everybody verifies rsa-sha256, also beside Ed25519",
    facts: { dkim: dkimOf(ed25519, signatureOf()) },
    says: "The a.example signature uses rsa-sha256, which all receivers can verify.",
  },
  {
    when: "rsa-sha1 alone is as no signature",
    facts: { dkim: dkimOf(sha1) },
    finds: ["sha1"],
    says: "The a.example signature uses rsa-sha1, so receivers treat it as if it were missing.",
  },
  {
    when: "rsa-sha1 beside one that passes has another owner",
    facts: { dkim: dkimOf(sha1, signatureOf({ selector: "s2" })) },
    finds: [],
  },
  {
    when: "Ed25519 alone is not verified by all",
    facts: { dkim: dkimOf(ed25519, signatureOf(foreign)) },
    finds: ["ed25519-only"],
    says: "The only valid a.example signature uses Ed25519, which several large providers do not verify.",
  },
  { when: "DNS that is silent proves nothing", facts: { dkim: dkimOf(silent) }, outcome: "skipped" },
  {
    when: "a foreign signature is its signer's affair",
    facts: { dkim: dkimOf(signatureOf({ ...foreign, algorithm: "ed25519-sha256" })) },
    outcome: "not-applicable",
  },
]);

testCheck(dkimBodyLength, [
  {
    when: "the whole body is covered",
    facts: { dkim: dkimOf(signatureOf()) },
    says: "The a.example signature covers the whole body.",
  },
  {
    when: "a part of the body is covered",
    facts: { dkim: dkimOf(signatureOf({ bodyLength: 500 })) },
    finds: ["partial"],
    says: "The a.example signature covers only 500 of 2000 body bytes. The rest is not protected.",
  },
  {
    when: "text can be appended",
    facts: { dkim: dkimOf(signatureOf({ bodyLength: 2_000 })) },
    finds: ["limited"],
    says: "The a.example signature uses l=2000, so text can be appended without breaking it.",
  },
  {
    when: "one that covers everything does not mend another",
    facts: { dkim: dkimOf(signatureOf(), signatureOf({ selector: "s2", bodyLength: 500 })) },
    finds: ["partial"],
  },
  { when: "a message that is not signed has another fault", facts: { dkim: dkimOf() }, outcome: "not-applicable" },
]);

const message = messageOf(
  "From: ann@a.example\r\nTo: bob@b.example\r\nSubject: Hi\r\nDate: x\r\nContent-Type: text/plain\r\nMessage-ID: <x@a.example>\r\n",
);
const signing = (...headers: readonly string[]) => ({ message, dkim: dkimOf(signatureOf({ headers })) });
const usual = ["from", "from", "subject", "subject", "date", "to", "content-type"];

testCheck(dkimSignedHeaders, [
  {
    when: "what readers see is signed, and doubled; services rewrite the Message-ID",
    facts: signing(...usual),
    says: "The a.example signature covers the visible headers and prevents a second From or Subject.",
  },
  {
    when: "a signature without From is none",
    facts: {
      message,
      dkim: dkimOf(failingOf("from-unsigned", "h= does not list From", { headers: ["subject", "date"] })),
    },
    finds: ["from-unsigned"],
  },
  {
    when: "a Subject that is not signed can be replaced",
    facts: signing("from", "from", "date", "to", "content-type"),
    finds: ["visible-unsigned"],
    says: "The a.example signature does not protect Subject from changes.",
  },
  {
    when: "many leave out what matters less",
    facts: signing("from", "from", "subject", "subject", "date"),
    finds: ["others-unsigned"],
    says: "The a.example signature does not cover To and Content-Type.",
  },
  {
    when: "most sign From and Subject once",
    facts: signing("from", "subject", "date", "to", "content-type"),
    finds: ["not-oversigned"],
    says: "The a.example signature does not stop someone from adding a second From or Subject header.",
  },
]);

testCheck(dkimIdentity, [
  {
    when: "an identity below the domain lies within it",
    facts: { dkim: dkimOf(signatureOf({ identity: "@news.a.example" })) },
    says: "The signature's identity, @news.a.example, is within a.example.",
  },
  {
    when: "an identity elsewhere is refused",
    facts: { dkim: dkimOf(failingOf("identity", "it lies outside", { identity: "@b.example" })) },
    finds: ["outside"],
    says: "The signature has i=@b.example, which is outside d=a.example.",
  },
  {
    when: "a key may allow its own domain alone",
    facts: {
      dkim: dkimOf(
        failingOf("strict-identity", "the key has t=s", {
          identity: "@news.a.example",
          key: keyOf({ strictIdentity: true }),
        }),
      ),
    },
    finds: ["strict-key"],
    says: "The key at s1._domainkey.a.example allows only i=@a.example (t=s), but the signature has i=@news.a.example.",
  },
]);

const hour = 3_600_000;
const day = 24 * hour;
const session = sessionOf();

testCheck(dkimTimes, [
  {
    when: "a week is long enough",
    facts: { session, dkim: dkimOf(signatureOf({ signedAt: receivedAt + 30_000, expiresAt: receivedAt + 7 * day })) },
    says: "The timestamps in the a.example signature are valid.",
  },
  {
    when: "an hour too late is too late",
    facts: {
      session,
      dkim: dkimOf(
        failingOf("expired", "it expired", { signedAt: receivedAt - 8 * day, expiresAt: receivedAt - 2 * hour }),
      ),
    },
    finds: ["expired"],
    says: "The a.example signature expired at Sat, 21 Nov 2026 10:00:00 GMT, 2 hours before the message arrived.",
  },
  {
    when: "one that ends before it begins was never good",
    facts: {
      session,
      dkim: dkimOf(failingOf("expired", "x=10 is not later than t=20", { signedAt: 20_000, expiresAt: 10_000 })),
    },
    finds: ["expired"],
    says: "The a.example signature expired before it was created: x=10 is not later than t=20.",
  },
  {
    when: "a signing clock runs ahead",
    facts: { session, dkim: dkimOf(signatureOf({ signedAt: receivedAt + 2 * hour })) },
    finds: ["future"],
    says: "The a.example signature is dated 2 hours in the future.",
  },
  {
    when: "an hour is short",
    facts: { session, dkim: dkimOf(signatureOf({ signedAt: receivedAt, expiresAt: receivedAt + hour })) },
    finds: ["short-life"],
    says: "The a.example signature is valid for only 60 minutes. A delayed message may arrive too late.",
  },
  {
    when: "a signature that cannot be read has no times",
    facts: { session, dkim: dkimOf(failingOf("bad-name", "x", { domain: null, signedAt: receivedAt + 2 * hour })) },
    outcome: "not-applicable",
  },
  { when: "no times are no fault", facts: { session, dkim: dkimOf(signatureOf()) }, finds: [] },
]);

const spfOnly = dmarcResultOf({ alignedBy: ["spf"], dkimAligned: known(false) });

testCheck(dkimAlignment, [
  {
    when: "the author's domain signed",
    facts: { dkim: dkimOf(signatureOf(foreign), signatureOf()), dmarcResult: dmarcResultOf() },
    finds: ["pass"],
    says: "a.example signed the message with selector s1 (rsa-sha256, 2048 bits).",
  },
  {
    when: "the service signed for itself alone",
    facts: { dkim: dkimOf(signatureOf(foreign)), dmarcResult: spfOnly, kind: kindOf({ esp: acme }) },
    finds: ["provider-only"],
    says: "The message has a valid DKIM signature for esp.example, but not for a.example. Only SPF authenticates a.example.",
    fix: "Authenticate a.example with Acme Mail and publish the DKIM records that your email service gives you. Signatures will then have d=a.example.",
  },
  {
    when: "nothing aligns, which DMARC tells",
    facts: {
      dkim: dkimOf(signatureOf(foreign)),
      dmarcResult: dmarcResultOf({ result: "fail", alignedBy: [], dkimAligned: known(false) }),
    },
    outcome: "not-applicable",
  },
  {
    when: "the record demands an exact match, and SPF has it",
    facts: { dkim: dkimOf(signatureOf()), dmarcResult: spfOnly },
    outcome: "not-applicable",
  },
  {
    when: "which organisation the signer belongs to is not known",
    facts: {
      dkim: dkimOf(signatureOf(foreign)),
      dmarcResult: dmarcResultOf({ alignedBy: ["spf"], dkimAligned: unknown("timeout") }),
    },
    outcome: "skipped",
  },
  { when: "no signature verifies", facts: { dkim: dkimOf(sha1), dmarcResult: spfOnly }, outcome: "not-applicable" },
  {
    when: "DNS that is silent proves nothing",
    facts: { dkim: dkimOf(silent), dmarcResult: spfOnly },
    outcome: "skipped",
  },
]);

testCheck(dkimCanonicalization, [
  {
    when: "a relaxed header bears refolding, whatever the body's form",
    facts: { dkim: dkimOf(signatureOf({ canon: { header: "relaxed", body: "simple" } })) },
    says: "The a.example signature uses relaxed/simple, which tolerates refolded headers.",
  },
  {
    when: "a simple header does not",
    facts: { dkim: dkimOf(signatureOf({ canon: { header: "simple", body: "simple" } })) },
    finds: ["fragile"],
    says: "The a.example signature uses simple/simple, so a refolded header breaks it.",
  },
]);
