// Whether a domain that SPF or DKIM proved belongs to the author's organisation (RFC 9989 §4.10.2).

import type { DkimSignature, Dmarc, SpfResult } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import { type Dns, isWithin } from "../dns/answer.ts";
import { toAsciiDomain } from "../mail/author-domain.ts";
import { toRegistrableDomain } from "../mail/registrable-domain.ts";
import { gatherOrgDomain } from "./dmarc-walk.ts";

export type Alignment = { readonly relaxed: Fact<boolean>; readonly strict: boolean };

/** What SPF or one signature proved. */
export type Proof = {
  readonly by: "spf" | "dkim";
  readonly domain: string | null;
  readonly result: SpfResult["result"] | DkimSignature["result"];
  readonly alignment: Alignment;
  /** As the record demands. */
  readonly aligned: Fact<boolean>;
};

export const apart: Alignment = { relaxed: known(false), strict: false };
const same: Alignment = { relaxed: known(true), strict: true };

/**
 * Of the domains of one message that lie below the author's organisation, where alone a walk can tell. Honest messages
 * bring one or two; a walk asks up to seven questions, and all that a message asks is bounded at a hundred.
 */
const maxWalks = 8;

export type AlignDomain = (domain: string | null) => Promise<Alignment>;

/** Without a record organisations are compared by registrable domain, as providers do that ask alignment all the same. */
export function createAlignment(author: string, dmarc: Fact<Dmarc>, dns: Dns): AlignDomain {
  const walks = new Map<string, Promise<Fact<string>>>();
  const walk = (domain: string) => {
    const begun = walks.get(domain);
    if (begun !== undefined) return begun;
    if (walks.size >= maxWalks) return Promise.resolve(unknown("budget"));
    const org = gatherOrgDomain(domain, dns);
    walks.set(domain, org);
    return org;
  };
  const alignRelaxed = async (domain: string): Promise<Fact<boolean>> => {
    const org = dmarc.known && dmarc.value.foundAt !== null ? dmarc.value.orgDomain : null;
    if (org === null) return known(toRegistrableDomain(domain) === toRegistrableDomain(author));
    if (!org.known) return shareTop(domain, author) ? org : known(false);
    // An organisational domain is the name itself or one above it.
    if (!isWithin(domain, org.value)) return known(false);
    const own = await walk(domain);
    return own.known ? known(own.value === org.value) : own;
  };
  return async (written) => {
    const domain = written === null ? null : toAsciiDomain(written);
    if (domain === null) return apart;
    return domain === author ? same : { relaxed: await alignRelaxed(domain), strict: false };
  };
}

function shareTop(one: string, other: string): boolean {
  return one.split(".").at(-1) === other.split(".").at(-1);
}
