import { dkimKey } from "../../../../src/analyzer/checks/authentication/dkim-key.ts";
import { dkimKeyStrength } from "../../../../src/analyzer/checks/authentication/dkim-key-strength.ts";
import { dkimSelectors } from "../../../../src/analyzer/checks/authentication/dkim-selectors.ts";
import { dkimTesting } from "../../../../src/analyzer/checks/authentication/dkim-testing.ts";
import type { DkimKey } from "../../../../src/analyzer/checks/authentication-facts.ts";
import { createZoneDns } from "../../../../src/analyzer/dns/zone.ts";
import { askDkimKey } from "../../../../src/analyzer/facts/dkim-keys.ts";
import { newRsaKey, toPublished } from "../../mail/signing/sign.ts";
import { testCheck } from "../test-check.ts";
import { failingOf, foreign, keyOf, publishedOf, signatureOf, signedBy } from "./dkim-facts.ts";

const name = "s1._domainkey.a.example";
const p = toPublished(newRsaKey(2_048));

async function keyAt(...texts: readonly string[]): Promise<DkimKey> {
  const fact = await askDkimKey(name, createZoneDns({ [name]: { TXT: texts } }));
  if (!fact.known) throw new Error(fact.why);
  return fact.value.key;
}

/** A key that no message was signed with. */
const configured = async (...texts: readonly string[]) => ({ dkimKeys: [publishedOf(await keyAt(...texts))] });

const none = await keyAt();
const quoted = await keyAt(`"v=DKIM1\\; k=rsa\\; p=${p}"`);
const sha1Only = await keyAt(`v=DKIM1; h=sha1; p=${p}`);
const two = await keyAt(`p=${p}`, `v=DKIM1; p=${p}`);

testCheck(dkimKey, [
  {
    when: "passes a key without a version",
    facts: signedBy(signatureOf({ key: await keyAt(`p=${p}`) })),
    says: "A usable DKIM key is published at s1._domainkey.a.example.",
  },
  {
    when: "finds a signature whose key is missing",
    facts: signedBy(failingOf("key-missing", "there is no key", { key: none })),
    finds: ["missing"],
    says: "There is no DKIM key at s1._domainkey.a.example, so the a.example signature cannot be verified.",
    fix: "At s1._domainkey.a.example, publish the TXT or CNAME record that your email service gives you for selector s1.",
  },
  {
    when: "finds a configured selector without a key",
    facts: await configured(),
    finds: ["missing"],
    says: "There is no DKIM key at s1._domainkey.a.example.",
  },
  {
    when: "does not apply to a guessed or retired selector without a key",
    facts: { dkimKeys: [publishedOf({ ...none, source: "probed" }), publishedOf({ revoked: true, source: "seen" })] },
    outcome: "not-applicable",
  },
  {
    when: "finds a signature whose key was revoked",
    facts: signedBy(failingOf("key-revoked", "the key is revoked", { key: await keyAt("v=DKIM1; p=") })),
    finds: ["revoked"],
    says: "The DKIM key at s1._domainkey.a.example is revoked (empty p=), but a.example signed the message with it.",
  },
  {
    when: "finds a configured selector whose key was revoked",
    facts: await configured("v=DKIM1; p="),
    finds: ["revoked"],
  },
  {
    when: "finds quotation marks and backslashes, and suggests the key without them",
    facts: signedBy(failingOf("key-faulty", "quotation marks or backslashes stand in the record", { key: quoted })),
    finds: ["malformed"],
    says: "The DKIM key record at s1._domainkey.a.example cannot be used: quotation marks or backslashes stand in the record.",
    fix: `Publish the record that your email service gives you for selector s1 as one line, without quotation marks or line breaks: \`v=DKIM1; k=rsa; p=${p}\`.`,
  },
  {
    when: "finds a truncated key, which cannot be corrected",
    facts: await configured(`v=DKIM1; p=${p.slice(0, 100)}`),
    finds: ["malformed"],
    fix: "Publish the record that your email service gives you for selector s1 as one line, without quotation marks or line breaks.",
  },
  {
    when: "finds a key of another type than the signature",
    facts: signedBy(
      failingOf("key-unsuitable", "the key type is rsa, but the signature has a=ed25519-sha256", { key: keyOf() }),
    ),
    finds: ["malformed"],
  },
  {
    when: "finds a key whose h= excludes the hash that is used",
    facts: signedBy(failingOf("key-unsuitable", 'h="sha1" does not allow sha256', { key: sha1Only })),
    finds: ["excluded"],
    says: 'The DKIM key record at s1._domainkey.a.example does not allow this use: h="sha1" does not allow sha256.',
    fix: "Remove `h=sha1` from the record.",
  },
  {
    when: "finds a key whose s= excludes email",
    facts: await configured(`v=DKIM1; s=tlsrpt; p=${p}`),
    finds: ["excluded"],
    fix: "Remove `s=tlsrpt` from the record.",
  },
  {
    when: "finds two keys at one name, of which a receiver may choose either",
    facts: signedBy(signatureOf({ key: two })),
    finds: ["several"],
    says: "There are 2 DKIM key records at s1._domainkey.a.example. Receivers may use any of them.",
  },
  {
    when: "leaves a failing signature next to one that passes to another check",
    facts: signedBy(
      signatureOf(),
      failingOf("key-missing", "x", { selector: "s2", key: { ...none, name: "s2._domainkey.a.example" } }),
    ),
    says: "A usable DKIM key is published at s1._domainkey.a.example.",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: signedBy(failingOf("key-unknown", "x", { key: null })),
    outcome: "skipped",
  },
  { when: "does not apply to an unsigned message", facts: signedBy(), outcome: "not-applicable" },
]);

