// What a reader of RFC 7489 makes of the same message: organisations by the public suffix list, no psd, np or t.

import type { DmarcResult } from "../checks/authentication-facts.ts";
import type { Dns } from "../dns/answer.ts";
import { toAsciiDomain } from "../mail/author-domain.ts";
import { toRegistrableDomain } from "../mail/registrable-domain.ts";
import type { Proof } from "./alignment.ts";
import { type DmarcStep, readStep } from "./dmarc-walk.ts";

/** No result where there is no record by that reading, or where what is unknown might have changed it. */
export async function judgeByList(
  author: string,
  proofs: readonly Proof[],
  spfIsKnown: boolean,
  dns: Dns,
): Promise<Pick<DmarcResult, "pslEraResult" | "pslOrgDomain">> {
  const pslOrgDomain = toRegistrableDomain(author);
  const step = await findStep(author, pslOrgDomain, dns);
  const tags = step?.record?.policies ? step.record.tags : null;
  if (tags === null) return { pslEraResult: null, pslOrgDomain };
  const aligns = ({ by, domain }: Proof) => {
    const name = domain === null ? null : toAsciiDomain(domain);
    if (name === null) return false;
    const isStrict = (by === "spf" ? tags.aspf : tags.adkim) === "s";
    return isStrict ? name === author : toRegistrableDomain(name) === pslOrgDomain;
  };
  const aligned = proofs.filter(aligns);
  if (aligned.some(({ result }) => result === "pass")) return { pslEraResult: "pass", pslOrgDomain };
  const isOpen = !spfIsKnown || aligned.some(({ result }) => result === "temperror");
  return { pslEraResult: isOpen ? null : "fail", pslOrgDomain };
}

/** RFC 7489 §6.6.3: the author domain, else its organisational domain; null while DNS leaves it open. */
async function findStep(author: string, orgDomain: string, dns: Dns): Promise<DmarcStep | null> {
  const [own, org] = await Promise.all([author, orgDomain].map((domain) => readStep(domain, dns)));
  if (!own?.known) return null;
  if (own.value.record !== null) return own.value;
  return org?.known ? org.value : null;
}
