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
    when: "a key without a version can be used",
    facts: signedBy(signatureOf({ key: await keyAt(`p=${p}`) })),
    says: "A usable DKIM key is published at s1._domainkey.a.example.",
  },
  {
    when: "a signature names a key that is not there",
    facts: signedBy(failingOf("key-missing", "there is no key", { key: none })),
    finds: ["missing"],
    says: "There is no DKIM key at s1._domainkey.a.example, so the a.example signature cannot be verified.",
    fix: "At s1._domainkey.a.example, publish the TXT or CNAME record that your email service gives you for selector s1.",
  },
  {
    when: "a selector that was entered must have its key",
    facts: await configured(),
    finds: ["missing"],
    says: "There is no DKIM key at s1._domainkey.a.example.",
  },
  {
    when: "a selector that was guessed or retired need not",
    facts: { dkimKeys: [publishedOf({ ...none, source: "probed" }), publishedOf({ revoked: true, source: "seen" })] },
    outcome: "not-applicable",
  },
  {
    when: "a message is signed with a key that was revoked",
    facts: signedBy(failingOf("key-revoked", "the key is revoked", { key: await keyAt("v=DKIM1; p=") })),
    finds: ["revoked"],
    says: "The DKIM key at s1._domainkey.a.example is revoked (empty p=), but a.example signed the message with it.",
  },
  { when: "a selector that was entered is revoked", facts: await configured("v=DKIM1; p="), finds: ["revoked"] },
  {
    when: "quotation marks and backslashes are taken out",
    facts: signedBy(failingOf("key-faulty", "quotation marks or backslashes stand in the record", { key: quoted })),
    finds: ["malformed"],
    says: "The DKIM key record at s1._domainkey.a.example cannot be used: quotation marks or backslashes stand in the record.",
    fix: `Publish the record that your email service gives you for selector s1 as one line, without quotation marks or line breaks: \`v=DKIM1; k=rsa; p=${p}\`.`,
  },
  {
    when: "a key that was cut short cannot be mended",
    facts: await configured(`v=DKIM1; p=${p.slice(0, 100)}`),
    finds: ["malformed"],
    fix: "Publish the record that your email service gives you for selector s1 as one line, without quotation marks or line breaks.",
  },
  {
    when: "the key is of another kind than the signature",
    facts: signedBy(
      failingOf("key-unsuitable", "the key type is rsa, but the signature has a=ed25519-sha256", { key: keyOf() }),
    ),
    finds: ["malformed"],
  },
  {
    when: "h= of the key leaves out the hash that is used",
    facts: signedBy(failingOf("key-unsuitable", 'h="sha1" does not allow sha256', { key: sha1Only })),
    finds: ["excluded"],
    says: 'The DKIM key record at s1._domainkey.a.example does not allow this use: h="sha1" does not allow sha256.',
    fix: "Remove `h=sha1` from the record.",
  },
  {
    when: "s= of the key leaves out e-mail",
    facts: await configured(`v=DKIM1; s=tlsrpt; p=${p}`),
    finds: ["excluded"],
    fix: "Remove `s=tlsrpt` from the record.",
  },
  {
    when: "two keys at one name leave the choice to the receiver",
    facts: signedBy(signatureOf({ key: two })),
    finds: ["several"],
    says: "There are 2 DKIM key records at s1._domainkey.a.example. Receivers may use any of them.",
  },
  {
    when: "a failing signature beside one that passes has another owner",
    facts: signedBy(
      signatureOf(),
      failingOf("key-missing", "x", { selector: "s2", key: { ...none, name: "s2._domainkey.a.example" } }),
    ),
    says: "A usable DKIM key is published at s1._domainkey.a.example.",
  },
  {
    when: "DNS that is silent proves nothing",
    facts: signedBy(failingOf("key-unknown", "x", { key: null })),
    outcome: "skipped",
  },
  { when: "a message that is not signed has another fault", facts: signedBy(), outcome: "not-applicable" },
]);

