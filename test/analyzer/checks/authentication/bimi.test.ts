import { bimiCertificate } from "../../../../src/analyzer/checks/authentication/bimi-certificate.ts";
import { bimiLogo } from "../../../../src/analyzer/checks/authentication/bimi-logo.ts";
import { bimiRecord } from "../../../../src/analyzer/checks/authentication/bimi-record.ts";
import type { Bimi, BimiCertificate, BimiLogo } from "../../../../src/analyzer/checks/authentication-facts.ts";
import { known } from "../../../../src/analyzer/checks/fact.ts";
import { testCheck } from "../test-check.ts";
import { bimiOf, domainBimiOf, kindOf } from "./policy-facts.ts";

const kind = kindOf();
const name = "default._bimi.a.example";
const texts = (...TXT: string[]) => ({ [name]: { TXT } });
const reject = { "a.example": "p=reject" };
const right = texts("v=BIMI1; l=https://a.example/logo.svg; a=https://a.example/mark.pem");

/** Nobody knows whether a receiver would look for a logo. */
const undecided: Bimi = { ...(await bimiOf("a.example", reject, {})).bimi, domain: null, result: "temperror" };

testCheck(bimiRecord, [
  {
    when: "passes a record with a logo",
    facts: { ...(await bimiOf("a.example", reject, right)), kind },
    says: `The BIMI record at ${name} publishes a logo.`,
  },
  {
    when: "passes a record that declines a logo",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=; a=;")),
    says: `The BIMI record at ${name} declines to show a logo.`,
  },
  {
    when: "finds stray tags in a record that declines a logo",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=; a=; junk=1")),
    finds: ["stray"],
    says: `The BIMI record at ${name} declines to show a logo, but also has junk=1.`,
  },
  {
    when: "finds an unreadable record that declines a logo",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=; a=; junk")),
    finds: ["unusable"],
    fix: "Publish only this record: `v=BIMI1; l=; a=;`.",
  },
  {
    when: "finds an SPF record at the BIMI name",
    facts: await bimiOf("a.example", reject, texts("v=spf1 -all")),
    finds: ["misplaced"],
    says: `There is an SPF record at ${name}, where only a BIMI record belongs.`,
  },
  {
    when: "finds a missing record",
    facts: await bimiOf("a.example", reject, {}),
    finds: ["missing"],
    says: "a.example has no BIMI record.",
  },
  {
    when: "finds a logo without TLS",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=http://a.example/logo.svg")),
    finds: ["unusable"],
    says: `The BIMI record at ${name} cannot be used. l=http://a.example/logo.svg is not a valid HTTPS URL.`,
    fix: "Publish only this record: `v=BIMI1; l=https://a.example/logo.svg;`.",
  },
  {
    when: "finds two records",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=;", "v=BIMI1; l=https://a.example/l.svg")),
    finds: ["unusable"],
  },
  {
    when: "finds a version in lowercase letters",
    facts: await bimiOf("a.example", reject, texts("v=bimi1; l=https://a.example/l.svg; a=https://a.example/c.pem")),
    finds: ["unusable"],
    fix: "Publish only this record: `v=BIMI1; l=https://a.example/l.svg; a=https://a.example/c.pem`.",
  },
  {
    when: "finds the policy none",
    facts: await bimiOf("a.example", { "a.example": "p=none" }, right),
    finds: ["policy-too-weak"],
    says: "a.example has a BIMI record, but the DMARC policy for a.example (p=none) is too weak for BIMI.",
    ownedBy: "dmarc-policy.none",
  },
  {
    when: "finds unprotected subdomains",
    facts: await bimiOf("a.example", { "a.example": "p=reject; sp=none" }, right),
    finds: ["policy-too-weak"],
    ownedBy: "dmarc-subdomains.weaker",
  },
  {
    when: "finds an organization's policy in test mode",
    facts: await domainBimiOf("a.example", { "a.example": "p=quarantine; t=y" }, right),
    finds: ["policy-too-weak"],
    ownedBy: "dmarc-policy.testing",
  },
  {
    when: "finds an unreadable header that selects the logo",
    facts: await bimiOf("a.example", reject, right, {
      headers: "From: a@a.example\r\nBIMI-Selector: s=spring\r\n\r\n",
      signatures: [{ ...(await signed()), headers: ["from", "bimi-selector"] }],
    }),
    finds: ["selector"],
  },
  {
    when: "does not apply if DMARC does not pass",
    facts: await bimiOf("a.example", reject, right, { signatures: [] }),
    outcome: "not-applicable",
  },
  {
    when: "is skipped while DNS does not answer",
    facts: await bimiOf("a.example", reject, { [name]: "timeout" }),
    outcome: "skipped",
  },
  { when: "is skipped while the DMARC result is unknown", facts: { bimi: undecided }, outcome: "skipped" },
  {
    when: "does not apply to a message from a free mailbox",
    facts: { ...(await bimiOf("gmail.com", { "gmail.com": "p=none" }, {})), kind },
    outcome: "not-applicable",
  },
]);