testCheck(dkimKeyStrength, [
  {
    when: "passes a key of 2,048 bits",
    facts: signedBy(signatureOf()),
    says: "DKIM key length is sufficient: s1._domainkey.a.example (rsa, 2048 bits).",
  },
  {
    when: "passes an Ed25519 key",
    facts: signedBy(signatureOf({ key: keyOf({ type: "ed25519", bits: 256 }) })),
    finds: [],
  },
  {
    when: "finds a key of 512 bits",
    facts: signedBy(failingOf("key-too-short", "the key has 512 bits", { key: keyOf({ bits: 512 }) })),
    finds: ["too-short"],
    says: "The DKIM key at s1._domainkey.a.example is 512 bits long. Receivers reject keys under 1,024 bits.",
    fix: "Create a 2,048-bit key under a new selector, publish it, switch the signer, then remove s1.",
  },
  {
    when: "finds a key of 512 bits at a configured selector",
    facts: { dkimKeys: [publishedOf({ bits: 768 })] },
    finds: ["too-short"],
  },
  {
    when: "finds a key of 1,024 bits",
    facts: signedBy(signatureOf({ key: keyOf({ bits: 1_024 }) })),
    finds: ["short"],
    says: "The DKIM key at s1._domainkey.a.example is 1024 bits long. Providers recommend 2,048 bits.",
    fix: "At your next rotation: create a 2,048-bit key under a new selector, publish it, switch the signer, then remove s1.",
  },
  {
    when: "ignores the key of another service",
    facts: signedBy(signatureOf(), signatureOf({ ...foreign, key: keyOf({ bits: 1_024 }) })),
    finds: [],
  },
  {
    when: "does not apply to a key that was only probed",
    facts: { dkimKeys: [publishedOf({ bits: 512, source: "probed" })] },
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: signedBy(failingOf("key-unknown", "x", { key: null })),
    outcome: "skipped",
  },
]);

testCheck(dkimTesting, [
  {
    when: "passes t=s, which is not the test flag",
    facts: signedBy(signatureOf({ key: await keyAt(`v=DKIM1; t=s; p=${p}`) })),
    says: "The DKIM key at s1._domainkey.a.example is not in test mode.",
  },
  {
    when: "finds t=y",
    facts: signedBy(signatureOf({ key: await keyAt(`v=DKIM1; t=y; p=${p}`) })),
    finds: ["flag"],
    says: "The DKIM key at s1._domainkey.a.example is in test mode (t=y).",
    fix: `Publish it without \`t=y\`: \`v=DKIM1; p=${p}\`.`,
  },
  {
    when: "keeps the other flag when it suggests to remove t=y",
    facts: await configured(`v=DKIM1; t=y:s; p=${p}`),
    finds: ["flag"],
    fix: `Publish it without \`t=y\`: \`v=DKIM1; t=s; p=${p}\`.`,
  },
  {
    when: "is skipped while DNS does not answer",
    facts: signedBy(failingOf("key-unknown", "x", { key: null })),
    outcome: "skipped",
  },
  {
    when: "does not apply to a domain without a message whose key was only probed",
    facts: { dkimKeys: [publishedOf({ testing: true, source: "probed" })] },
    outcome: "not-applicable",
  },
]);

const selectors = [publishedOf(), publishedOf({ selector: "s2", source: "probed" })];
const year = 365.25 * 86_400_000;
const history = { sameMessageId: 0, selectorsSeen: [] };

testCheck(dkimSelectors, [
  {
    when: "passes two keys, which allow a rotation",
    facts: { dkimKeys: selectors, history: { ...history, keyFirstSeen: { name, agoMs: year / 4 } } },
    says: "a.example publishes several DKIM keys: s1 and s2.",
  },
  {
    when: "reports a new domain without a known key",
    facts: { dkimKeys: [] },
    finds: ["none-known"],
    says: "No DKIM key is known yet, so DKIM cannot be evaluated.",
    fix: "Send a test message, or enter the selector (the s= tag of a signature).",
  },
  {
    when: "reports one key next to a revoked one",
    facts: {
      dkimKeys: [publishedOf(), publishedOf({ selector: "s2", faults: [{ fault: "revoked", says: "revoked" }] })],
    },
    finds: ["single-key"],
    says: "Assay knows of only one DKIM key for a.example (s1).",
  },
  {
    when: "finds a key that is fourteen months old",
    facts: { dkimKeys: selectors, history: { ...history, keyFirstSeen: { name, agoMs: (14.1 / 12) * year } } },
    finds: ["old-key"],
    says: "The DKIM key at s1._domainkey.a.example has not changed in 14 months.",
  },
  {
    when: "does not apply to a parked domain",
    facts: { dkimKeys: [], parked: { isParked: true, why: "It takes no mail." } },
    outcome: "not-applicable",
  },
  {
    when: "does not apply if the only key is revoked",
    facts: { dkimKeys: [publishedOf({ faults: [{ fault: "revoked", says: "revoked" }] })] },
    outcome: "not-applicable",
  },
]);
