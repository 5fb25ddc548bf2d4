import { defineCheck, notApplicable, passed, skipped } from "../check.ts";
import { whyNotTheAuthors } from "./policy-owner.ts";

const dayMs = 86_400_000;
const warningMs = 14 * dayMs;

export const bimiCertificate = defineCheck({
  id: "bimi-certificate",
  helpPage: "fix-bimi",
  label: "BIMI certificate",
  owner: "dns",
  asks: "whether a mark certificate backs the logo",
  why: "Gmail and Apple show the logo only with a mark certificate.",
  refs: ["draft-brand-indicators-for-message-identification §4.3", "Gmail BIMI requirements"],
  needs: ["bimi"],
  wants: ["kind"],
  passes: "The mark certificate at {url} matches the domain and the logo. It expires on {date}.",
  findings: {
    none: {
      severity: "info",
      title: "No mark certificate",
      says: "There is no mark certificate. Yahoo may show the logo, but Gmail and Apple will not.",
      fix: "Optional: get a mark certificate (VMC or CMC) and add its URL as `a=`.",
    },
    unusable: {
      severity: "minor",
      cost: 8,
      title: "Unusable mark certificate",
      says: "The mark certificate at {url} cannot be used: {problem}.",
      fix: "Renew the certificate, or serve the SVG that it contains, unchanged, at {logoUrl}.",
    },
    expiring: {
      severity: "minor",
      cost: 3,
      title: "Mark certificate expiring",
      says: "The mark certificate at {url} expires on {date}.",
      fix: "Renew the certificate, and replace the file at {url}.",
    },
  },
  run({ bimi, kind }) {
    const { domain, result, l, a, certificate } = bimi;
    if (result === "temperror") return skipped("timeout");
    const notTheirs = domain && whyNotTheAuthors(domain, kind);
    if (notTheirs) return notApplicable(notTheirs);
    if (l === null) return notApplicable("No BIMI record points to a logo.");
    if (a === null) return [{ finding: "none" }];
    if (!certificate.known) return skipped(certificate.why);
    const { url, endsAt, fetchedAt, problem } = certificate.value;
    if (problem !== null) return [{ finding: "unusable", data: { url, problem, logoUrl: l } }];
    if (endsAt === null) return skipped("parser-failed");
    const date = new Date(endsAt).toISOString().slice(0, 10);
    return endsAt - fetchedAt < warningMs ? [{ finding: "expiring", data: { url, date } }] : passed({ url, date });
  },
});
