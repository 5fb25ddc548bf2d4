import { parseTagList } from "../../dns/tag-list.ts";
import type { Bimi, Dmarc } from "../authentication-facts.ts";
import { defineCheck, type FindingId, notApplicable, passed, type Raised, skipped, type Verdict } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { KnownFacts } from "../facts.ts";
import { findMisplacedSpf } from "../mail-domain.ts";
import { whyNotTheAuthors } from "./policy-owner.ts";

type Finding = "missing" | "unusable" | "stray" | "misplaced" | "selector" | "policy-too-weak";

export const bimiRecord = defineCheck({
  id: "bimi-record",
  helpPage: "fix-bimi",
  label: "BIMI record",
  owner: "dns",
  asks: "whether the domain publishes a brand logo",
  why: "Gmail, Yahoo, Apple, and others can show the logo next to the message. BIMI is optional.",
  refs: ["draft-brand-indicators-for-message-identification §4.3, §7"],
  needs: ["bimi"],
  wants: ["dmarc", "kind", "zone"],
  passes: "The BIMI record at {name} {what}.",
  findings: {
    missing: {
      severity: "info",
      title: "No BIMI record",
      says: "{domain} has no BIMI record.",
      fix: "Optional: publish this TXT record at `default._bimi.{domain}`: `v=BIMI1; l=https://{domain}/logo.svg; a=https://{domain}/certificate.pem`.",
    },
    unusable: {
      severity: "minor",
      cost: 3,
      title: "Unusable BIMI record",
      says: "The BIMI record at {name} cannot be used. {problem}.",
      fix: "Publish only this record: `{corrected}`.",
    },
    stray: {
      severity: "info",
      title: "Stray tags in BIMI record",
      says: "The BIMI record at {name} declines to show a logo, but also has {tags}.",
      fix: "Publish only `v=BIMI1; l=; a=;`.",
    },
    misplaced: {
      severity: "minor",
      cost: 3,
      title: "SPF record at BIMI name",
      says: "There is an SPF record at {name}, where only a BIMI record belongs.",
      fix: "Remove the SPF record.",
    },
    selector: {
      severity: "minor",
      cost: 3,
      title: "Invalid BIMI-Selector header",
      owner: "email-service",
      says: "The BIMI-Selector header cannot be read, so receivers find no logo.",
      fix: "Send `BIMI-Selector: v=BIMI1; s=default`, or omit the header.",
    },
    "policy-too-weak": {
      helpPage: "fix-dmarc-policy",
      severity: "info",
      title: "DMARC policy too weak for BIMI",
      says: "{domain} has a BIMI record, but the DMARC policy for {policyDomain} ({policy}) is too weak for BIMI.",
      fix: "Publish `p=quarantine` or `p=reject` without `t=y` or `sp=none`.",
    },
  },
  run({ bimi, dmarc, kind, zone }) {
    const { domain, result, says, name, records } = bimi;
    if (result === "temperror") return skipped("timeout");
    if (domain === null) return notApplicable(says ?? "BIMI does not apply to this message.");
    const notTheirs = whyNotTheAuthors(domain, kind);
    if (notTheirs !== null) return notApplicable(notTheirs);
    if (dmarc.known && dmarc.value.exists.known && !dmarc.value.exists.value)
      return notApplicable(`${domain} does not exist. Fix that first.`);
    if (result === "none") return [toAbsence(bimi, domain, zone)];
    if (name === null) return [{ finding: "selector" }];
    const evidence = { records };
    if (result === "fail") {
      const data = {
        name,
        problem: says?.replace(/\.$/, "") ?? "It is not valid",
        corrected: correctBimi(records[0] ?? "", domain),
      };
      return [{ finding: "unusable", data, evidence }];
    }
    if (bimi.weakness !== null && result === "skipped") {
      const { at, reason } = bimi.weakness;
      const data = { domain, policyDomain: at, policy: reasonWords[reason] };
      const owner = ownerOf(bimi.weakness, dmarc);
      return [{ finding: "policy-too-weak", data, evidence, ...(owner && { ownedBy: owner }) }];
    }
    if (result === "declined") return toDeclined(bimi);
    return passed({ name, what: "publishes a logo" });
  },
});

function toAbsence(bimi: Bimi, domain: string, zone: KnownFacts["zone"]): Raised<Finding> {
  const spf = findMisplacedSpf(bimi, zone);
  return spf === null
    ? { finding: "missing", data: { domain } }
    : { finding: "misplaced", data: { name: bimi.name }, evidence: { records: [spf] } };
}

function toDeclined({ name, records, stray = [] }: Bimi): Verdict<Finding> {
  return stray.length > 0
    ? [{ finding: "stray", data: { name, tags: stray }, evidence: { records } }]
    : passed({ name, what: "declines to show a logo" });
}

type Weakness = NonNullable<Bimi["weakness"]>;

const reasonWords: Readonly<Record<Weakness["reason"], string>> = {
  none: "p=none",
  testing: "t=y",
  subdomains: "sp=none",
};

/** The check that judged the same policy. A parent organization's policy was not judged. */
function ownerOf({ at, reason }: Weakness, dmarc: Fact<Dmarc>): FindingId | null {
  if (!dmarc.known || dmarc.value.foundAt !== at) return null;
  if (reason === "testing") return "dmarc-policy.testing";
  if (dmarc.value.policy === "none") return "dmarc-policy.none";
  return reason === "subdomains" ? "dmarc-subdomains.weaker" : null;
}

export function correctBimi(record: string, domain: string): string {
  const { tags } = parseTagList(record);
  // An empty l= declines to show a logo.
  if (tags.some(({ name, value }) => name === "l" && value === "")) return "v=BIMI1; l=; a=;";
  const secure = (tag: "l" | "a", file: string) => {
    const written = tags.find(({ name }) => name === tag)?.value.replace(/^http:/i, "https:") ?? "";
    return /^https:\/\/[\w.-]+\.[\w-]+\/\S*$/i.test(written) ? written : `https://${domain}/${file}`;
  };
  const certificate = tags.some(({ name, value }) => name === "a" && value !== "");
  const logo = `v=BIMI1; l=${secure("l", "logo.svg")}`;
  return certificate ? `${logo}; a=${secure("a", "certificate.pem")}` : `${logo};`;
}
