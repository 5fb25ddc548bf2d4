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
    when: "a logo is announced",
    facts: { ...(await bimiOf("a.example", reject, right)), kind },
    says: `The BIMI record at ${name} publishes a logo.`,
  },
  {
    when: "a logo is declined",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=; a=;")),
    says: `The BIMI record at ${name} declines to show a logo.`,
  },
  {
    when: "a logo is declined, and something else stands in the record",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=; a=; junk=1")),
    finds: ["stray"],
    says: `The BIMI record at ${name} declines to show a logo, but also has junk=1.`,
  },
  {
    when: "a logo is declined by a record that cannot be read",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=; a=; junk")),
    finds: ["unusable"],
    fix: "Publish only this record: `v=BIMI1; l=; a=;`.",
  },
  {
    when: "an SPF record stands in its place",
    facts: await bimiOf("a.example", reject, texts("v=spf1 -all")),
    finds: ["misplaced"],
    says: `There is an SPF record at ${name}, where only a BIMI record belongs.`,
  },
  {
    when: "there is no record",
    facts: await bimiOf("a.example", reject, {}),
    finds: ["missing"],
    says: "a.example has no BIMI record.",
  },
  {
    when: "the logo has no TLS",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=http://a.example/logo.svg")),
    finds: ["unusable"],
    says: `The BIMI record at ${name} cannot be used. l=http://a.example/logo.svg is not a valid HTTPS URL.`,
    fix: "Publish only this record: `v=BIMI1; l=https://a.example/logo.svg;`.",
  },
  {
    when: "there are two records",
    facts: await bimiOf("a.example", reject, texts("v=BIMI1; l=;", "v=BIMI1; l=https://a.example/l.svg")),
    finds: ["unusable"],
  },
  {
    when: "the version is in small letters",
    facts: await bimiOf("a.example", reject, texts("v=bimi1; l=https://a.example/l.svg; a=https://a.example/c.pem")),
    finds: ["unusable"],
    fix: "Publish only this record: `v=BIMI1; l=https://a.example/l.svg; a=https://a.example/c.pem`.",
  },
  {
    when: "the policy is none",
    facts: await bimiOf("a.example", { "a.example": "p=none" }, right),
    finds: ["policy-too-weak"],
    says: "a.example has a BIMI record, but the DMARC policy for a.example (p=none) is too weak for BIMI.",
    ownedBy: "dmarc-policy.none",
  },
  {
    when: "subdomains are left open",
    facts: await bimiOf("a.example", { "a.example": "p=reject; sp=none" }, right),
    finds: ["policy-too-weak"],
    ownedBy: "dmarc-subdomains.weaker",
  },
  {
    when: "the organisation's policy is tried out",
    facts: await domainBimiOf("a.example", { "a.example": "p=quarantine; t=y" }, right),
    finds: ["policy-too-weak"],
    ownedBy: "dmarc-policy.testing",
  },
  {
    when: "the header that chooses a logo cannot be read",
    facts: await bimiOf("a.example", reject, right, {
      headers: "From: a@a.example\r\nBIMI-Selector: s=spring\r\n\r\n",
      signatures: [{ ...(await signed()), headers: ["from", "bimi-selector"] }],
    }),
    finds: ["selector"],
  },
  {
    when: "DMARC does not pass",
    facts: await bimiOf("a.example", reject, right, { signatures: [] }),
    outcome: "not-applicable",
  },
  { when: "DNS does not answer", facts: await bimiOf("a.example", reject, { [name]: "timeout" }), outcome: "skipped" },
  { when: "DNS does not tell whether DMARC passes", facts: { bimi: undecided }, outcome: "skipped" },
  {
    when: "a message comes from a free mailbox",
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
  { when: "the file is right", facts: withLogo({}), says: `The logo at ${url} is SVG Tiny PS (12000 bytes).` },
  {
    when: "there is no file",
    facts: withLogo({ status: 404, bytes: 0 }),
    finds: ["not-found"],
    says: `The logo at ${url} could not be fetched (404).`,
  },
  { when: "it leads on to another scheme", facts: withLogo({ status: 302 }), finds: ["not-found"] },
  { when: "the server is in trouble", facts: withLogo({ status: 503 }), outcome: "skipped" },
  {
    when: "a bitmap is in it",
    facts: withLogo({ problem: "it holds a bitmap (<image>)" }),
    finds: ["invalid"],
    says: `The logo at ${url} is not SVG Tiny PS: it holds a bitmap (<image>).`,
  },
  { when: "it is too large", facts: withLogo({ bytes: 33_000 }), finds: ["too-large"] },
  { when: "it is so large that it was not read", facts: withLogo({ bytes: null }), finds: ["too-large"] },
  {
    when: "its server has no TLS to be trusted",
    facts: withLogo({ status: null, bytes: 0, problem: "the server has an untrusted certificate" }),
    finds: ["not-found"],
    says: `The logo at ${url} could not be fetched (the server has an untrusted certificate).`,
  },
  { when: "nobody has fetched it", facts: { bimi }, outcome: "skipped" },
  { when: "DNS did not tell", facts: { bimi: undecided }, outcome: "skipped" },
  { when: "there is no logo", facts: { bimi: { ...bimi, l: null } }, outcome: "not-applicable" },
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
    when: "the certificate is valid for 200 days",
    facts: withMark({}),
    says: `The mark certificate at ${mark} matches the domain and the logo. It expires on 2027-06-09.`,
  },
  { when: "there is none", facts: { bimi: { ...bimi, a: null } }, finds: ["none"] },
  {
    when: "it expired yesterday",
    facts: withMark({ endsAt: fetchedAt - dayMs, problem: "it ended on 2026-11-20" }),
    finds: ["unusable"],
    fix: `Renew the certificate, or serve the SVG that it contains, unchanged, at ${url}.`,
  },
  {
    when: "it ends in ten days",
    facts: withMark({ endsAt: fetchedAt + 10 * dayMs }),
    finds: ["expiring"],
    says: `The mark certificate at ${mark} expires on 2026-12-01.`,
  },
  { when: "it ends in forty days", facts: withMark({ endsAt: fetchedAt + 40 * dayMs }) },
  { when: "nobody has fetched it", facts: { bimi }, outcome: "skipped" },
  { when: "DNS did not tell", facts: { bimi: undecided }, outcome: "skipped" },
  { when: "no logo is announced", facts: { bimi: { ...bimi, l: null } }, outcome: "not-applicable" },
]);
