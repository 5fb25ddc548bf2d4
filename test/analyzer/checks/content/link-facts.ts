import type { AlignedSignature, Dkim } from "../../../../src/analyzer/checks/authentication-facts.ts";
import { known } from "../../../../src/analyzer/checks/fact.ts";
import type { DomainListing, Row } from "../../../../src/analyzer/checks/infrastructure-facts.ts";

/** What a list says of a linked domain. */
export function listing(domain: string, more: Partial<DomainListing> = {}): Row<DomainListing> {
  const value: DomainListing = {
    domain,
    roles: ["link"],
    zone: "dbl.spamhaus.org",
    class: "bad",
    listed: true,
    code: "127.0.1.4",
    meaning: "phishing",
    text: null,
    delistUrl: "https://check.spamhaus.org/",
    ...more,
  };
  return { of: `${domain} at ${value.zone}`, fact: known(value) };
}

export function signedBy(domain: string, result: AlignedSignature["result"] = "pass"): { readonly dkim: Dkim } {
  const signature: AlignedSignature = {
    index: 0,
    result,
    why: null,
    says: null,
    domain,
    selector: "s",
    identity: `@${domain}`,
    algorithm: "rsa-sha256",
    canon: { header: "relaxed", body: "relaxed" },
    headers: ["from"],
    bodyLength: null,
    bodyBytes: 10,
    signedAt: null,
    expiresAt: null,
    key: null,
    aligned: { relaxed: false, strict: false },
  };
  return { dkim: { signatures: [signature], best: 0, ignored: 0 } };
}
