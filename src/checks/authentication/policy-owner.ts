// Whose a domain's policy is, and whether there is one to judge. Nobody is told to change the DNS of Gmail because he
// wrote from a mailbox there.

import type { DmarcPolicy, DmarcTags } from "../../dns/dmarc.ts";
import { isPublicSuffix } from "../../mail/headers/registrable-domain.ts";
import type { Dmarc } from "../authentication-facts.ts";
import { notApplicable, skipped } from "../check.ts";
import type { Fact } from "../fact.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import type { Parked } from "../infer-parked.ts";
import type { CameThrough } from "../kind.ts";

/** Why a message's author cannot change what the domain publishes; null when he can. `kind` is known of messages alone. */
export function whyNotTheAuthors(domain: string, kind: Fact<CameThrough>): string | null {
  const provider = kind.known ? freemailProviderOf(domain) : null;
  return provider === null
    ? null
    : `${domain} belongs to ${provider}; what it publishes is not for the sender to change.`;
}

/** Of a domain that sends nothing parked-domain tells what it lacks. Null where a policy is to be expected; `parked` is known of bare domains alone. */
export function whyNotExpected(parked: Fact<Parked>) {
  if (!parked.known) return parked.why === "no-message" ? null : skipped(parked.why);
  return parked.value.isParked
    ? notApplicable("The domain sends no mail; what it should say then is told by parked-domain.")
    : null;
}

export type AppliedPolicy = {
  readonly foundAt: string;
  /** `_dmarc.` before it. */
  readonly name: string;
  readonly record: string;
  readonly tags: DmarcTags;
  readonly policy: DmarcPolicy;
};

/** The policy that is in force and that its owner can be told about; else why not, in plain words. */
export function readAppliedPolicy(dmarc: Dmarc, kind: Fact<CameThrough>): AppliedPolicy | string {
  const notTheirs = whyNotTheAuthors(dmarc.domain, kind);
  if (notTheirs !== null) return notTheirs;
  const { foundAt, record, tags, policy } = dmarc;
  if (foundAt === null || record === null || tags === null) return "No DMARC record applies.";
  if (foundAt !== dmarc.domain && isPublicSuffix(foundAt))
    return `The policy is that of ${foundAt}, a registry's; the sender has none of his own.`;
  if (policy === null) return "The DMARC record has no policy that can be read.";
  return { foundAt, name: `_dmarc.${foundAt}`, record, tags, policy };
}
