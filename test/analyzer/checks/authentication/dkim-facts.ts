// Signatures of a message from a.example: one passes for it, unless a case says otherwise.

import type { AlignedSignature, Dkim, DkimKey, DkimWhy } from "../../../../src/analyzer/checks/authentication-facts.ts";
import type { PublishedKey } from "../../../../src/analyzer/checks/facts.ts";
import { verdictFor } from "../../../../src/analyzer/facts/signature-verdict.ts";
import { toSignatureKeys } from "../../../../src/analyzer/reports/known-facts.ts";

export function keyOf(more: Partial<DkimKey> = {}): DkimKey {
  return {
    name: "s1._domainkey.a.example",
    records: ["v=DKIM1; k=rsa; p=MIIB"],
    type: "rsa",
    bits: 2_048,
    revoked: false,
    testing: false,
    strictIdentity: false,
    hashes: null,
    services: ["*"],
    faults: [],
    ...more,
  };
}

export function signatureOf(more: Partial<AlignedSignature> = {}): AlignedSignature {
  const { domain = "a.example", selector = "s1" } = more;
  return {
    index: 0,
    result: "pass",
    why: null,
    says: null,
    domain,
    selector,
    identity: `@${domain}`,
    algorithm: "rsa-sha256",
    canon: { header: "relaxed", body: "relaxed" },
    headers: ["from", "from", "subject", "subject", "date", "to", "content-type", "reply-to"],
    bodyLength: null,
    bodyBytes: 2_000,
    signedAt: null,
    expiresAt: null,
    key: keyOf({ name: `${selector}._domainkey.${domain}` }),
    aligned: { relaxed: domain === "a.example", strict: domain === "a.example" },
    ...more,
  };
}

export function failingOf(why: DkimWhy, says: string, more: Partial<AlignedSignature> = {}): AlignedSignature {
  return signatureOf({ ...verdictFor(why, says), ...more });
}

export const foreign = { domain: "esp.example", selector: "e1" } as const;

export function dkimOf(...signatures: readonly AlignedSignature[]): Dkim {
  const passing = [...signatures.keys()].filter((index) => signatures[index]?.result === "pass");
  const best = passing.find((index) => signatures[index]?.aligned.relaxed) ?? passing[0] ?? null;
  return { signatures: signatures.map((signature, index) => ({ ...signature, index })), best, ignored: 0 };
}

/** With the keys that they name. */
export function signedBy(...signatures: readonly AlignedSignature[]) {
  const dkim = dkimOf(...signatures);
  return { dkim, dkimKeys: toSignatureKeys(dkim) };
}

export function publishedOf(more: Partial<PublishedKey> = {}): PublishedKey {
  const { selector = "s1" } = more;
  const key = keyOf({ name: `${selector}._domainkey.a.example` });
  return { ...key, selector, domain: "a.example", source: "configured", ...more };
}