async function signed() {
  const { signature } = await import("../../facts/dmarc-world.ts");
  return signature("pass", "a.example");
}

const { bimi } = await bimiOf("a.example", reject, right);
const url = "https://a.example/logo.svg";
const withLogo = (rest: Partial<BimiLogo>): { bimi: Bimi } => ({
  bimi: { ...bimi, logo: known({ url, status: 200, bytes: 12_000, problem: null, ...rest }) },
});

testCheck(bimiLogo, [
  { when: "passes a valid file", facts: withLogo({}), says: `The logo at ${url} is SVG Tiny PS (12000 bytes).` },
  {
    when: "finds a missing file",
    facts: withLogo({ status: 404, bytes: 0 }),
    finds: ["not-found"],
    says: `The logo at ${url} could not be fetched (404).`,
  },
  { when: "finds a redirect to another scheme", facts: withLogo({ status: 302 }), finds: ["not-found"] },
  { when: "is skipped while the server has an error", facts: withLogo({ status: 503 }), outcome: "skipped" },
  {
    when: "finds a bitmap in the logo",
    facts: withLogo({ problem: "it holds a bitmap (<image>)" }),
    finds: ["invalid"],
    says: `The logo at ${url} is not SVG Tiny PS: it holds a bitmap (<image>).`,
  },
  { when: "finds a logo that is too large", facts: withLogo({ bytes: 33_000 }), finds: ["too-large"] },
  { when: "finds a logo so large that it was not read", facts: withLogo({ bytes: null }), finds: ["too-large"] },
  {
    when: "finds a server without trusted TLS",
    facts: withLogo({ status: null, bytes: 0, problem: "the server has an untrusted certificate" }),
    finds: ["not-found"],
    says: `The logo at ${url} could not be fetched (the server has an untrusted certificate).`,
  },
  { when: "is skipped if the file was not fetched", facts: { bimi }, outcome: "skipped" },
  { when: "is skipped while DNS does not answer", facts: { bimi: undecided }, outcome: "skipped" },
  { when: "does not apply without a logo", facts: { bimi: { ...bimi, l: null } }, outcome: "not-applicable" },
]);

const dayMs = 86_400_000;
const fetchedAt = Date.UTC(2026, 10, 21);
const mark = "https://a.example/mark.pem";
const withMark = (rest: Partial<BimiCertificate>): { bimi: Bimi } => ({
  bimi: {
    ...bimi,
    certificate: known({ url: mark, fetchedAt, endsAt: fetchedAt + 200 * dayMs, problem: null, ...rest }),
  },
});

testCheck(bimiCertificate, [
  {
    when: "passes a certificate that is valid for 200 days",
    facts: withMark({}),
    says: `The mark certificate at ${mark} matches the domain and the logo. It expires on 2027-06-09.`,
  },
  { when: "reports a logo without a certificate", facts: { bimi: { ...bimi, a: null } }, finds: ["none"] },
  {
    when: "finds a certificate that expired yesterday",
    facts: withMark({ endsAt: fetchedAt - dayMs, problem: "it ended on 2026-11-20" }),
    finds: ["unusable"],
    fix: `Renew the certificate, or serve the SVG that it contains, unchanged, at ${url}.`,
  },
  {
    when: "finds a certificate that expires in ten days",
    facts: withMark({ endsAt: fetchedAt + 10 * dayMs }),
    finds: ["expiring"],
    says: `The mark certificate at ${mark} expires on 2026-12-01.`,
  },
  { when: "passes a certificate that expires in forty days", facts: withMark({ endsAt: fetchedAt + 40 * dayMs }) },
  { when: "is skipped if the certificate was not fetched", facts: { bimi }, outcome: "skipped" },
  { when: "is skipped while DNS does not answer", facts: { bimi: undecided }, outcome: "skipped" },
  { when: "does not apply without a logo", facts: { bimi: { ...bimi, l: null } }, outcome: "not-applicable" },
]);
