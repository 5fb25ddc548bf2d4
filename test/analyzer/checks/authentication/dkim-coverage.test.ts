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
    when: "passes rsa-sha256, also next to Ed25519",
    facts: { dkim: dkimOf(ed25519, signatureOf()) },
    says: "The a.example signature uses rsa-sha256, which all receivers can verify.",
  },
  {
    when: "finds only rsa-sha1, which does not count as a signature",
    facts: { dkim: dkimOf(sha1) },
    finds: ["sha1"],
    why: "Receivers must no longer accept rsa-sha1.",
    says: "The a.example signature uses rsa-sha1, so receivers that follow RFC 8301 treat it as missing.",
  },
  {
    when: "passes rsa-sha1 next to a signature that passes, which another check judges",
    facts: { dkim: dkimOf(sha1, signatureOf({ selector: "s2" })) },
    finds: [],
  },
  {
    when: "finds only Ed25519, which not all receivers verify",
    facts: { dkim: dkimOf(ed25519, signatureOf(foreign)) },
    finds: ["ed25519-only"],
    says: "The only valid a.example signature uses Ed25519, which several large providers do not verify.",
  },
  { when: "is skipped while DNS does not answer", facts: { dkim: dkimOf(silent) }, outcome: "skipped" },
  {
    when: "does not apply to a signature of another domain",
    facts: { dkim: dkimOf(signatureOf({ ...foreign, algorithm: "ed25519-sha256" })) },
    outcome: "not-applicable",
  },
]);

testCheck(dkimBodyLength, [
  {
    when: "passes a signature of the whole body",
    facts: { dkim: dkimOf(signatureOf()) },
    says: "The a.example signature covers the whole body.",
  },
  {
    when: "finds a signature of part of the body",
    facts: { dkim: dkimOf(signatureOf({ bodyLength: 500 })) },
    finds: ["partial"],
    says: "The a.example signature covers only 500 of 2000 body bytes. The rest is not protected.",
  },
  {
    when: "finds a signature that allows text to be appended",
    facts: { dkim: dkimOf(signatureOf({ bodyLength: 2_000 })) },
    finds: ["limited"],
    says: "The a.example signature uses l=2000, so text can be appended without breaking it.",
  },
  {
    when: "finds a partial signature next to a complete one",
    facts: { dkim: dkimOf(signatureOf(), signatureOf({ selector: "s2", bodyLength: 500 })) },
    finds: ["partial"],
  },
  { when: "does not apply to an unsigned message", facts: { dkim: dkimOf() }, outcome: "not-applicable" },
]);

const message = messageOf(
  "From: ann@a.example\r\nTo: bob@b.example\r\nSubject: Hi\r\nDate: x\r\nContent-Type: text/plain\r\nMessage-ID: <x@a.example>\r\n",
);
const signing = (...headers: readonly string[]) => ({ message, dkim: dkimOf(signatureOf({ headers })) });
const usual = ["from", "from", "subject", "subject", "date", "to", "content-type"];

testCheck(dkimSignedHeaders, [
  {
    when: "passes if all visible headers are signed, each once more than it occurs",
    facts: signing(...usual),
    says: "The a.example signature covers the visible headers and prevents a second From or Subject.",
  },
  {
    when: "finds a signature without From",
    facts: {
      message,
      dkim: dkimOf(failingOf("from-unsigned", "h= does not list From", { headers: ["subject", "date"] })),
    },
    finds: ["from-unsigned"],
  },
  {
    when: "finds an unsigned Subject",
    facts: signing("from", "from", "date", "to", "content-type"),
    finds: ["visible-unsigned"],
    says: "The a.example signature does not protect Subject from changes.",
  },
  {
    when: "reports less important unsigned headers",
    facts: signing("from", "from", "subject", "subject", "date"),
    finds: ["others-unsigned"],
    says: "The a.example signature does not cover To and Content-Type.",
  },
  {
    when: "reports From and Subject that are signed only once",
    facts: signing("from", "subject", "date", "to", "content-type"),
    finds: ["not-oversigned"],
    says: "The a.example signature does not stop someone from adding a second From or Subject header.",
  },
]);