testCheck(dkimKeyStrength, [
  {
    when: "2,048 bits are enough",
    facts: signedBy(signatureOf()),
    says: "DKIM key length is sufficient: s1._domainkey.a.example (rsa, 2048 bits).",
  },
  {
    when: "an Ed25519 key is long enough",
    facts: signedBy(signatureOf({ key: keyOf({ type: "ed25519", bits: 256 }) })),
    finds: [],
  },
  {
    when: "512 bits are not accepted",
    facts: signedBy(failingOf("key-too-short", "the key has 512 bits", { key: keyOf({ bits: 512 }) })),
    finds: ["too-short"],
    says: "The DKIM key at s1._domainkey.a.example is 512 bits long. Receivers reject keys under 1,024 bits.",
    fix: "Create a 2,048-bit key under a new selector, publish it, switch the signer, then remove s1.",
  },
  {
    when: "nor are they for a selector that was entered",
    facts: { dkimKeys: [publishedOf({ bits: 768 })] },
    finds: ["too-short"],
  },
  {
    when: "1,024 bits are few",
    facts: signedBy(signatureOf({ key: keyOf({ bits: 1_024 }) })),
    finds: ["short"],
    says: "The DKIM key at s1._domainkey.a.example is 1024 bits long. Providers recommend 2,048 bits.",
    fix: "At your next rotation: create a 2,048-bit key under a new selector, publish it, switch the signer, then remove s1.",
  },
  {
    when: "the key of a service beside one's own is its own affair",
    facts: signedBy(signatureOf(), signatureOf({ ...foreign, key: keyOf({ bits: 1_024 }) })),
    finds: [],
  },
  {
    when: "a key that was only probed is no fault",
    facts: { dkimKeys: [publishedOf({ bits: 512, source: "probed" })] },
    outcome: "not-applicable",
  },
  {
    when: "DNS that is silent proves nothing",
    facts: signedBy(failingOf("key-unknown", "x", { key: null })),
    outcome: "skipped",
  },
]);

testCheck(dkimTesting, [
  {
    when: "t=s is no test",
    facts: signedBy(signatureOf({ key: await keyAt(`v=DKIM1; t=s; p=${p}`) })),
    says: "The DKIM key at s1._domainkey.a.example is not in test mode.",
  },
  {
    when: "t=y is one",
    facts: signedBy(signatureOf({ key: await keyAt(`v=DKIM1; t=y; p=${p}`) })),
    finds: ["flag"],
    says: "The DKIM key at s1._domainkey.a.example is in test mode (t=y).",
    fix: `Publish it without \`t=y\`: \`v=DKIM1; p=${p}\`.`,
  },
  {
    when: "the other flag stays",
    facts: await configured(`v=DKIM1; t=y:s; p=${p}`),
    finds: ["flag"],
    fix: `Publish it without \`t=y\`: \`v=DKIM1; t=s; p=${p}\`.`,
  },
  {
    when: "DNS that is silent proves nothing",
    facts: signedBy(failingOf("key-unknown", "x", { key: null })),
    outcome: "skipped",
  },
  {
    when: "a bare domain with a probed key has none that must be right",
    facts: { dkimKeys: [publishedOf({ testing: true, source: "probed" })] },
    outcome: "not-applicable",
  },
]);

const selectors = [publishedOf(), publishedOf({ selector: "s2", source: "probed" })];
const year = 365.25 * 86_400_000;
const history = { sameMessageId: 0, selectorsSeen: [] };

testCheck(dkimSelectors, [
  {
    when: "two keys leave room to switch",
    facts: { dkimKeys: selectors, history: { ...history, keyFirstSeen: { name, agoMs: year / 4 } } },
    says: "a.example publishes several DKIM keys: s1 and s2.",
  },
  {
    when: "a fresh domain shows none",
    facts: { dkimKeys: [] },
    finds: ["none-known"],
    says: "No DKIM key is known yet, so DKIM cannot be evaluated.",
    fix: "Send a test message, or enter the selector (the s= tag of a signature).",
  },
  {
    when: "one key, beside another that was revoked",
    facts: {
      dkimKeys: [publishedOf(), publishedOf({ selector: "s2", faults: [{ fault: "revoked", says: "revoked" }] })],
    },
    finds: ["single-key"],
    says: "Assay knows of only one DKIM key for a.example (s1).",
  },
  {
    when: "a key of fourteen months is old",
    facts: { dkimKeys: selectors, history: { ...history, keyFirstSeen: { name, agoMs: (14.1 / 12) * year } } },
    finds: ["old-key"],
    says: "The DKIM key at s1._domainkey.a.example has not changed in 14 months.",
  },
  {
    when: "a parked domain needs none",
    facts: { dkimKeys: [], parked: { isParked: true, why: "It takes no mail." } },
    outcome: "not-applicable",
  },
  {
    when: "the only key is revoked",
    facts: { dkimKeys: [publishedOf({ faults: [{ fault: "revoked", says: "revoked" }] })] },
    outcome: "not-applicable",
  },
]);