testCheck(dkimIdentity, [
  {
    when: "passes an identity at a subdomain",
    facts: { dkim: dkimOf(signatureOf({ identity: "@news.a.example" })) },
    says: "The signature's identity, @news.a.example, is within a.example.",
  },
  {
    when: "finds an identity at another domain",
    facts: { dkim: dkimOf(failingOf("identity", "it lies outside", { identity: "@b.example" })) },
    finds: ["outside"],
    says: "The signature has i=@b.example, which is outside d=a.example.",
  },
  {
    when: "finds an identity at a subdomain if the key allows only its own domain",
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
    when: "passes a signature that is valid for a week",
    facts: { session, dkim: dkimOf(signatureOf({ signedAt: receivedAt + 30_000, expiresAt: receivedAt + 7 * day })) },
    says: "The timestamps in the a.example signature are valid.",
  },
  {
    when: "finds a signature that expired an hour ago",
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
    when: "finds a signature that expires before it starts",
    facts: {
      session,
      dkim: dkimOf(failingOf("expired", "x=10 is not later than t=20", { signedAt: 20_000, expiresAt: 10_000 })),
    },
    finds: ["expired"],
    says: "The a.example signature expired before it was created: x=10 is not later than t=20.",
  },
  {
    when: "finds a signature from the future",
    facts: { session, dkim: dkimOf(signatureOf({ signedAt: receivedAt + 2 * hour })) },
    finds: ["future"],
    says: "The a.example signature is dated 2 hours in the future.",
  },
  {
    when: "finds a signature that is valid for only an hour",
    facts: { session, dkim: dkimOf(signatureOf({ signedAt: receivedAt, expiresAt: receivedAt + hour })) },
    finds: ["short-life"],
    says: "The a.example signature is valid for only 60 minutes. A delayed message may arrive too late.",
  },
  {
    when: "does not apply to an unreadable signature",
    facts: { session, dkim: dkimOf(failingOf("bad-name", "x", { domain: null, signedAt: receivedAt + 2 * hour })) },
    outcome: "not-applicable",
  },
  { when: "passes a signature without times", facts: { session, dkim: dkimOf(signatureOf()) }, finds: [] },
]);

const spfOnly = dmarcResultOf({ alignedBy: ["spf"], dkimAligned: known(false) });

testCheck(dkimAlignment, [
  {
    when: "reports a signature of the author's domain",
    facts: { dkim: dkimOf(signatureOf(foreign), signatureOf()), dmarcResult: dmarcResultOf() },
    finds: ["pass"],
    says: "a.example signed the message with selector s1 (rsa-sha256, 2048 bits).",
  },
  {
    when: "finds only the service's own signature",
    facts: { dkim: dkimOf(signatureOf(foreign)), dmarcResult: spfOnly, kind: kindOf({ esp: acme }) },
    finds: ["provider-only"],
    says: "The message has a valid DKIM signature for esp.example, but not for a.example. Only SPF authenticates a.example.",
    fix: "Authenticate a.example with Acme Mail and publish the DKIM records that your email service gives you. Signatures will then have d=a.example.",
  },
  {
    when: "does not apply if nothing aligns, which DMARC reports",
    facts: {
      dkim: dkimOf(signatureOf(foreign)),
      dmarcResult: dmarcResultOf({ result: "fail", alignedBy: [], dkimAligned: known(false) }),
    },
    outcome: "not-applicable",
  },
  {
    when: "does not apply if SPF aligns under strict alignment",
    facts: { dkim: dkimOf(signatureOf()), dmarcResult: spfOnly },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while the signer's organization is unknown",
    facts: {
      dkim: dkimOf(signatureOf(foreign)),
      dmarcResult: dmarcResultOf({ alignedBy: ["spf"], dkimAligned: unknown("timeout") }),
    },
    outcome: "skipped",
  },
  {
    when: "does not apply if no signature verifies",
    facts: { dkim: dkimOf(sha1), dmarcResult: spfOnly },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: { dkim: dkimOf(silent), dmarcResult: spfOnly },
    outcome: "skipped",
  },
]);

testCheck(dkimCanonicalization, [
  {
    when: "passes a relaxed header, which survives refolding, with any body form",
    facts: { dkim: dkimOf(signatureOf({ canon: { header: "relaxed", body: "simple" } })) },
    says: "The a.example signature uses relaxed/simple, which tolerates refolded headers.",
  },
  {
    when: "finds a simple header, which does not survive refolding",
    facts: { dkim: dkimOf(signatureOf({ canon: { header: "simple", body: "simple" } })) },
    finds: ["fragile"],
    says: "The a.example signature uses simple/simple, so a refolded header breaks it.",
  },
]);
